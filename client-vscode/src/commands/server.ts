/** Commands about the server and the index: map, search, status, why not, install, restart. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import type { SearchHit } from '../protocol';
import { Explain, Reindex, RepoMap, Search, Status } from '../requests';
import { install, installCommand } from '../server/install';
import { type Server } from '../server/server';
import { whyNot } from '../context/whyNot';
import { openTarget } from '../view/contextTree';
import { basename } from '../view/nodes';
import { MAP_URI, type ReadOnlyDocuments, STATUS_URI } from '../view/packDocument';
import { statusText } from '../view/statusText';
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
    'repoContext.copyInstallCommand': async () => vscode.env.clipboard.writeText(await installCommand(context)),
    'repoContext.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    'repoContext.showLog': () => server.log.show(),
  };
}

interface HitPick extends vscode.QuickPickItem {
  /** Absent in the row that says that there is nothing. */
  hit?: SearchHit;
}

const NOTHING: HitPick = { label: 'Nothing found', alwaysShow: true };

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
        picker.items = hits.length === 0 ? [NOTHING] : hits.map(pickOf);
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
    if (chosen?.hit !== undefined) {
      picker.hide();
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
    label: hit.symbol ?? basename(hit.path),
    description: `${hit.path}:${hit.lines.start}`,
    detail: (hit.matches[0]?.text ?? '').trim().slice(0, 160),
    alwaysShow: true,
    hit,
  };
}

async function showWhyNot(server: Server, store: ContextStore): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const { pack } = store;
  if (editor === undefined || pack === undefined) {
    return vscode.window.showInformationMessage('Build a context pack first, then put the cursor on a symbol.');
  }
  const { document, selection } = editor;
  const path = vscode.workspace.asRelativePath(document.uri);
  const line = selection.active.line + 1;
  const word = document.getWordRangeAtPosition(selection.active);
  const symbol = word === undefined ? {} : { symbol: document.getText(word) };
  const explanation = await server.request(Explain, { uri: document.uri.toString(), line, ...symbol, fingerprint: pack.fingerprint }).then(
    (answer) => answer.explanation,
    // A server without `context/explain`: the pack itself says a good part of it.
    () => whyNot(pack, path, line),
  );
  return vscode.window.showInformationMessage(explanation);
}
