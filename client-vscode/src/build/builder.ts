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
    const pack = await vscode.window.withProgress(progress, () => this.unlessReplaced({ ...hints(), ...gathered }, current.token));
    if (pack === undefined || current.token.isCancellationRequested) {
      return undefined;
    }
    this.store.publish(pack, source);
    return pack;
  }

  /** Undefined, not an error, when a newer build cancelled this one. */
  private async unlessReplaced(params: BuildParams, token: vscode.CancellationToken): Promise<ContextPack | undefined> {
    try {
      return await this.request(this.store.withChoices(params), token);
    } catch (error) {
      if (token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    }
  }

  /** A pack for someone else (an agent): not published. */
  request(params: BuildParams, token?: vscode.CancellationToken): Promise<ContextPack> {
    return this.server.request(Build, { render: { format: 'markdown' }, explain: true, ...params }, token);
  }
}
