// The commands as a user meets them: search as one types, map, why not, status, task, filter, policy, walkthrough.
import { log, scenario } from './workbench.mjs';

await scenario('commands', async (bench) => {
  const { page } = bench;
  const picker = page.locator('.quick-input-widget');
  const rows = picker.locator('.monaco-list-row');
  await bench.open('cart.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await bench.ready();

  await bench.command('Repo Context: Search Code');
  await picker.getByPlaceholder('Words, identifiers').waitFor();
  await picker.locator('input').first().pressSequentially('price of art', { delay: 40 });
  await rows.filter({ hasText: 'priceOf' }).first().waitFor();
  await bench.shot('search');
  await picker.locator('input').first().fill('qqqq zzzz');
  await rows.filter({ hasText: 'Nothing found' }).first().waitFor();
  await picker.locator('input').first().fill('receipt');
  await rows.filter({ hasText: 'checkout.ts:3' }).first().click();
  await page.locator('.tab.active', { hasText: 'checkout.ts' }).waitFor();
  await bench.editorText('due.currency');
  log('searched');

  await bench.command('Repo Context: Build Context for Task');
  await picker.locator('input').first().fill('Let priceOf know discounts');
  await page.keyboard.press('Enter');
  await page.locator('.pane-body .message', { hasText: 'Built from task: Let priceOf know discounts' }).waitFor();
  await bench.row('priceOf').waitFor();
  log('built for a task');

  await bench.open('checkout.ts');
  await page.locator('.view-line', { hasText: 'export function receipt' }).getByText('receipt', { exact: true }).first().click();
  await bench.command('Repo Context: Show Why Not');
  await bench.notification('src/checkout.ts').waitFor();
  log('why:', (await bench.notification('src/checkout.ts').innerText()).split('\n')[0]);
  await bench.shot('why-not');
  await bench.command('Notifications: Clear All Notifications');

  await bench.open('cart.ts');
  await bench.command('Repo Context: Build Context for Problems in This File');
  await bench.row('total').waitFor();
  await bench.command('Repo Context: Filter by Reason');
  await picker.getByText('Reasons to show').waitFor();
  await rows.filter({ hasText: 'reference' }).first().click();
  await page.keyboard.press('Enter');
  await bench.until('the references to be hidden', async () => (await bench.row('Items').innerText()).includes(' of '));
  await bench.shot('filtered');
  await bench.command('Repo Context: Filter by Reason');
  await rows.filter({ hasText: 'reference' }).first().click();
  await page.keyboard.press('Enter');
  await bench.until('all to be shown', async () => !(await bench.row('Items').innerText()).includes(' of '));
  log('filtered');

  await bench.command('Repo Context: Set Ranking Policy');
  await rows.filter({ hasText: 'fused' }).filter({ hasText: 'now' }).first().waitFor();
  await rows.filter({ hasText: 'tiered' }).first().click();
  await bench.until('the other policy', async () => {
    await bench.command('Repo Context: Set Ranking Policy');
    const chosen = await rows.filter({ hasText: 'tiered' }).filter({ hasText: 'now' }).first().waitFor({ timeout: 3000 }).then(() => true, () => false);
    await page.keyboard.press('Escape');
    return chosen;
  });
  log('another policy');

  await bench.command('Repo Context: Open Repo Map');
  await page.locator('.tab', { hasText: 'Repo Map.txt' }).waitFor();
  await bench.editorText('priceOf');
  await bench.shot('map');

  await bench.command('Repo Context: Reindex');
  await bench.ready();
  await bench.statusBar('Context').click();
  await page.locator('.tab', { hasText: 'Repo Context Status.md' }).waitFor();
  await bench.editorText('Index: ready');
  await bench.shot('status');

  await bench.command('Welcome: Open Walkthrough...');
  await rows.filter({ hasText: 'Start with Repo Context' }).first().click();
  const step = page.locator('.getting-started-step', { hasText: 'Build a context pack' }).first();
  await step.click();
  await step.getByRole('button', { name: 'Build Context for Problems' }).click();
  await step.locator('.codicon-getting-started-step-checked').waitFor();
  await bench.shot('walkthrough');
});
