import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';
import type { Node } from '../../src/view/nodes';
import { api, open, typeError, until } from './editor';

describe('the context view', () => {
  let extension: Api;

  const group = (key: string): Node => {
    const node = extension.tree.getChildren().find((one) => one.key === key);
    assert.ok(node, `no ${key}`);
    return node;
  };
  const item = (symbol: string): Node => {
    const node = group('items').children.find((one) => one.item?.symbol === symbol);
    assert.ok(node, `no item ${symbol}`);
    return node;
  };
  const run = (command: string, node?: Node) => vscode.commands.executeCommand(`repoContext.${command}`, node);

  before(async () => {
    extension = await api();
    await typeError();
    await run('buildForProblems');
  });

  it('shows failures and items', () => {
    assert.equal(group('failures').children.length, 1);
    assert.equal(group('items').children.length, extension.store.pack?.items.length);
  });

  it('opens the exact range of an item', async () => {
    const node = item('priceOf');
    await run('openItem', node);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.ok(editor.document.uri.path.endsWith('src/prices.ts'));
    assert.equal(editor.selection.start.line + 1, node.item?.lines.start);
    assert.equal(editor.document.getText(editor.selection).trim(), node.item?.content.trim());
  });

  it('marks an item as changed by an edit and takes the mark back', async () => {
    const editor = await open('src/prices.ts');
    await editor.edit((change) => change.insert(new vscode.Position(6, 0), '  // edited\n'));
    await until('the mark', () => item('priceOf').description.includes('changed'));
    await vscode.commands.executeCommand('undo');
    await until('no mark', () => !item('priceOf').description.includes('changed'));
  });

  it('pins and unpins', async () => {
    await run('pinItem', item('priceOf'));
    const pinned = group('items').children.find((node) => node.contextValue === 'item pinned');
    assert.equal(pinned?.item?.path, 'src/prices.ts');
    assert.equal(pinned.item.reason, 'mention');
    await run('unpinItem', pinned);
    assert.ok(group('items').children.every((node) => node.contextValue === 'item'));
  });

  it('excludes a file', async () => {
    await run('excludeItem', item('receipt'));
    assert.ok(extension.store.pack?.items.every((one) => one.path !== 'src/checkout.ts'));
    await run('clearPinsAndExclusions');
    item('receipt');
  });

  it('expands an item to what encloses it', async () => {
    await run('expandItem', item('priceOf'));
    assert.ok(extension.store.pack?.items.some((one) => one.path === 'src/prices.ts'));
    await run('clearPinsAndExclusions');
  });

  it('copies the prompt', async () => {
    await run('copyAsPrompt');
    assert.equal(await vscode.env.clipboard.readText(), extension.store.pack?.rendered);
  });

  it('obeys a smaller budget, and says what did not fit', async () => {
    extension.store.choose({ budget: 300 });
    await run('refresh');
    assert.ok((extension.store.pack?.used ?? 0) <= 300);
    assert.ok(group('omitted').children.some((node) => node.omission?.cause === 'budget'));
    extension.store.choose({ budget: undefined });
    await run('refresh');
  });
});
