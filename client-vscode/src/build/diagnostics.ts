/** The editor's problems as the server takes them. */
import * as vscode from 'vscode';
import type { Diagnostic, DiagnosticInput, Range } from '../protocol';

/** Problems sent at most; the server ranks, a project that is broken everywhere needs a bound. */
export const MAX_DIAGNOSTICS = 500;

/**
 * Remembers for which version of a document its problems were published. The editor does not tell: the version at
 * the time of the event is the nearest that can be known.
 */
export class DiagnosticVersions implements vscode.Disposable {
  private readonly versions = new Map<string, number>();
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document.version]));
        for (const uri of uris) {
          const version = open.get(uri.toString());
          if (version !== undefined) {
            this.versions.set(uri.toString(), version);
          }
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.versions.delete(document.uri.toString())),
    ];
  }

  of(uri: vscode.Uri): number | undefined {
    return this.versions.get(uri.toString());
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }
}

function wireRange(range: vscode.Range): Range {
  return {
    start: { line: range.start.line, character: range.start.character },
    end: { line: range.end.line, character: range.end.character },
  };
}

export function wireDiagnostic(diagnostic: vscode.Diagnostic): Diagnostic {
  const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
  return {
    range: wireRange(diagnostic.range),
    message: diagnostic.message,
    severity: (diagnostic.severity + 1) as 1 | 2 | 3 | 4,
    ...(code === undefined ? {} : { code }),
    ...(diagnostic.source === undefined ? {} : { source: diagnostic.source }),
    ...(diagnostic.tags === undefined ? {} : { tags: diagnostic.tags.map((tag) => tag as 1 | 2) }),
    ...(diagnostic.relatedInformation === undefined
      ? {}
      : {
          relatedInformation: diagnostic.relatedInformation.map((related) => ({
            location: { uri: related.location.uri.toString(), range: wireRange(related.location.range) },
            message: related.message,
          })),
        }),
  };
}

/** Problems of these files that count as failures, in the given order. */
export function failing(
  problems: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[],
  least: vscode.DiagnosticSeverity,
  versions: DiagnosticVersions,
): DiagnosticInput[] {
  const inputs: DiagnosticInput[] = [];
  for (const [uri, diagnostics] of problems) {
    const version = versions.of(uri);
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity <= least && inputs.length < MAX_DIAGNOSTICS) {
        inputs.push({ uri: uri.toString(), ...(version === undefined ? {} : { version }), diagnostic: wireDiagnostic(diagnostic) });
      }
    }
  }
  return inputs;
}

/** All problems of the workspace: the active editor's file first, then visible files, then the rest by name. */
export function workspaceProblems(): [vscode.Uri, vscode.Diagnostic[]][] {
  const visible = vscode.window.visibleTextEditors.map((editor) => editor.document.uri.toString());
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const place = (uri: string) => (uri === active ? 0 : visible.includes(uri) ? 1 : 2);
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === 'file' || uri.scheme === 'untitled')
    .sort(([a], [b]) => place(a.toString()) - place(b.toString()) || a.toString().localeCompare(b.toString()));
}
