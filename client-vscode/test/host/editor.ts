/** What the extension-host tests share: the workspace's files, waiting for states, the extension's own values. */
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';

export const ID = 'repo-context.repo-context';

export async function until<T>(what: string, probe: () => T | undefined | false | PromiseLike<T | undefined | false>, timeout = 45_000): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`timeout: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function api(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>(ID);
  if (extension === undefined) {
    throw new Error('the extension is not there');
  }
  const exported = await extension.activate();
  await until('the server runs', () => exported.server.state === 'running');
  return exported;
}

export function file(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    throw new Error('no workspace folder');
  }
  return vscode.Uri.joinPath(folder.uri, name);
}

export async function open(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file(name)), { viewColumn: vscode.ViewColumn.One });
}

/** The type error of the workspace, as the editor's own TypeScript server reports it. */
export async function typeError(): Promise<vscode.Diagnostic> {
  const { document } = await open('src/cart.ts');
  return until('a type error', () =>
    vscode.languages.getDiagnostics(document.uri).find((one) => one.severity === vscode.DiagnosticSeverity.Error),
  );
}
