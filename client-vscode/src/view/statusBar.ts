/** The status bar item: indexing, fresh or stale; a click shows the status. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import type { StatusChanged } from '../protocol';
import type { Server } from '../server/server';
import { statusBarText } from './statusBarText';

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
      server.onDidChangeState((state) => {
        if (state !== 'running') {
          this.status = undefined;
        }
        this.update();
      }),
      server.onDidChangeStatus((status) => {
        this.status = status;
        this.update();
      }),
      store.onDidChange(() => this.update()),
    ];
    this.update();
    this.item.show();
  }

  /** What it says now, for tests. */
  get text(): string {
    return this.item.text;
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }

  private update(): void {
    const { text, tooltip, warns } = statusBarText(this.server.state, this.status, this.store.pack, this.store.stale.size);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }
}
