import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';
import type { Node } from '../../src/view/nodes';
import { api, file, open, typeError, until } from './editor';

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

  it('follows an item that has moved, without calling it changed', async () => {
    const before = item('priceOf').target?.range.start.line ?? -1;
    const editor = await open('src/prices.ts');
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), '// a line above\n'));
    await until('the new place', () => item('priceOf').target?.range.start.line === before + 1);
    assert.doesNotMatch(item('priceOf').description, /changed/);
    await vscode.commands.executeCommand('undo');
    await until('the old place', () => item('priceOf').target?.range.start.line === before);
  });

  it('notices a change on disk of a file that is not open', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const uri = file('src/money.ts');
    const bytes = await vscode.workspace.fs.readFile(uri);
    const text = new TextDecoder().decode(bytes);
    await writeFile(uri.fsPath, text.replace('export function add(', 'export function add (').replace('export interface', 'export  interface'));
    await until('the mark', () => extension.store.stale.size > 0);
    await until('the status bar', () => extension.statusBar.text.includes('stale'));
    await writeFile(uri.fsPath, bytes);
    await until('no mark', () => extension.store.stale.size === 0);
  });

  it('hides reasons and says how many there are', () => {
    const total = group('items').children.length;
    extension.store.setHidden(['reference']);
    assert.ok(group('items').children.length < total);
    assert.match(group('items').description, new RegExp(`^\\d+ of ${total}$`));
    extension.store.setHidden([]);
  });

  it('copies one item', async () => {
    await run('copyItem', item('priceOf'));
    assert.equal(await vscode.env.clipboard.readText(), item('priceOf').item?.content);
  });

  it('obeys another ranking policy', async () => {
    extension.store.choose({ policy: 'tiered' });
    await run('refresh');
    assert.match(extension.store.pack?.policy ?? '', /^tiered/);
    extension.store.choose({ policy: undefined });
    await run('refresh');
    assert.match(extension.store.pack?.policy ?? '', /^fused/);
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
    const whole = item('priceOf');
    assert.ok(whole.item);
    const { lines } = whole.item;
    const part = { ...whole, item: { ...whole.item, lines: { start: lines.start + 2, end: lines.start + 3 } } };
    await run('expandItem', part);
    assert.deepEqual(extension.store.choices.pins, [{ path: 'src/prices.ts', lines }]);
    assert.equal(item('priceOf').item?.reason, 'mention');
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
