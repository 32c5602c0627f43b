/** The server's MCP tools for agents, when the user prefers them over this extension's own. */
import * as vscode from 'vscode';
import type { Server } from './server/server';
import type { Settings } from './settings';

export function registerMcp(server: Server, settings: Settings): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider = vscode.lm.registerMcpServerDefinitionProvider('repoContext.mcp', {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      const { command } = server;
      if (settings.agentTools !== 'mcp' || command === undefined) {
        return [];
      }
      const folder = vscode.workspace.workspaceFolders?.[0];
      const args = [...command.args, 'mcp', ...(folder === undefined ? [] : ['--root', folder.uri.fsPath])];
      return [new vscode.McpStdioServerDefinition('Repo Context', command.command, args, {}, undefined)];
    },
  });
  return vscode.Disposable.from(
    provider,
    changed,
    server.onDidChangeState(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('repoContext.agentTools')) {
        changed.fire();
      }
    }),
  );
}
