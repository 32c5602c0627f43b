// The context view as a user sees it: tooltip, range of an item, pin, staleness, budget, filter; light, dark, narrow.
import { log, scenario } from './workbench.mjs';

await scenario('context-view', async (bench) => {
  const { page } = bench;
  await bench.open('cart.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await bench.ready();
  await bench.command('Repo Context: Build Context for Problems');
  await bench.row('priceOf').waitFor();
  await page.locator('.editor-instance .detected-link').first().waitFor(); // headings lead to the code
  await page.locator('.editor-instance .mtkb').nth(2).waitFor(); // and are coloured
  await bench.shot('light');

  await bench.row('priceOf').hover();
  await page.locator('.monaco-hover', { hasText: 'score part' }).first().waitFor();
  await bench.shot('tooltip');

  await bench.row('priceOf').click();
  await page.locator('.tab.active', { hasText: 'prices.ts' }).waitFor();
  await bench.editorText('throw new Error');
  log('item opened');

  await page.locator('.view-line', { hasText: 'const cents' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' // edited');
  await bench.row('item has changed').waitFor();
  await bench.statusBar('Context: stale').waitFor();
  await bench.shot('stale');
  await bench.until('the mark to go', async () => {
    await page.keyboard.press('Control+Z');
    return (await bench.row('item has changed').count()) === 0;
  });
  log('stale mark came and went');

  await bench.row('receipt').hover();
  await bench.row('receipt').getByRole('button', { name: 'Pin', exact: true }).click();
  await bench.row('pinned').waitFor();
  log('pinned');

  await bench.command('Repo Context: Set Budget');
  const other = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Other' });
  await other.click();
  const input = page.locator('.quick-input-widget input').first();
  await page.locator('.quick-input-widget', { hasText: 'Budget in tokens' }).waitFor();
  await input.fill('450');
  await page.keyboard.press('Enter');
  await bench.row('/ 450').waitFor();
  await bench.expand('Omitted');
  await bench.row('· budget').waitFor();
  await bench.shot('small-budget');

  await bench.command('Preferences: Toggle between Light/Dark Themes');
  await page.locator('.monaco-workbench.vs-dark').waitFor();
  await bench.until('the last part to turn dark', () =>
    page.evaluate(() => {
      const colour = getComputedStyle(document.querySelector('.part.statusbar')).backgroundColor;
      return colour.match(/\d+/g).slice(0, 3).every((part) => Number(part) < 128);
    }),
  );
  await bench.shot('dark');

  const sash = page.locator('.monaco-sash.vertical').nth(1);
  const box = await sash.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(230, box.y + 200, { steps: 5 });
  await page.mouse.up();
  await bench.shot('narrow');
  await bench.command('Preferences: Toggle between Light/Dark Themes');
  await bench.command('Repo Context: Clear Pins and Exclusions');
});
