/**
 * Where the server comes from: the first of settings' command, settings' interpreter, the selected Python
 * environment, the PATH, and an earlier private install. Pure: whatever touches the machine is handed in.
 */

export type Origin = 'setting' | 'interpreter' | 'python-environment' | 'path' | 'private-install';

export interface ServerCommand {
  command: string;
  args: string[];
  origin: Origin;
  /** One line for the log. */
  note: string;
}

export interface Machine {
  serverCommand: readonly string[];
  interpreter: string;
  /** The interpreter the Python extension has selected, if any. */
  selectedPython: () => Promise<string | undefined>;
  /** True when this interpreter can import the server. */
  hasPackage: (python: string) => Promise<boolean>;
  /** Full path of a program on the PATH. */
  onPath: (program: string) => Promise<string | undefined>;
  /** Interpreter of the private install, if there is one. */
  privatePython: () => Promise<string | undefined>;
}

export interface Discovery {
  found?: ServerCommand;
  /** What was looked at, in order, and what came of it. */
  log: string[];
}

export const PROGRAM = 'repo-context-lsp';
export const MODULE = 'lsp_server';

/** `-P` keeps the workspace's own folder off Python's import path: a repository must not replace the server. */
export function moduleCommand(python: string): { command: string; args: string[] } {
  return { command: python, args: ['-P', '-m', MODULE] };
}

export async function discover(machine: Machine): Promise<Discovery> {
  const log: string[] = [];
  const [command, ...args] = machine.serverCommand;
  if (command !== undefined && command !== '') {
    log.push(`setting server.command: ${machine.serverCommand.join(' ')}`);
    return { found: { command, args, origin: 'setting', note: 'from the setting repoContext.server.command' }, log };
  }
  log.push('setting server.command: empty');

  const tries: [Origin, string, () => Promise<string | undefined>][] = [
    ['interpreter', 'setting interpreter', () => Promise.resolve(machine.interpreter || undefined)],
    ['python-environment', 'selected Python environment', machine.selectedPython],
  ];
  for (const [origin, title, find] of tries) {
    const found = await tryPython(machine, origin, title, await find(), log);
    if (found) {
      return { found, log };
    }
  }

  const program = await machine.onPath(PROGRAM);
  if (program !== undefined) {
    log.push(`${PROGRAM} on the PATH: ${program}`);
    return { found: { command: program, args: [], origin: 'path', note: `${PROGRAM} on the PATH` }, log };
  }
  log.push(`${PROGRAM} on the PATH: none`);

  const found = await tryPython(machine, 'private-install', 'private install', await machine.privatePython(), log);
  return found ? { found, log } : { log };
}

async function tryPython(
  machine: Machine,
  origin: Origin,
  title: string,
  python: string | undefined,
  log: string[],
): Promise<ServerCommand | undefined> {
  if (python === undefined) {
    log.push(`${title}: none`);
    return undefined;
  }
  const usable = await machine.hasPackage(python);
  log.push(`${title}: ${python}${usable ? '' : ` (cannot import ${MODULE})`}`);
  return usable ? { ...moduleCommand(python), origin, note: `${title}: ${python}` } : undefined;
}
