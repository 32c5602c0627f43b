/** The status bar item: indexing, fresh or stale; a click shows the status. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import type { StatusChanged } from '../protocol';
import type { Server, ServerState } from '../server/server';
import { number } from './nodes';

const STATE_TEXT: Record<Exclude<ServerState, 'running'>, [text: string, tooltip: string]> = {
  stopped: ['$(layers) Context: off', 'The Repo Context server is not running'],
  starting: ['$(sync~spin) Context', 'The Repo Context server is starting'],
  restarting: ['$(sync~spin) Context', 'The Repo Context server stopped and starts again'],
  missing: ['$(warning) Context: no server', 'The Repo Context server was not found'],
  failed: ['$(error) Context: stopped', 'The Repo Context server stopped too often'],
};

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('repoContext.status', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];
  private status: StatusChanged | undefined;

  constructor(
    private readonly server: Server,
    private readonly store: ContextStore,
  ) {
    this.item.name = 'Repo Context';
    this.item.command = 'repoContext.showStatus';
    this.subscriptions = [
      this.item,
      server.onDidChangeState(() => this.update()),
      server.onDidChangeStatus((status) => {
        this.status = status;
        this.update();
      }),
      store.onDidChange(() => this.update()),
    ];
    this.update();
    this.item.show();
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }

  private update(): void {
    const { state } = this.server;
    if (state !== 'running') {
      [this.item.text, this.item.tooltip] = STATE_TEXT[state];
      this.item.backgroundColor =
        state === 'missing' || state === 'failed' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      return;
    }
    this.item.backgroundColor = undefined;
    const pending = this.status === undefined || this.status.phase === 'ready' ? 0 : this.status.total - this.status.done;
    const { pack, stale } = this.store;
    if (pending > 0) {
      this.item.text = `$(sync~spin) Context: ${number(pending)}`;
      this.item.tooltip = `${number(pending)} files are still to be indexed`;
    } else if (pack !== undefined && stale.size > 0) {
      this.item.text = '$(layers) Context: stale';
      this.item.tooltip = `${stale.size} of ${pack.items.length} items have changed since the build`;
    } else if (pack !== undefined) {
      this.item.text = `$(layers) Context: ${number(pack.used)}`;
      this.item.tooltip = `${pack.items.length} items, ${number(pack.used)} of ${number(pack.budget)} tokens, as built`;
    } else {
      this.item.text = '$(layers) Context';
      this.item.tooltip = 'Repo Context: ready';
    }
  }
}
