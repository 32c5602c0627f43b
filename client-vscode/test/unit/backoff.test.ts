import * as assert from 'node:assert/strict';
import { Backoff } from '../../src/server/backoff';

const rules = { firstDelay: 1000, maxCrashes: 4, window: 60_000 };

describe('starting again after a crash', () => {
  it('waits longer each time, then gives up', () => {
    const backoff = new Backoff(rules);
    assert.deepEqual([0, 1, 2, 3].map((at) => backoff.crashed(at)), [1000, 2000, 4000, undefined]);
  });

  it('forgets old crashes', () => {
    const backoff = new Backoff(rules);
    [0, 1, 2].forEach((at) => backoff.crashed(at));
    assert.equal(backoff.crashed(70_000), 1000);
  });

  it('begins anew after a restart by hand', () => {
    const backoff = new Backoff(rules);
    [0, 1, 2, 3].forEach((at) => backoff.crashed(at));
    backoff.reset();
    assert.equal(backoff.crashed(4), 1000);
  });
});
