/** Reads the extension's settings. The server's own settings come from its one definition, through package.json. */
import * as vscode from 'vscode';
import { nest } from './nest';

export const SECTION = 'repoContext';

interface Manifest {
  contributes: { configuration: { title: string; properties: Record<string, { default?: unknown }> }[] };
}

/** How agents reach the server; one way at a time. */
export type AgentTools = 'tools' | 'mcp' | 'off';

export class Settings {
  private readonly serverProperties: Record<string, { default?: unknown }>;

  constructor(manifest: unknown) {
    const sections = (manifest as Manifest).contributes.configuration;
    this.serverProperties = sections.find((section) => section.title === 'Server')?.properties ?? {};
  }

  private get(name: string): unknown {
    return vscode.workspace.getConfiguration(SECTION).get(name);
  }

  get serverCommand(): string[] {
    return (this.get('server.command') as string[] | undefined) ?? [];
  }

  get interpreter(): string {
    return (this.get('interpreter') as string | undefined)?.trim() ?? '';
  }

  get agentTools(): AgentTools {
    return (this.get('agentTools') as AgentTools | undefined) ?? 'tools';
  }

  get openPackAfterBuild(): boolean {
    return (this.get('openPackAfterBuild') as boolean | undefined) ?? true;
  }

  get exactDefinitions(): boolean {
    return (this.get('exactDefinitions') as boolean | undefined) ?? true;
  }

  get includeWarnings(): boolean {
    return (this.get('includeWarnings') as boolean | undefined) ?? false;
  }

  get lightBulb(): boolean {
    return (this.get('features.codeAction') as boolean | undefined) ?? true;
  }

  get budget(): number {
    return (this.get('budget.maxTokens') as number | undefined) ?? 8000;
  }

  get policy(): string {
    return (this.get('policy') as string | undefined) ?? '';
  }

  /**
   * The settings for the server as one nested object: what the user set, and this editor's own defaults for features.
   * Untouched settings are left out, so that the project's own files keep their say.
   */
  forServer(): Record<string, unknown> {
    const configuration = vscode.workspace.getConfiguration();
    const values: Record<string, unknown> = {};
    for (const name of Object.keys(this.serverProperties)) {
      const found = configuration.inspect(name);
      const isSet =
        found?.globalValue !== undefined ||
        found?.workspaceValue !== undefined ||
        found?.workspaceFolderValue !== undefined;
      if (isSet || name.startsWith(`${SECTION}.features.`)) {
        values[name.slice(SECTION.length + 1)] = configuration.get(name);
      }
    }
    // The light bulb is this client's: two of them would show the same action twice.
    values['features.codeAction'] = false;
    return nest(values);
  }
}
