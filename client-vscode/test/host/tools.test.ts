import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { api, file, open, typeError } from './editor';

async function invoke(name: string, input: object): Promise<string> {
  const token = new vscode.CancellationTokenSource().token;
  const answer = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return answer.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('tools of language models', () => {
  before(async () => {
    await api();
    await typeError();
  });

  it('are all there, once', () => {
    const names = vscode.lm.tools.map((tool) => tool.name).filter((name) => name.startsWith('repoContext_'));
    assert.deepEqual(names.sort(), ['applyEdits', 'buildContext', 'relatedCode', 'repoMap', 'searchCode'].map((name) => `repoContext_${name}`));
  });

  it('build a context from the problems when nothing is named', async () => {
    assert.match(await invoke('repoContext_buildContext', {}), /export function total/);
  });

  it('obey the budget of a call', async () => {
    assert.ok((await invoke('repoContext_buildContext', { task: 'priceOf', maxTokens: 300 })).length < 1500);
  });

  it('draw a map', async () => {
    assert.match(await invoke('repoContext_repoMap', {}), /priceOf/);
  });

  it('search', async () => {
    assert.match(await invoke('repoContext_searchCode', { query: 'price of article' }), /src\/prices\.ts/);
  });

  it('find related code', async () => {
    assert.match(await invoke('repoContext_relatedCode', { symbol: 'priceOf' }), /src\/cart\.ts/);
  });

  it('apply edits, whole or not at all', async () => {
    const block = (search: string) => `src/checkout.ts\n<<<<<<< SEARCH\n${search}\n=======\n/** What is due, as text. */\n>>>>>>> REPLACE\n`;
    await assert.rejects(invoke('repoContext_applyEdits', { edits: block('/** Not there. */') }));
    await invoke('repoContext_applyEdits', { edits: block('/** What a customer pays, as text. */') });
    const { document } = await open('src/checkout.ts');
    assert.match(document.getText(), /What is due, as text/);
    await vscode.commands.executeCommand('undo');
    await document.save();
  });

  it('find exact definitions through the other language servers, never through this one', async () => {
    const { resolver } = await api();
    const { document } = await open('src/cart.ts');
    const position = document.positionAt(document.getText().indexOf('priceOf(line'));
    const { definitions } = await resolver.resolve(
      { positions: [{ uri: document.uri.toString(), position }], deadlineMs: 20_000 },
      new vscode.CancellationTokenSource().token,
    );
    const [found] = definitions[0]?.locations ?? [];
    assert.equal(found?.uri, file('src/prices.ts').toString());
    assert.equal(definitions[0]?.locations.length, 1);
  });

  it('give up on definitions at the deadline', async () => {
    const { resolver } = await api();
    const { document } = await open('src/cart.ts');
    const { definitions } = await resolver.resolve(
      { positions: [{ uri: document.uri.toString(), position: { line: 12, character: 20 } }], deadlineMs: 0 },
      new vscode.CancellationTokenSource().token,
    );
    assert.equal(definitions.length, 1);
  });
});
