/** Keeps watch whether the pack's items still say what the code says, in open documents and on disk. */
import * as vscode from 'vscode';
import { Verify } from '../requests';
import type { Server } from '../server/server';
import type { ContextStore } from './store';

/** Milliseconds without a further change before the server is asked. */
const QUIET = 150;

export class Freshness implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private current: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly server: Server,
    private readonly store: ContextStore,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const changed = (uri: vscode.Uri) => this.changed(uri);
    this.subscriptions = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0) {
          changed(event.document.uri);
        }
      }),
      // A document closed without saving: the disk counts again.
      vscode.workspace.onDidCloseTextDocument((document) => changed(document.uri)),
      store.onDidPublish(() => this.schedule()),
      server.onDidChangeState((state) => {
        if (state === 'running') {
          this.schedule();
        }
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.current?.cancel();
    this.subscriptions.forEach((one) => void one.dispose());
  }

  private changed(uri: vscode.Uri): void {
    if (this.store.pack?.items.some((item) => sameUri(item.uri, uri)) === true) {
      this.schedule();
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.verify(), QUIET);
  }

  private async verify(): Promise<void> {
    const { pack } = this.store;
    if (pack === undefined || pack.items.length === 0 || this.server.state !== 'running') {
      return;
    }
    this.current?.cancel();
    const current = new vscode.CancellationTokenSource();
    this.current = current;
    const items = pack.items.map(({ id, path, lines, contentHash }) => ({ id, path, lines, contentHash }));
    try {
      const answer = await this.server.request(Verify, { items }, current.token);
      if (!current.token.isCancellationRequested && this.store.pack === pack) {
        this.store.setVerdicts(answer.items);
      }
    } catch (error) {
      if (!current.token.isCancellationRequested) {
        this.server.log.warn(`verify: ${String(error)}`);
      }
    }
  }
}

function sameUri(a: string, b: vscode.Uri): boolean {
  return a === b.toString() || vscode.Uri.parse(a).toString() === b.toString();
}
