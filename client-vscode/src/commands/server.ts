/** Commands about the server and the index: map, search, status, why not, install, restart. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import type { SearchHit, StatusResult } from '../protocol';
import { Explain, Reindex, RepoMap, Search, Status } from '../requests';
import { install, installCommand } from '../server/install';
import { type Server } from '../server/server';
import { openTarget } from '../view/contextTree';
import { MAP_URI, type ReadOnlyDocuments, STATUS_URI } from '../view/packDocument';
import type { Commands } from './build';

export function serverCommands(
  context: vscode.ExtensionContext,
  server: Server,
  store: ContextStore,
  documents: ReadOnlyDocuments,
): Commands {
  return {
    'repoContext.openRepoMap': async () => {
      const active = vscode.window.activeTextEditor?.document.uri;
      const focus = active?.scheme === 'file' ? [vscode.workspace.asRelativePath(active)] : [];
      const map = await server.request(RepoMap, { focus });
      return documents.show(MAP_URI, map.rendered);
    },
    'repoContext.searchCode': (query?: string) => searchCode(server, query),
    'repoContext.reindexWorkspace': () => server.request(Reindex, {}),
    'repoContext.showStatus': async () => {
      const status = server.state === 'running' ? await server.request(Status, {}) : undefined;
      return documents.show(STATUS_URI, statusText(server, status));
    },
    'repoContext.showWhyNot': () => showWhyNot(server, store),
    'repoContext.restartServer': () => server.restart(),
    'repoContext.installServer': async () => {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: 'Installing the Repo Context server' },
        () => install(context, server.log),
      );
      await server.restart();
    },
    'repoContext.copyInstallCommand': async () => vscode.env.clipboard.writeText(await installCommand(context.extensionUri)),
    'repoContext.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    'repoContext.showLog': () => server.log.show(),
  };
}

interface HitPick extends vscode.QuickPickItem {
  hit: SearchHit;
}

/** A picker that searches while one types; the newest query wins. */
async function searchCode(server: Server, query = ''): Promise<void> {
  const picker = vscode.window.createQuickPick<HitPick>();
  picker.placeholder = 'Words, identifiers or a question';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  let current: vscode.CancellationTokenSource | undefined;
  const search = async (text: string) => {
    current?.cancel();
    const source = new vscode.CancellationTokenSource();
    current = source;
    if (text.trim() === '') {
      picker.items = [];
      return;
    }
    picker.busy = true;
    try {
      const { hits } = await server.request(Search, { query: text, limit: 50 }, source.token);
      if (!source.token.isCancellationRequested) {
        picker.items = hits.map(pickOf);
      }
    } catch (error) {
      if (!source.token.isCancellationRequested) {
        server.log.warn(`search: ${String(error)}`);
      }
    } finally {
      picker.busy = current !== source;
    }
  };
  picker.onDidChangeValue((text) => void search(text));
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems;
    picker.hide();
    if (chosen !== undefined) {
      void openTarget(chosen.hit);
    }
  });
  picker.onDidHide(() => {
    current?.cancel();
    picker.dispose();
  });
  picker.value = query;
  picker.show();
  await search(query);
}

function pickOf(hit: SearchHit): HitPick {
  return {
    label: hit.symbol ?? hit.path,
    description: `${hit.path}:${hit.lines.start}`,
    detail: (hit.matches[0]?.text ?? '').trim().slice(0, 160),
    alwaysShow: true,
    hit,
  };
}

async function showWhyNot(server: Server, store: ContextStore): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || store.pack === undefined) {
    void vscode.window.showInformationMessage('Build a context pack first, then put the cursor on a symbol.');
    return;
  }
  const { document, selection } = editor;
  const word = document.getWordRangeAtPosition(selection.active);
  const answer = await server.request(Explain, {
    path: vscode.workspace.asRelativePath(document.uri),
    line: selection.active.line + 1,
    ...(word === undefined ? {} : { symbol: document.getText(word) }),
  });
  await vscode.window.showInformationMessage(answer.explanation, { modal: false });
}

/** The status as Markdown. */
export function statusText(server: Pick<Server, 'state' | 'command'>, status: StatusResult | undefined): string {
  const lines = ['# Repo Context status', '', `- Server: ${server.state}${server.command ? `, ${server.command.note}` : ''}`];
  if (status !== undefined) {
    const languages = Object.entries(status.languages).sort(([, a], [, b]) => b - a);
    lines.push(
      `- Files: ${status.files}, symbols: ${status.symbols}, revision ${status.revision}`,
      `- Languages: ${languages.map(([name, files]) => `${name} ${files}`).join(', ') || 'none'}`,
      `- Still to be indexed: ${status.pendingFiles ?? status.queue ?? 0}`,
      `- Last error: ${status.lastError ?? 'none'}`,
      '',
    );
    if (status.quarantined.length > 0) {
      lines.push('## Files set aside', '', ...status.quarantined.map((one) => `- ${one.path}: ${one.reason}`), '');
    }
    lines.push('```json', JSON.stringify(status, null, 2), '```');
  }
  return `${lines.join('\n')}\n`;
}
