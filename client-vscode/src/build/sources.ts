/**
 * What a pack is built from. A source is asked anew at every refresh, so that a pack is always of the present
 * problems and positions, never of those at its first build.
 */
import * as vscode from 'vscode';
import type { BuildParams } from '../protocol';
import { type DiagnosticVersions, failing, wireDiagnostic, workspaceProblems } from './diagnostics';

export interface BuildSource {
  /** Shown above the view: "problems in the workspace". */
  title: string;
  /** Undefined when there is nothing to build from (any more). */
  gather: () => BuildParams | undefined;
}

export class Sources {
  constructor(
    private readonly versions: DiagnosticVersions,
    private readonly includeWarnings: () => boolean,
  ) {}

  private get least(): vscode.DiagnosticSeverity {
    return this.includeWarnings() ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
  }

  workspaceProblems(): BuildSource {
    return {
      title: 'problems in the workspace',
      gather: () => withDiagnostics(failing(workspaceProblems(), this.least, this.versions)),
    };
  }

  fileProblems(uri: vscode.Uri): BuildSource {
    return {
      title: `problems in ${vscode.workspace.asRelativePath(uri)}`,
      gather: () => withDiagnostics(failing([[uri, vscode.languages.getDiagnostics(uri)]], this.least, this.versions)),
    };
  }

  /** One problem, whatever its severity: the user chose it. It is found again by its message after edits. */
  oneProblem(uri: vscode.Uri, chosen: vscode.Diagnostic): BuildSource {
    return {
      title: `problem: ${firstLine(chosen.message)}`,
      gather: () => {
        const now = vscode.languages.getDiagnostics(uri).filter((one) => one.message === chosen.message);
        const distance = (one: vscode.Diagnostic) => Math.abs(one.range.start.line - chosen.range.start.line);
        const diagnostic = now.sort((a, b) => distance(a) - distance(b))[0];
        if (diagnostic === undefined) {
          return undefined;
        }
        const version = this.versions.of(uri);
        const wire = { ...wireDiagnostic(diagnostic), severity: 1 as const };
        return withDiagnostics([{ uri: uri.toString(), ...(version === undefined ? {} : { version }), diagnostic: wire }]);
      },
    };
  }

  selection(editor: vscode.TextEditor): BuildSource {
    const { document, selection } = editor;
    const path = vscode.workspace.asRelativePath(document.uri);
    const lines = { start: selection.start.line + 1, end: selection.end.line + 1 };
    return {
      title: `selection in ${path}:${lines.start}-${lines.end}`,
      gather: () => ({
        mentions: [{ path, lines }],
        task: document.getText(selection).slice(0, 2000),
        cursor: { uri: document.uri.toString(), position: selection.active },
      }),
    };
  }

  output(text: string): BuildSource {
    // Its first line is mostly a row of dots: the failures below say more.
    return { title: 'test output', gather: () => ({ failureOutput: [{ text }] }) };
  }

  task(task: string): BuildSource {
    return { title: `task: ${firstLine(task)}`, gather: () => ({ task }) };
  }
}

function withDiagnostics(diagnostics: NonNullable<BuildParams['diagnostics']>): BuildParams | undefined {
  return diagnostics.length === 0 ? undefined : { diagnostics };
}

export function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Hints every build carries: where the cursor is and which files are open. */
export function hints(): Pick<BuildParams, 'cursor' | 'openDocuments'> {
  const editor = vscode.window.activeTextEditor;
  const openDocuments = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : []))
    .filter((uri) => uri.scheme === 'file')
    .map((uri) => uri.toString());
  const cursor =
    editor?.document.uri.scheme === 'file'
      ? { uri: editor.document.uri.toString(), position: { line: editor.selection.active.line, character: editor.selection.active.character } }
      : undefined;
  return { ...(cursor === undefined ? {} : { cursor }), ...(openDocuments.length === 0 ? {} : { openDocuments }) };
}
