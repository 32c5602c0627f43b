/** Language-model tools: what a chat agent may call. Their schemas are in package.json. */
import * as vscode from 'vscode';
import { type BuildInput, buildParams } from './build/agentParams';
import type { Builder } from './build/builder';
import type { Sources } from './build/sources';
import type { RelatedResult, SearchResult } from './protocol';
import { ApplyEdits, Related, RepoMap, Search } from './requests';
import type { Server } from './server/server';

interface MapInput {
  focus?: string[];
  symbols?: string[];
  maxTokens?: number;
}

interface RelatedInput {
  symbol?: string;
  path?: string;
  startLine?: number;
  endLine?: number;
}

const result = (text: string) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

export function registerTools(server: Server, builder: Builder, sources: Sources): vscode.Disposable[] {
  return [
    tool<BuildInput>('repoContext_buildContext', 'Building context', async (input, token) => {
      const params = buildParams(input, () => sources.workspaceProblems().gather());
      if (params === undefined) {
        return 'The editor shows no errors. Give failureOutput, task, paths or symbols.';
      }
      return (await builder.request(params, token)).rendered ?? '';
    }),
    tool<MapInput>('repoContext_repoMap', 'Drawing the repo map', async (input, token) => {
      const budget = input.maxTokens === undefined ? {} : { budget: { maxTokens: input.maxTokens } };
      const mentions = (input.symbols ?? []).map((symbol) => ({ symbol }));
      return (await server.request(RepoMap, { focus: input.focus ?? [], mentions, ...budget }, token)).rendered;
    }),
    tool<{ query: string; limit?: number }>('repoContext_searchCode', 'Searching code', async (input, token) =>
      searchText(await server.request(Search, { query: input.query, limit: input.limit ?? 20 }, token)),
    ),
    tool<RelatedInput>('repoContext_relatedCode', 'Looking up related code', async (input, token) => {
      const start = input.startLine;
      const lines = start === undefined ? {} : { lines: { start, end: input.endLine ?? start } };
      const target = { ...(input.symbol ? { symbol: input.symbol } : {}), ...(input.path ? { path: input.path } : {}), ...lines };
      return relatedText(await server.request(Related, target, token));
    }),
    vscode.lm.registerTool<{ edits: string }>('repoContext_applyEdits', {
      prepareInvocation: ({ input }) => ({
        invocationMessage: 'Applying edits',
        confirmationMessages: {
          title: 'Apply edits to the workspace',
          message: new vscode.MarkdownString().appendCodeblock(input.edits),
        },
      }),
      invoke: async ({ input }, token) => {
        const answer = await server.request(ApplyEdits, { edits: input.edits }, token);
        const applied = await vscode.workspace.applyEdit(await server.toWorkspaceEdit(answer.edit));
        return result(applied ? `Applied to ${(answer.files ?? []).join(', ') || 'the workspace'}.` : 'Nothing was applied: a file changed meanwhile.');
      },
    }),
  ];
}

// The type ties a tool's input to its schema in package.json.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
function tool<T extends object>(
  name: string,
  message: string,
  run: (input: T, token: vscode.CancellationToken) => Promise<string>,
): vscode.Disposable {
  return vscode.lm.registerTool<T>(name, {
    prepareInvocation: () => ({ invocationMessage: message }),
    invoke: async ({ input }, token) => result(await run(input, token)),
  });
}

function searchText({ hits }: SearchResult): string {
  const blocks = hits.map(({ path, lines, symbol, matches }) =>
    [`${path}:${lines.start}-${lines.end}${symbol ? ` ${symbol}` : ''}`, ...matches.map((one) => `  ${one.line}: ${one.text.trim()}`)].join('\n'),
  );
  return blocks.join('\n') || 'Nothing found.';
}

function relatedText({ items }: RelatedResult): string {
  return (
    items
      .map(({ relation, path, lines, symbol, why }) => `${relation}: ${path}:${lines.start}-${lines.end}${symbol ? ` ${symbol}` : ''}${why ? ` (${why})` : ''}`)
      .join('\n') || 'Nothing found.'
  );
}
