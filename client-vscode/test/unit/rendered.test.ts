import * as assert from 'node:assert/strict';
import { whyNot } from '../../src/context/whyNot';
import { headings } from '../../src/view/headings';
import { examplePack } from './examples';

describe('headings of a rendered pack', () => {
  it('are found for every item, at the place they name', () => {
    const pack = examplePack();
    const rendered = pack.rendered ?? '';
    const found = headings(rendered, pack);
    assert.equal(found.length, pack.items.length);
    for (const { row, from, to, item } of found) {
      const line = rendered.split('\n')[row] ?? '';
      assert.match(line.slice(from, to), new RegExp(`:${item.lines.start}`));
    }
  });

  it('are not found inside code that looks like one', () => {
    const pack = examplePack();
    const [first, second] = pack.layout.map((id) => pack.items.find((item) => item.id === id));
    assert.ok(first && second);
    const fake = `### \`${second.path}:${second.lines.start}-${second.lines.end}\`\n`;
    first.content = fake + first.content;
    const rendered = `# x\n### \`${first.path}:${first.lines.start}-9\`\nfailure\n\`\`\`\n${first.content}\`\`\`\n${fake}`;
    pack.layout = [first.id, second.id];
    const rows = headings(rendered, pack).map((one) => one.row);
    assert.equal(rows[1], rendered.trimEnd().split('\n').length - 1);
  });
});

describe('why not', () => {
  const pack = examplePack();

  it('says what an item is for', () => {
    const [item] = pack.items;
    assert.ok(item);
    assert.ok(whyNot(pack, item.path, item.lines.start).includes(item.why));
  });

  it('says what kept an omission out', () => {
    const omission = { id: 'o', path: 'far.py', lines: { start: 3, end: 9 }, reason: 'search', source: 'bm25', score: 0.1, cost: 900, rank: 9, cause: 'budget', needs: 1200 } as const;
    const text = whyNot({ ...pack, omitted: [omission] }, 'far.py', 9);
    assert.match(text, /over the budget; 1,200 tokens more/);
  });

  it('says when nothing found it', () => {
    assert.match(whyNot(pack, 'nowhere.py', 1), /not found by any source/);
  });
});
