// No server anywhere: one message with an Install button and a command to copy, the same in the view.
import { log, scenario } from './workbench.mjs';

await scenario('no-server', async (bench) => {
  const { page } = bench;
  await bench.notification('The Repo Context server was not found').waitFor();
  await bench.statusBar('no server').waitFor();
  await bench.command('View: Show Repo Context');
  await page.locator('.pane-body .welcome-view-content', { hasText: 'was not found' }).waitFor();
  await bench.shot('message');
  await bench.notification('was not found').getByRole('button', { name: 'Copy Command' }).click();
  const copied = await bench.until('the command on the clipboard', () => page.evaluate(() => navigator.clipboard.readText()));
  if (!/pip install/.test(copied)) {
    throw new Error(`copied: ${copied}`);
  }
  log('copied', copied);
  await bench.command('Repo Context: Show Status');
  await bench.editorText('Server: missing');
});
