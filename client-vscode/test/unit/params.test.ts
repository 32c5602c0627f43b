import * as assert from 'node:assert/strict';
import { buildParams } from '../../src/build/agentParams';
import { escapeGlob } from '../../src/glob';
import { nest } from '../../src/nest';

const problems = () => ({ diagnostics: [] });

describe('what an agent asks for', () => {
  it('is the editor\'s problems when it names nothing', () => {
    assert.deepEqual(buildParams({}, problems), problems());
  });

  it('is only what it names, unless it asks for the problems too', () => {
    assert.deepEqual(buildParams({ task: 'do it' }, problems), { task: 'do it' });
    assert.deepEqual(buildParams({ task: 'do it', useProblems: true }, problems), { task: 'do it', ...problems() });
  });

  it('names files and symbols as mentions', () => {
    assert.deepEqual(buildParams({ paths: ['a.py'], symbols: ['f'] }, problems), { mentions: [{ path: 'a.py' }, { symbol: 'f' }] });
  });

  it('is nothing without problems or with blanks alone', () => {
    assert.equal(buildParams({ task: '  ' }, () => undefined), undefined);
  });

  it('carries the budget', () => {
    assert.deepEqual(buildParams({ task: 'x', maxTokens: 0 }, problems), { task: 'x', budget: { maxTokens: 0 } });
  });
});

describe('a path as a glob', () => {
  it('matches nothing but itself', () => {
    assert.equal(escapeGlob('app/[id]/*.ts'), 'app/[[]id[]]/[*].ts');
  });
});

describe('settings for the server', () => {
  it('are nested by their dots', () => {
    assert.deepEqual(nest({ 'a.b': 1, 'a.c': [2], d: true }), { a: { b: 1, c: [2] }, d: true });
  });
});
