// A server that ends at once is started again a few times, then one message says so; a mended setting is enough to go on.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log, scenario, workspace } from './workbench.mjs';

const settings = path.join(workspace, '.vscode', 'settings.json');
const write = (values) => {
  mkdirSync(path.dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify(values));
};

await scenario(
  'crashing-server',
  async (bench) => {
    const { page } = bench;
    await bench.statusBar('Context: stopped').waitFor({ timeout: 90_000 });
    const message = bench.notification('stopped several times');
    await message.waitFor();
    if ((await page.locator('.notification-toast').count()) !== 1) {
      throw new Error('more than one message');
    }
    await bench.command('View: Show Repo Context');
    await page.locator('.pane-body .welcome-view-content', { hasText: 'server stopped' }).waitFor();
    await bench.shot('given-up');
    log('given up');
    write({});
    await bench.ready();
    await page.locator('.pane-body .welcome-view-content', { hasText: 'Nothing has been built yet' }).waitFor();
    await bench.shot('empty');
    log('works again');
  },
  { prepare: () => write({ 'repoContext.server.command': ['/bin/false'] }) },
);
