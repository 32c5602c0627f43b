// From no server to a pack by one click: Install makes a private environment from the wheel in the extension.
import { log, scenario } from './workbench.mjs';

await scenario('install-server', async (bench) => {
  const { page } = bench;
  await bench.open('cart.ts');
  await bench.notification('The Repo Context server was not found').getByRole('button', { name: 'Install', exact: true }).click();
  await bench.notification('Installing the Repo Context server').waitFor();
  await bench.shot('installing');
  await bench.ready(400_000);
  await page.locator('.squiggly-error').first().waitFor();
  await bench.command('Repo Context: Build Context for Problems');
  await bench.row('priceOf').waitFor();
  log('built');
  await bench.command('Repo Context: Show Status');
  await bench.editorText('private install');
  await bench.shot('installed');
});
