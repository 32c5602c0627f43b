import * as assert from 'node:assert/strict';
import { discover, type Machine } from '../../src/server/discovery';

const machine = (change: Partial<Machine> = {}): Machine => ({
  serverCommand: [],
  interpreter: '',
  selectedPython: () => Promise.resolve(undefined),
  hasPackage: () => Promise.resolve(true),
  onPath: () => Promise.resolve(undefined),
  privatePython: () => Promise.resolve(undefined),
  ...change,
});

const everything: Partial<Machine> = {
  serverCommand: ['/opt/server', '--flag'],
  interpreter: '/opt/python',
  selectedPython: () => Promise.resolve('/venv/bin/python'),
  onPath: () => Promise.resolve('/usr/bin/repo-context-lsp'),
  privatePython: () => Promise.resolve('/private/bin/python'),
};

describe('finding the server', () => {
  it('takes the first of setting, interpreter, selected environment, PATH and private install', async () => {
    const left: Partial<Machine> = { ...everything };
    const origins: (string | undefined)[] = [];
    const steps: [keyof Machine, unknown][] = [
      ['serverCommand', []],
      ['interpreter', ''],
      ['selectedPython', () => Promise.resolve(undefined)],
      ['onPath', () => Promise.resolve(undefined)],
      ['privatePython', () => Promise.resolve(undefined)],
    ];
    for (const [name, nothing] of steps) {
      origins.push((await discover(machine(left))).found?.origin);
      Object.assign(left, { [name]: nothing });
    }
    assert.deepEqual(origins, ['setting', 'interpreter', 'python-environment', 'path', 'private-install']);
    assert.equal((await discover(machine(left))).found, undefined);
  });

  it('passes over an interpreter without the package, and says so', async () => {
    const { found, log } = await discover(
      machine({ ...everything, serverCommand: [], hasPackage: (python) => Promise.resolve(python !== '/opt/python') }),
    );
    assert.equal(found?.command, '/venv/bin/python');
    assert.ok(log.some((line) => line.includes('/opt/python (cannot import lsp_server)')), log.join('\n'));
  });

  it('keeps the workspace off the import path', async () => {
    const { found } = await discover(machine({ interpreter: '/opt/python' }));
    assert.deepEqual(found?.args, ['-P', '-m', 'lsp_server']);
  });

  it('logs every place it looked at', async () => {
    const { log } = await discover(machine());
    assert.equal(log.length, 5);
  });
});
