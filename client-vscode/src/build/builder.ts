/** Runs builds: gathers, asks the server, publishes. The newest build wins. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import type { BuildParams, ContextPack } from '../protocol';
import { Build } from '../requests';
import type { Server } from '../server/server';
import { type BuildSource, hints } from './sources';

export class Builder {
  private current: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly server: Server,
    private readonly store: ContextStore,
  ) {}

  /** Builds and publishes; undefined when there was nothing to build from or a newer build took over. */
  async build(source: BuildSource): Promise<ContextPack | undefined> {
    const gathered = source.gather();
    if (gathered === undefined) {
      return undefined;
    }
    this.current?.cancel();
    const current = new vscode.CancellationTokenSource();
    this.current = current;
    const progress = { location: { viewId: 'repoContext.context' }, title: 'Building context' };
    const pack = await vscode.window.withProgress(progress, () =>
      this.request(this.store.withChoices({ ...hints(), ...gathered }), current.token),
    );
    if (current.token.isCancellationRequested) {
      return undefined;
    }
    this.store.publish(pack, source);
    return pack;
  }

  /** A pack for someone else (an agent): not published. */
  request(params: BuildParams, token?: vscode.CancellationToken): Promise<ContextPack> {
    return this.server.request(Build, { render: { format: 'markdown' }, explain: true, ...params }, token);
  }
}
