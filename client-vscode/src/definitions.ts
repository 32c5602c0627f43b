/** Answers the server's `context/resolveDefinition` from the language servers that already run in this window. */
import * as vscode from 'vscode';
import type { Location, ResolveDefinitionParams, ResolveDefinitionResult } from './protocol';

const DEFAULT_DEADLINE = 80;
const PROVIDER = 'vscode';

type Found = vscode.Location | vscode.LocationLink;

export class DefinitionResolver {
  private running = 0;

  /** True while definitions are being asked for: this extension's own provider stays silent then. */
  get busy(): boolean {
    return this.running > 0;
  }

  async resolve(params: ResolveDefinitionParams, token: vscode.CancellationToken): Promise<ResolveDefinitionResult> {
    const late = new Promise<undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), params.deadlineMs ?? DEFAULT_DEADLINE);
      token.onCancellationRequested(() => {
        clearTimeout(timer);
        resolve(undefined);
      });
    });
    const one = async (uri: string, line: number, character: number) => {
      const found = await Promise.race([this.ask(vscode.Uri.parse(uri), new vscode.Position(line, character)), late]);
      return { provider: PROVIDER, locations: (found ?? []).map(location) };
    };
    const definitions = await Promise.all(
      params.positions.map(({ uri, position }) => one(uri, position.line, position.character)),
    );
    return { definitions };
  }

  private async ask(uri: vscode.Uri, position: vscode.Position): Promise<Found[]> {
    this.running += 1;
    try {
      return await vscode.commands.executeCommand<Found[]>('vscode.executeDefinitionProvider', uri, position);
    } catch {
      // Another extension's provider failed: as good as no answer.
      return [];
    } finally {
      this.running -= 1;
    }
  }
}

function location(found: Found): Location {
  const [uri, range] =
    'targetUri' in found ? [found.targetUri, found.targetSelectionRange ?? found.targetRange] : [found.uri, found.range];
  return {
    uri: uri.toString(),
    range: {
      start: { line: range.start.line, character: range.start.character },
      end: { line: range.end.line, character: range.end.character },
    },
  };
}
