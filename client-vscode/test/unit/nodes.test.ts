import * as assert from 'node:assert/strict';
import { bar, escapeMarkdown, inlineCode, type Node, rootNodes, type ViewState } from '../../src/view/nodes';
import { examplePack } from './examples';

const state = (change: Partial<ViewState> = {}): ViewState => ({
  title: 'problems in the workspace',
  stale: new Set(),
  moved: new Map(),
  hidden: new Set(),
  isPinned: () => false,
  ...change,
});

const find = (nodes: readonly Node[], key: string): Node => {
  const found = nodes.find((node) => node.key === key);
  assert.ok(found, `no node ${key}`);
  return found;
};

const all = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...all(node.children)]);

describe('the context view', () => {
  it('shows budget, failures, items and omitted, in this order', () => {
    const keys = rootNodes(examplePack(), state()).map((node) => node.key);
    assert.deepEqual(keys.filter((key) => ['budget', 'failures', 'items', 'omitted'].includes(key)), ['budget', 'failures', 'items', 'omitted']);
  });

  it('has one node an item, in rank order, with its cost and place', () => {
    const pack = examplePack();
    const { children } = find(rootNodes(pack, state()), 'items');
    assert.deepEqual(children.map((node) => node.item?.rank), pack.items.map((item) => item.rank));
    children.forEach((node, index) => {
      assert.ok(node.description.includes(String(pack.items[index]?.cost)), node.description);
      assert.deepEqual(node.target?.range, pack.items[index]?.range);
    });
  });

  it('links each failure to its items', () => {
    const pack = examplePack();
    const { children } = find(rootNodes(pack, state()), 'failures');
    assert.deepEqual(
      children.map((node) => node.children.map((child) => child.item?.id)),
      pack.failures.map((failure) => failure.items),
    );
  });

  it('gives every node a key of its own', () => {
    const keys = all(rootNodes(examplePack(), state())).map((node) => node.key);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('marks items that have changed, and says so above', () => {
    const pack = examplePack();
    const id = pack.items[0]?.id ?? '';
    const roots = rootNodes(pack, state({ stale: new Set([id]) }));
    assert.match(find(roots, 'stale').label, /1 item has changed/);
    const node = find(find(roots, 'items').children, `item/${id}`);
    assert.equal(node.icon, 'warning');
    assert.match(node.description, /changed/);
  });

  it('opens an item that has moved where it stands now, and does not call it changed', () => {
    const pack = examplePack();
    const id = pack.items[0]?.id ?? '';
    const roots = rootNodes(pack, state({ moved: new Map([[id, { start: 41, end: 43 }]]) }));
    const node = find(find(roots, 'items').children, `item/${id}`);
    assert.deepEqual(node.target?.range, { start: { line: 40, character: 0 }, end: { line: 43, character: 0 } });
    assert.match(`${node.label} ${node.description}`, /41-43/);
    assert.doesNotMatch(node.description, /changed/);
  });

  it('says what a reader must know of a pack that is not whole', () => {
    const pack = examplePack();
    const freshness = { ...pack.freshness, pendingFiles: 1, staleDocuments: ['a.ts'], degraded: ['the cache is read-only'] };
    const labels = rootNodes({ ...pack, items: [], failuresLeftOut: { limit: 3 }, freshness }, state()).map((node) => node.label);
    for (const said of [/^Nothing was found/, /^3 more failures/, /^Problems of 1 file are older/, /^1 file was not indexed yet/, /^Works in part: the cache/]) {
      assert.ok(labels.some((label) => said.test(label)), `${said}: ${labels.join('; ')}`);
    }
  });

  it('hides reasons without hiding how many there are', () => {
    const pack = examplePack();
    const items = find(rootNodes(pack, state({ hidden: new Set(['failure'] as const) })), 'items');
    assert.ok(items.children.every((node) => node.item?.reason !== 'failure'));
    assert.match(items.description, new RegExp(`of ${pack.items.length}$`));
  });

  it('offers to unpin what is pinned', () => {
    const pack = examplePack();
    const items = find(rootNodes(pack, state({ isPinned: (path) => path === pack.items[0]?.path })), 'items');
    assert.equal(items.children[0]?.contextValue, 'item pinned');
  });

  it('warns when the failing code is missing', () => {
    const pack = { ...examplePack(), missingCritical: true };
    find(rootNodes(pack, state()), 'missing-critical');
  });

  it('opens nothing for what the privacy rules keep back', () => {
    const pack = examplePack();
    pack.omitted = [{ id: 'x', path: '.env', lines: { start: 1, end: 1 }, reason: 'search', source: 'bm25', score: 0, cost: null, rank: null, cause: 'policy' }];
    const node = find(rootNodes(pack, state()), 'omitted').children[0];
    assert.equal(node?.target, undefined);
    assert.equal(node?.contextValue, 'withheld');
  });
});

describe('the budget bar', () => {
  it('is empty at nothing, full at the budget and never longer', () => {
    assert.equal(bar(0, 100), '▱'.repeat(10));
    assert.equal(bar(100, 100), '▰'.repeat(10));
    assert.equal(bar(500, 100), '▰'.repeat(10));
    assert.equal(bar(5, 0), '▱'.repeat(10));
    assert.equal(bar(3, 100), '▰' + '▱'.repeat(9));
    assert.equal(bar(54, 100), '▰'.repeat(5) + '▱'.repeat(5));
  });
});

describe('Markdown in tooltips', () => {
  it('keeps what is quoted as code, and only that', () => {
    assert.equal(inlineCode('definition of `a_b`, called on *line* 3'), 'definition of `a_b`, called on \\*line\\* 3');
    assert.equal(inlineCode('one ` alone'), 'one \\` alone');
  });

  it('is shown as it is', () => {
    assert.equal(escapeMarkdown('[x](command:evil) `a`\n<b>'), '\\[x\\]\\(command:evil\\) \\`a\\` \\<b\\>');
  });
});
