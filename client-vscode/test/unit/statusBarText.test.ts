import * as assert from 'node:assert/strict';
import { statusBarText } from '../../src/view/statusBarText';
import { examplePack } from './examples';

const status = (state: string, files: number, pendingFiles: number) => ({ state, files, pendingFiles, revision: 1 });

describe('the status bar', () => {
  it('counts down while files are indexed', () => {
    const { text, tooltip } = statusBarText('running', status('indexing', 500, 1500), undefined, 0);
    assert.match(text, /sync~spin.*indexing 1,500/);
    assert.equal(tooltip, '1,500 of 2,000 files are still to be indexed');
  });

  it('turns while the files are looked for', () => {
    assert.match(statusBarText('running', status('scanning', 0, 0), undefined, 0).text, /sync~spin/);
  });

  it('says what the pack costs, and that it is stale', () => {
    const pack = examplePack();
    assert.match(statusBarText('running', status('ready', 5, 0), pack, 0).text, /[\d,]+ tokens$/);
    assert.match(statusBarText('running', undefined, pack, 1).text, /stale$/);
  });

  it('warns only when there is no server or none any more', () => {
    const warns = (['stopped', 'starting', 'running', 'restarting', 'missing', 'failed'] as const).filter(
      (state) => statusBarText(state, undefined, undefined, 0).warns,
    );
    assert.deepEqual(warns, ['missing', 'failed']);
  });
});
