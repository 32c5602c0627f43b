import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContextPack } from '../../src/protocol';
import { PACK_URI } from '../../src/view/packDocument';
import { api, file, open, typeError, until } from './editor';

const build = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<ContextPack | undefined>(`repoContext.${command}`, ...args);

describe('building', () => {
  before(async () => {
    await api();
    await typeError();
  });

  it('packs the failing function and what it calls, for the problems of the workspace', async () => {
    const pack = await build('buildForProblems');
    assert.ok(pack);
    assert.equal(pack.missingCritical, false);
    const symbols = pack.items.map((item) => item.symbol);
    assert.ok(symbols.includes('total') && symbols.includes('priceOf'), symbols.join());
  });

  it('has exact definitions from the TypeScript server', async () => {
    // A late answer leaves the syntactic index alone, and another source may give the item its name: the score's parts
    // of some build tell who found it.
    await until('an answer in time', async () => {
      const pack = await build('buildForProblems');
      const item = pack?.items.find((one) => one.symbol === 'priceOf');
      return item?.source === 'lsp:vscode' || 'lsp:vscode' in (item?.parts ?? {});
    });
  });

  it('shows the pack as a read-only document', async () => {
    await build('buildForProblems');
    const document = await vscode.workspace.openTextDocument(PACK_URI);
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /export function total/);
    const before = document.getText();
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), before);
  });

  it('links the headings of the pack to the code', async () => {
    const pack = await build('buildForProblems');
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', PACK_URI);
    assert.equal(links.filter((link) => link.target?.scheme === 'file').length, pack?.items.length);
  });

  it('is offered by the light bulb on a problem', async () => {
    const error = await typeError();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', file('src/cart.ts'), error.range);
    const ours = actions.filter((action) => action.title.startsWith('Build context for this problem'));
    assert.equal(ours.length, 1);
    const [action] = ours;
    const pack = await vscode.commands.executeCommand<ContextPack>(action?.command?.command ?? '', ...((action?.command?.arguments ?? []) as unknown[]));
    assert.equal(pack.failures.length, 1);
  });

  it('reads test output from the clipboard', async () => {
    await vscode.env.clipboard.writeText('src/prices.ts(9,11): error TS2304: Cannot find name "cents".');
    const pack = await build('buildFromTestOutput');
    assert.ok(pack?.items.some((item) => item.path === 'src/prices.ts' && item.symbol === 'priceOf'));
  });

  it("reads a test's message, plain or Markdown, as the test view hands it over", async () => {
    const text = 'src/prices.ts(9,11): error TS2304: Cannot find name "cents".';
    for (const message of [text, new vscode.MarkdownString(text)]) {
      const pack = await build('buildForTestMessage', { message: new vscode.TestMessage(message) });
      assert.equal(pack?.failures.length, 1);
      assert.ok(pack.items.some((item) => item.path === 'src/prices.ts' && item.reason === 'failure'));
    }
  });

  it("reads the terminal's selection, and leaves the clipboard as it was", async () => {
    const shown = new vscode.EventEmitter<string>();
    const pty: vscode.Pseudoterminal = {
      onDidWrite: shown.event,
      open: () => shown.fire('src/money.ts(13,1): error TS2304: Cannot find name "sum".\r\n'),
      close: () => undefined,
    };
    const terminal = vscode.window.createTerminal({ name: 'test run', pty });
    terminal.show();
    await vscode.env.clipboard.writeText('nothing of interest');
    await until('the selection', async () => {
      await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
      const pack = await build('buildFromTestOutput');
      return pack?.items.some((item) => item.path === 'src/money.ts' && item.reason === 'failure');
    });
    terminal.dispose();
    assert.equal(await vscode.env.clipboard.readText(), 'nothing of interest');
  });

  it('gives way to a newer build without a complaint', async () => {
    const [first, second] = await Promise.all([build('buildForTask', 'priceOf'), build('buildForTask', 'receipt')]);
    assert.equal(first, undefined);
    assert.equal((await api()).store.source?.title, 'task: receipt');
    assert.ok(second);
  });

  it('takes a task', async () => {
    const pack = await build('buildForTask', 'let priceOf know discounts');
    assert.ok(pack?.items.some((item) => item.symbol === 'priceOf'));
  });

  it('takes a selection as required', async () => {
    const editor = await open('src/checkout.ts');
    editor.selection = new vscode.Selection(3, 0, 6, 1);
    const pack = await build('buildForSelection');
    assert.ok(pack?.items.some((item) => item.path === 'src/checkout.ts' && item.reason === 'mention'), JSON.stringify(pack?.items.map((item) => [item.id, item.reason])));
  });

  it('uses the unsaved text', async () => {
    const editor = await open('src/cart.ts');
    const line = editor.document.lineAt(10);
    await editor.edit((change) => change.insert(line.range.end, ' // not saved yet'));
    const pack = await build('buildForFile', file('src/cart.ts'));
    await vscode.commands.executeCommand('undo');
    assert.ok(pack?.items.some((item) => item.content.includes('not saved yet') && item.origin === 'buffer'));
  });
});
