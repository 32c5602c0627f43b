// A workspace that nobody trusts yet must not choose what runs: its server command waits until trust is given.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log, scenario, workspace } from './workbench.mjs';

const mark = path.join(workspace, '..', 'ran');

function prepare() {
  const command = ['/bin/sh', '-c', `touch '${mark}'; exec '${process.env.SERVER_PROGRAM}'`];
  mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
  writeFileSync(path.join(workspace, '.vscode', 'settings.json'), JSON.stringify({ 'repoContext.server.command': command }));
}

await scenario(
  'trust',
  async (bench) => {
    const { page } = bench;
    await bench.statusBar('Restricted Mode').waitFor();
    await bench.ready();
    await bench.command('Repo Context: Show Status');
    await bench.editorText('setting interpreter');
    await bench.shot('restricted');
    if (existsSync(mark)) {
      throw new Error('the command of a workspace that is not trusted was run');
    }
    log('not run');
    await bench.command('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await bench.until('the trusted command to run', () => existsSync(mark));
    await bench.ready();
    await bench.command('Repo Context: Show Status');
    await bench.editorText('from the setting repoContext.server.command');
    await bench.shot('trusted');
  },
  { prepare },
);
