import * as assert from 'node:assert/strict';
import { type ContextPack, type LineRange, type Range, REASONS, SCHEMA_VERSION } from '../../src/protocol';
import { examplePack } from './examples';

const KINDS: Record<keyof Omit<ContextPack, 'rendered' | 'failuresLeftOut'>, string> = {
  schema: 'number',
  items: 'array',
  layout: 'array',
  omitted: 'array',
  failures: 'array',
  used: 'number',
  overhead: 'number',
  budget: 'number',
  ceiling: 'number',
  truncated: 'boolean',
  missingCritical: 'boolean',
  missingRequired: 'array',
  policy: 'string',
  counter: 'string',
  fingerprint: 'string',
  sources: 'object',
  unresolved: 'object',
  freshness: 'object',
  timings: 'object',
};

const kind = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

function agree(lines: LineRange, range: Range): boolean {
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
  return range.start.line === lines.start - 1 && last === lines.end;
}

describe('the pack of the shared examples', () => {
  const pack = examplePack();

  it('has every field with its type', () => {
    for (const [name, wanted] of Object.entries(KINDS)) {
      assert.equal(kind(pack[name as keyof ContextPack]), wanted, name);
    }
    assert.equal(pack.schema, SCHEMA_VERSION);
  });

  it('has lines and ranges that agree', () => {
    for (const item of pack.items) {
      assert.ok(agree(item.lines, item.range), item.id);
    }
  });

  it('adds up', () => {
    const costs = pack.items.reduce((sum, item) => sum + item.cost, 0);
    assert.equal(pack.used, pack.overhead + costs);
    assert.ok(pack.used <= pack.ceiling);
  });

  it('lays out each item once', () => {
    assert.deepEqual([...pack.layout].sort(), pack.items.map((item) => item.id).sort());
    assert.deepEqual(pack.items.map((item) => item.rank), [...pack.items.map((item) => item.rank)].sort((a, b) => a - b));
  });

  it('names known reasons, and items that are there', () => {
    const ids = new Set(pack.items.map((item) => item.id));
    for (const one of [...pack.items, ...pack.omitted]) {
      assert.ok(REASONS.includes(one.reason), one.reason);
    }
    for (const id of pack.failures.flatMap((failure) => failure.items)) {
      assert.ok(ids.has(id), id);
    }
  });
});
