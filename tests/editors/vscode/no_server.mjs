// No server anywhere: one message with an Install button and a command to copy, the same in the view. From there one click
// makes a private environment from the wheel in the extension, and a pack can be built.
import { log, scenario } from './workbench.mjs';

await scenario('no-server', async (bench) => {
  const { page } = bench;
  const message = bench.notification('The Repo Context server was not found');
  await message.waitFor();
  await message.getByRole('button', { name: 'Install', exact: true }).waitFor();
  await bench.statusBar('no server').waitFor();
  await bench.command('View: Show Repo Context');
  const welcome = page.locator('.pane-body .welcome-view-content', { hasText: 'was not found' });
  await welcome.waitFor();
  await bench.shot('message');
  await message.getByRole('button', { name: 'Copy Command' }).click();
  const copied = await bench.until('the command on the clipboard', () => page.evaluate(() => navigator.clipboard.readText()));
  if (!/pip install .*\.whl/.test(copied)) {
    throw new Error(`copied: ${copied}`);
  }
  log('copied', copied);
  await bench.command('Repo Context: Show Status');
  await bench.editorText('Server: missing');

  await page.locator('.pane-body .monaco-button', { hasText: 'Install the Server' }).click();
  await bench.notification('Installing the Repo Context server').waitFor();
  await bench.shot('installing');
  await bench.ready(400_000);
  await bench.open('cart.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await bench.command('Repo Context: Build Context for Problems');
  await bench.row('priceOf').waitFor();
  log('built');
  await bench.command('Repo Context: Show Status');
  await bench.editorText('private install');
  await bench.shot('installed');
});
