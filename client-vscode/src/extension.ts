/** Wires the parts together; each part is in a file of its own name. */
import * as vscode from 'vscode';
import { Builder } from './build/builder';
import { DiagnosticVersions } from './build/diagnostics';
import { Sources } from './build/sources';
import { BuildContextActions } from './codeActions';
import { buildCommands, type Commands } from './commands/build';
import { serverCommands } from './commands/server';
import { viewCommands } from './commands/view';
import { Freshness } from './context/freshness';
import { ContextStore } from './context/store';
import { DefinitionResolver } from './definitions';
import { registerMcp } from './mcp';
import { Server } from './server/server';
import { SECTION, Settings } from './settings';
import { registerTools } from './tools';
import { ContextTree } from './view/contextTree';
import { PackLinks, ReadOnlyDocuments, SCHEME } from './view/packDocument';
import { StatusBar } from './view/statusBar';

/** What the extension gives to others and to its tests. */
export interface Api {
  server: Server;
  store: ContextStore;
  tree: ContextTree;
  statusBar: StatusBar;
  resolver: DefinitionResolver;
}

let running: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel('Repo Context', { log: true });
  const settings = new Settings(context.extension.packageJSON);
  const resolver = new DefinitionResolver();
  const server = new Server(context, settings, resolver, log);
  const versions = new DiagnosticVersions();
  const store = new ContextStore();
  const documents = new ReadOnlyDocuments();
  const builder = new Builder(server, store);
  const sources = new Sources(versions, () => settings.includeWarnings);
  const tree = new ContextTree(store);
  const statusBar = new StatusBar(server, store);
  running = server;

  register(context, log, {
    ...buildCommands({ builder, sources, store, documents, openPackAfterBuild: () => settings.openPackAfterBuild }),
    ...viewCommands(server, store, () => settings.budget),
    ...serverCommands(context, server, store, documents),
  });
  context.subscriptions.push(
    log,
    server,
    versions,
    store,
    documents,
    tree,
    statusBar,
    new Freshness(server, store),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, documents),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new BuildContextActions(() => settings.lightBulb), {
      providedCodeActionKinds: BuildContextActions.kinds,
    }),
    vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, new PackLinks(store)),
    ...registerTools(server, builder, sources),
    registerMcp(server, settings),
    server.onDidChangeState((state) => void tell(server, state)),
    vscode.workspace.onDidChangeConfiguration((event) => void reconfigure(event, server)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
  );
  void server.start();
  return { server, store, tree, statusBar, resolver };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** Registers commands that tell the user what went wrong instead of failing silently. */
function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, commands: Commands): void {
  for (const [name, run] of Object.entries(commands)) {
    const safely = async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        log.error(`${name}: ${message}`);
        void vscode.window.showErrorMessage(`Repo Context: ${message}`);
        return undefined;
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(name, safely));
  }
}

/** One message when there is no server, or none any more. */
async function tell(server: Server, state: Server['state']): Promise<void> {
  if (state === 'missing') {
    const installIt = 'Install';
    const copy = 'Copy Command';
    const chosen = await vscode.window.showWarningMessage(
      'The Repo Context server was not found. Install puts it into a private environment of this extension.',
      installIt,
      copy,
    );
    if (chosen === installIt) {
      await vscode.commands.executeCommand('repoContext.installServer');
    } else if (chosen === copy) {
      await vscode.commands.executeCommand('repoContext.copyInstallCommand');
    }
  } else if (state === 'failed') {
    const restart = 'Restart';
    const show = 'Show Log';
    const chosen = await vscode.window.showErrorMessage('The Repo Context server stopped several times and was not started again.', restart, show);
    if (chosen === restart) {
      await server.restart();
    } else if (chosen === show) {
      server.log.show();
    }
  }
}

const NEEDS_RESTART = ['server.command', 'interpreter', 'exactDefinitions', 'features'];

async function reconfigure(event: vscode.ConfigurationChangeEvent, server: Server): Promise<void> {
  if (NEEDS_RESTART.some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) {
    await server.restart();
  } else if (event.affectsConfiguration(SECTION)) {
    await server.sendSettings();
  }
}
