/** Commands that build a pack. */
import * as vscode from 'vscode';
import { type BuildSource, type Sources } from '../build/sources';
import type { Builder } from '../build/builder';
import type { ContextStore } from '../context/store';
import type { ContextPack } from '../protocol';
import { PACK_URI, type ReadOnlyDocuments } from '../view/packDocument';
import { VIEW } from '../view/contextTree';

export interface BuildCommandParts {
  builder: Builder;
  sources: Sources;
  store: ContextStore;
  documents: ReadOnlyDocuments;
  openPackAfterBuild: () => boolean;
}

export type Commands = Record<string, (...args: never[]) => unknown>;

export function buildCommands(parts: BuildCommandParts): Commands {
  const { builder, sources, store, documents } = parts;

  const build = async (source: BuildSource | undefined, nothing: string): Promise<ContextPack | undefined> => {
    if (source?.gather() === undefined) {
      void vscode.window.showInformationMessage(nothing);
      return undefined;
    }
    // The view shows the progress. And it is there before its content changes: a tree that is refreshed while the editor
    // asks for it the first time may stay without children.
    await vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
    const pack = await builder.build(source);
    if (pack !== undefined) {
      if (parts.openPackAfterBuild()) {
        await documents.show(PACK_URI, pack.rendered ?? '');
      } else {
        documents.set(PACK_URI, pack.rendered ?? '');
      }
    }
    return pack;
  };

  return {
    'repoContext.buildForProblems': () => build(sources.workspaceProblems(), 'There are no errors in the Problems view.'),
    'repoContext.buildForFile': (uri?: vscode.Uri) => {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      return build(file && sources.fileProblems(file), 'There are no errors in this file.');
    },
    'repoContext.buildForDiagnostic': (uri?: vscode.Uri, diagnostic?: vscode.Diagnostic) =>
      build(problemAt(sources, uri, diagnostic), 'There is no problem at the cursor.'),
    'repoContext.buildForSelection': () => {
      const editor = vscode.window.activeTextEditor;
      return build(editor && sources.selection(editor), 'Open a file and select something first.');
    },
    'repoContext.buildFromTestOutput': async () => {
      const text = await testOutput();
      return build(text === undefined ? undefined : sources.output(text), 'Select the output in the terminal, or copy it, and run the command again.');
    },
    'repoContext.buildForTestMessage': (clicked?: { message?: { message?: string | vscode.MarkdownString } }) => {
      const message = clicked?.message?.message;
      const text = typeof message === 'string' ? message : message?.value;
      return build(text?.trim() ? sources.output(text) : undefined, 'This test has no message.');
    },
    'repoContext.buildForTask': async (given?: string) => {
      const task =
        given ?? (await vscode.window.showInputBox({ prompt: 'What is to be done?', placeHolder: 'Let an expired token be refreshed once', ignoreFocusOut: true }));
      return task?.trim() ? build(sources.task(task), '') : undefined;
    },
    'repoContext.refresh': () => build(store.source, 'What this pack was built from is gone.'),
    'repoContext.openPack': () => (store.pack === undefined ? undefined : documents.show(PACK_URI, store.pack.rendered ?? '')),
    'repoContext.copyAsPrompt': async () => {
      if (store.pack !== undefined) {
        await vscode.env.clipboard.writeText(store.pack.rendered ?? '');
        vscode.window.setStatusBarMessage('Context copied', 3000);
      }
    },
  };
}

function problemAt(sources: Sources, uri?: vscode.Uri, diagnostic?: vscode.Diagnostic): BuildSource | undefined {
  const editor = vscode.window.activeTextEditor;
  const file = uri ?? editor?.document.uri;
  if (file === undefined) {
    return undefined;
  }
  if (diagnostic !== undefined) {
    return sources.oneProblem(file, diagnostic);
  }
  const line = editor?.selection.active.line ?? 0;
  const here = vscode.languages
    .getDiagnostics(file)
    .filter((one) => one.range.start.line <= line && line <= one.range.end.line)
    .sort((a, b) => a.severity - b.severity)[0];
  return here && sources.oneProblem(file, here);
}

/** The terminal's selection, else the clipboard. The clipboard is put back as it was. */
async function testOutput(): Promise<string | undefined> {
  const before = await vscode.env.clipboard.readText();
  let text = before;
  if (vscode.window.activeTerminal !== undefined) {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    text = (await vscode.env.clipboard.readText()) || before;
    await vscode.env.clipboard.writeText(before);
  }
  return text.trim() === '' ? undefined : text;
}
