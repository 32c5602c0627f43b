/** Life of the server process: find, start, restart with back-off, say when it is gone for good. */
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  type RequestType,
  type ServerOptions,
} from 'vscode-languageclient/node';
import type { StatusChanged as StatusChangedParams } from '../protocol';
import { ResolveDefinition, StatusChanged } from '../requests';
import type { DefinitionResolver } from '../definitions';
import { SECTION, type Settings } from '../settings';
import { Backoff } from './backoff';
import { discover, type ServerCommand } from './discovery';
import { machine } from './machine';
import type { ServerState } from './state';
import { Turns } from './turns';

/** How long a stop waits for a server that is just starting, in milliseconds; it is disposed of once it answers. */
const START_PATIENCE = 5000;

/** Thrown to a caller while there is no server to ask. */
export class ServerUnavailable extends Error {}

/** Errors of the connection go to the log; what a user must know is said once, by `extension.ts`. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private wanted = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  /** Two reasons to restart come at once when trust is given: it also changes the settings. */
  private readonly turns = new Turns();
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly statusEmitter = new vscode.EventEmitter<StatusChangedParams>();
  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeStatus = this.statusEmitter.event;
  state: ServerState = 'stopped';
  /** Where the running server came from. */
  command: ServerCommand | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly settings: Settings,
    private readonly resolver: DefinitionResolver,
    readonly log: vscode.LogOutputChannel,
  ) {}

  /** Looks for a server and starts it. Never throws: the state and the log say what happened. */
  start(): Promise<void> {
    return this.turns.take('start', () => this.begin());
  }

  /** Starts anew, with the settings of the moment at which it does. */
  restart(): Promise<void> {
    return this.turns.take('restart', async () => {
      this.backoff.reset();
      await this.end('restarting');
      await this.begin();
    });
  }

  stop(): Promise<void> {
    return this.turns.take('stop', () => this.end('stopped'));
  }

  /** After a crash: unless it was stopped meanwhile. */
  private startAgain(): Promise<void> {
    return this.turns.take('start again', async () => {
      if (this.wanted) {
        await this.begin();
      }
    });
  }

  private async begin(): Promise<void> {
    if (this.client !== undefined) {
      return;
    }
    this.wanted = true;
    this.enter('starting');
    const { found, log } = await discover(machine(this.settings, this.context.globalStorageUri));
    log.forEach((line) => this.log.info(`server: ${line}`));
    this.command = found;
    if (found === undefined) {
      this.log.warn('server: not found');
      this.enter('missing');
      return;
    }
    this.log.info(`server: starting ${[found.command, ...found.args].join(' ')} (${found.note})`);
    // A server that never answers must not keep a stop or a restart from its turn.
    this.starting = this.launch(found);
    await patience(this.starting);
  }

  /** From the first moment on there is nobody to ask, and `state` says so. */
  private async end(state: 'stopped' | 'restarting'): Promise<void> {
    this.wanted = false;
    clearTimeout(this.timer);
    const client = this.client;
    this.client = undefined;
    this.enter(state);
    if (client !== undefined) {
      await patience(disposed(client, this.starting, this.log));
    }
  }

  /** Sends a request; raises ServerUnavailable while no server runs. */
  async request<P, R>(type: RequestType<P, R, void>, params: P, token?: vscode.CancellationToken): Promise<R> {
    if (this.client === undefined || this.state !== 'running') {
      throw new ServerUnavailable(`The Repo Context server is not running (${this.state}).`);
    }
    return token === undefined
      ? this.client.sendRequest<R>(type.method, params)
      : this.client.sendRequest<R>(type.method, params, token);
  }

  async toWorkspaceEdit(edit: object): Promise<vscode.WorkspaceEdit> {
    if (this.client === undefined) {
      throw new ServerUnavailable('The Repo Context server is not running.');
    }
    return this.client.protocol2CodeConverter.asWorkspaceEdit(edit);
  }

  /** Tells the server that settings changed. */
  async sendSettings(): Promise<void> {
    if (this.state === 'running') {
      await this.client?.sendNotification('workspace/didChangeConfiguration', {
        settings: { [SECTION]: this.settings.forServer() },
      });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.stateEmitter.dispose();
    this.statusEmitter.dispose();
  }

  private enter(state: ServerState): void {
    this.state = state;
    void vscode.commands.executeCommand('setContext', 'repoContext.server', state);
    this.stateEmitter.fire(state);
  }

  private async launch(command: ServerCommand): Promise<void> {
    const client = this.newClient(command);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`server: did not start: ${String(error)}`);
      this.closed(client);
      return;
    }
    if (this.client === client && client.isRunning()) {
      this.log.info(`server: running ${client.initializeResult?.serverInfo?.version ?? ''}`);
      this.enter('running');
    }
  }

  private newClient(command: ServerCommand): LanguageClient {
    const serverOptions: ServerOptions = { command: command.command, args: command.args };
    let client: LanguageClient | undefined = undefined;
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      outputChannel: this.log,
      traceOutputChannel: this.log,
      initializationOptions: {
        settings: this.settings.forServer(),
        notifications: ['statusChanged', ...(this.settings.exactDefinitions ? ['resolveDefinition'] : [])],
      },
      middleware: this.middleware(),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.closed(client);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
    client = new QuietClient(SECTION, 'Repo Context', serverOptions, options);
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        const exact = this.settings.exactDefinitions;
        capabilities.experimental = { context: { statusChanged: true, resolveDefinition: exact } };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    client.onRequest(ResolveDefinition, (params, token) => this.resolver.resolve(params, token));
    client.onNotification(StatusChanged, (params) => this.statusEmitter.fire(params));
    return client;
  }

  private middleware(): Middleware {
    return {
      // This client shows its own light bulb.
      provideCodeActions: () => [],
      // While it answers the server, this extension must not ask the server's own provider.
      provideDefinition: (document, position, token, next) =>
        this.resolver.busy ? undefined : next(document, position, token),
      workspace: {
        // Settings of this client alone are no business of the server's: `sendSettings` sends what is.
        didChangeConfiguration: () => Promise.resolve(),
        configuration: (params, token, next) => {
          const answers = params.items.map((item) => (item.section === SECTION ? this.settings.forServer() : null));
          return params.items.every((item) => item.section === SECTION) ? answers : next(params, token);
        },
      },
    };
  }

  private closed(client: LanguageClient | undefined): void {
    if (client === undefined || client !== this.client || !this.wanted) {
      return;
    }
    this.client = undefined;
    const delay = this.backoff.crashed(Date.now());
    void client.dispose().catch(() => undefined);
    if (delay === undefined) {
      this.log.error('server: stopped too often, not started again');
      this.enter('failed');
      return;
    }
    this.log.warn(`server: stopped unexpectedly, starting again in ${delay} ms`);
    this.enter('restarting');
    this.timer = setTimeout(() => void this.startAgain(), delay);
  }
}

/** Waits for `work`, at most START_PATIENCE. */
async function patience(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, START_PATIENCE)));
  await Promise.race([work, enough]);
  clearTimeout(timer);
}

/** A client can only be disposed of when its start has come to an end. */
async function disposed(client: LanguageClient, starting: Promise<void> | undefined, log: vscode.LogOutputChannel): Promise<void> {
  await starting;
  await client.dispose().catch((error: unknown) => log.warn(`server: ${String(error)}`));
}
