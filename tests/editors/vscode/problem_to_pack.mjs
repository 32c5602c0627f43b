// An error of the TypeScript server, the light bulb on it, the pack on screen and the view filled.
import { log, scenario } from './workbench.mjs';

await scenario('problem-to-pack', async (bench) => {
  const { page } = bench;
  await bench.open('cart.ts');
  await page.locator('.squiggly-error').first().waitFor();
  log('error shown');
  await bench.ready();

  await page.locator('.view-line', { hasText: 'priceOf(line.article' }).getByText('count', { exact: true }).click();
  const action = await bench.quickFix('Build context for this problem');
  await bench.shot('light-bulb');
  await action.click();

  await page.locator('.tab.active, .tab', { hasText: 'Context Pack.md' }).waitFor();
  await bench.editorText('src/cart.ts:');
  log('pack shown');
  await bench.row('Failures').waitFor();
  await bench.row('Items').waitFor();
  await bench.shot('pack');

  await bench.command('Repo Context: Build Context for Problems');
  await bench.row('▱').waitFor();
  await bench.shot('all-problems');
});
