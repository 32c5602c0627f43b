/** The private environment: made only when the user clicks Install, from the wheel bundled with the extension. */
import { access, mkdir, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { onPath, run } from './machine';

const ENVIRONMENT = 'server-env';
const INSTALL_TIMEOUT = 600_000;
const LEAST_PYTHON = '(3, 11)';

function interpreterIn(environment: string): string {
  return process.platform === 'win32'
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');
}

/** Interpreter of the private environment if it is there. */
export async function privatePython(storage: vscode.Uri): Promise<string | undefined> {
  const python = interpreterIn(path.join(storage.fsPath, ENVIRONMENT));
  try {
    await access(python);
    return python;
  } catch {
    return undefined;
  }
}

/**
 * The wheel in the extension's `server` folder. Never the bare name of a package: whoever owns that name in an index
 * would then run code here.
 */
async function requirement(extension: vscode.Uri): Promise<string> {
  const folder = path.join(extension.fsPath, 'server');
  const files = await readdir(folder).catch(() => [] as string[]);
  const wheel = files.filter((file) => file.endsWith('.whl')).sort().at(-1);
  if (wheel === undefined) {
    throw new Error('this package of the extension holds no server; install one by hand and name it in repoContext.server.command');
  }
  return `${path.join(folder, wheel)}[mcp]`;
}

async function basePython(): Promise<string> {
  for (const name of ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python']) {
    const python = await onPath(name);
    const recent = python && (await run(python, ['-c', `import sys; sys.exit(sys.version_info < ${LEAST_PYTHON})`]).then(() => true, () => false));
    if (python !== undefined && recent === true) {
      return python;
    }
  }
  throw new Error('no Python 3.11 or later on the PATH');
}

/** Makes the private environment and installs the server into it. */
export async function install(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<void> {
  const environment = path.join(context.globalStorageUri.fsPath, ENVIRONMENT);
  await mkdir(context.globalStorageUri.fsPath, { recursive: true });
  const python = await basePython();
  log.info(`install: ${python} -m venv ${environment}`);
  await run(python, ['-m', 'venv', '--clear', environment], INSTALL_TIMEOUT);
  const wanted = await requirement(context.extensionUri);
  log.info(`install: pip install ${wanted}`);
  log.info(await run(interpreterIn(environment), ['-m', 'pip', 'install', '--disable-pip-version-check', wanted], INSTALL_TIMEOUT));
}

/** The command a user can run in a terminal instead; it makes the same private environment. */
export async function installCommand(context: vscode.ExtensionContext): Promise<string> {
  const environment = path.join(context.globalStorageUri.fsPath, ENVIRONMENT);
  const python = process.platform === 'win32' ? 'py -3' : 'python3';
  const wanted = await requirement(context.extensionUri);
  return `${python} -m venv "${environment}" && "${interpreterIn(environment)}" -m pip install "${wanted}"`;
}
