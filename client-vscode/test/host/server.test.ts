import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Status } from '../../src/requests';
import { api, file, typeError, until } from './editor';

/** The server's process: a child of this extension host. */
function serverPids(): number[] {
  const rows = execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-A'], { encoding: 'utf8' }).split('\n');
  return rows.flatMap((row) => {
    const [pid, parent, ...args] = row.trim().split(/\s+/);
    const isOurs = Number(parent) === process.pid && /lsp_server|repo-context-lsp/.test(args.join(' '));
    return isOurs ? [Number(pid)] : [];
  });
}

describe('the server', () => {
  it('says its status', async () => {
    const { server } = await api();
    const status = await until('the index', async () => {
      const now = await server.request(Status, {});
      return now.phase === 'ready' && now;
    });
    assert.equal(status.files, 5);
    assert.equal(status.languages.typescript, 4);
  });

  it('says how far indexing is, while it indexes', async () => {
    const { server, statusBar } = await api();
    const seen: string[] = [];
    const listening = server.onDidChangeStatus(() => seen.push(statusBar.text));
    await mkdir(file('many').fsPath);
    for (let number = 0; number < 400; number += 1) {
      await writeFile(file(`many/file${number}.ts`).fsPath, `export function made${number}(): number {\n  return ${number};\n}\n`.repeat(20));
    }
    await vscode.commands.executeCommand('repoContext.reindexWorkspace');
    await until('all is indexed', async () => (await server.request(Status, {})).files === 405);
    await until('the count is over', () => !statusBar.text.includes('sync'));
    assert.ok(seen.some((text) => /indexing \d+/.test(text)), seen.join('; '));
    await rm(file('many').fsPath, { recursive: true });
    await vscode.commands.executeCommand('repoContext.reindexWorkspace');
    await until('they are gone', async () => (await server.request(Status, {})).files === 5);
    listening.dispose();
  });

  it('leaves definitions to others by default', async () => {
    const { document } = (await typeError(), vscode.window.activeTextEditor ?? assert.fail('no editor'));
    const found = await vscode.commands.executeCommand<unknown[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      document.positionAt(document.getText().indexOf('priceOf(line')),
    );
    assert.equal(found.length, 1);
  });

  it('is started again after a crash, and works', async () => {
    const { server } = await api();
    const [pid] = serverPids();
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    await until('the crash is noticed', () => server.state !== 'running');
    await until('it runs again', () => server.state === 'running');
    assert.notEqual(serverPids()[0], pid);
    const pack = await vscode.commands.executeCommand('repoContext.buildForProblems');
    assert.ok(pack);
  });

  it('leaves no process behind when it is stopped', async () => {
    const { server } = await api();
    await server.stop();
    await until('no process', () => serverPids().length === 0);
    await server.start();
    await until('it runs again', () => server.state === 'running');
  });

  it('is one process after two reasons to restart at once, as when trust is given', async () => {
    const { server } = await api();
    const before = serverPids();
    await Promise.all([server.restart(), server.restart(), server.stop(), server.restart()]);
    await until('it runs again', () => server.state === 'running');
    await until('one process', () => serverPids().length === 1);
    assert.ok(!before.includes(serverPids()[0] ?? -1));
    const status = await server.request(Status, {});
    assert.ok(status.files >= 0);
  });
});
