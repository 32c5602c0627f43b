import * as assert from 'node:assert/strict';
import { Turns } from '../../src/server/turns';

/** A change that notes its begin and its end, some ticks apart. */
function change(name: string, notes: string[]): () => Promise<void> {
  return async () => {
    notes.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    notes.push(`${name} ends`);
  };
}

describe('changes of the life of a server', () => {
  it('never run side by side', async () => {
    const [turns, notes] = [new Turns(), [] as string[]];
    await Promise.all([turns.take('start', change('start', notes)), turns.take('stop', change('stop', notes))]);
    assert.deepEqual(notes, ['start begins', 'start ends', 'stop begins', 'stop ends']);
  });

  it('are one when the same is asked for twice before it begins', async () => {
    const [turns, notes] = [new Turns(), [] as string[]];
    await Promise.all([turns.take('restart', change('first', notes)), turns.take('restart', change('second', notes))]);
    assert.deepEqual(notes, ['first begins', 'first ends']);
  });

  it('are two when the first has begun, for it may have read what has changed since', async () => {
    const [turns, notes] = [new Turns(), [] as string[]];
    let second: Promise<void> | undefined;
    await turns.take('restart', () => {
      second = turns.take('restart', change('second', notes));
      return Promise.resolve();
    });
    await second;
    assert.deepEqual(notes, ['second begins', 'second ends']);
  });

  it('keep their order when wishes alternate', async () => {
    const [turns, notes] = [new Turns(), [] as string[]];
    const names = ['start', 'stop', 'start'];
    await Promise.all(names.map((name) => turns.take(name, change(name, notes))));
    assert.deepEqual(notes.filter((note) => note.endsWith('begins')), names.map((name) => `${name} begins`));
  });

  it('go on after one that failed, which only its caller is told', async () => {
    const [turns, notes] = [new Turns(), [] as string[]];
    const failing = turns.take('start', () => Promise.reject(new Error('no')));
    const next = turns.take('stop', change('stop', notes));
    await assert.rejects(failing, /no/);
    await next;
    assert.deepEqual(notes, ['stop begins', 'stop ends']);
  });
});
