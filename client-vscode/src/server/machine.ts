/** What discovery asks of this machine: child processes, the PATH, the Python extension. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Settings } from '../settings';
import { type Machine, MODULE } from './discovery';
import { privatePython } from './install';

const PROBE_TIMEOUT = 10_000;

export function run(command: string, args: readonly string[], timeout = PROBE_TIMEOUT): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { timeout, windowsHide: true }, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(stderr.trim() || error.message));
      } else {
        resolve(stdout);
      }
    });
  });
}

async function hasPackage(python: string): Promise<boolean> {
  const probe = `import importlib.util as u, sys; sys.exit(0 if u.find_spec(${JSON.stringify(MODULE)}) else 3)`;
  try {
    await run(python, ['-P', '-c', probe]);
    return true;
  } catch {
    return false;
  }
}

/** Full path of a program on the PATH or in `~/.local/bin`, which an editor started from a desktop may lack on its PATH. */
export async function onPath(program: string): Promise<string | undefined> {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join(homedir(), '.local', 'bin')];
  for (const folder of folders.filter((folder) => path.isAbsolute(folder))) {
    for (const name of names) {
      const candidate = path.join(folder, name);
      try {
        await access(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Not in this folder: look at the next.
      }
    }
  }
  return undefined;
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath: (resource?: vscode.Uri) => { path: string };
    resolveEnvironment: (path: unknown) => Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const active = api.environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  if (active === undefined) {
    return undefined;
  }
  return (await api.environments?.resolveEnvironment(active))?.executable.uri?.fsPath;
}

export function machine(settings: Settings, storage: vscode.Uri): Machine {
  return {
    serverCommand: settings.serverCommand,
    interpreter: settings.interpreter,
    selectedPython,
    hasPackage,
    onPath,
    privatePython: () => privatePython(storage),
  };
}
