// With agentTools "mcp" the editor lists the server's MCP side; by default it does not, so that no tool shows twice.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log, scenario, workspace } from './workbench.mjs';

async function listed(bench) {
  await bench.command('MCP: List Servers');
  const picker = bench.page.locator('.quick-input-widget');
  await picker.locator('.monaco-list-row', { hasText: 'Add Server' }).waitFor();
  const rows = await picker.locator('.monaco-list-row').allInnerTexts();
  await bench.page.keyboard.press('Escape');
  return rows.some((row) => row.includes('Repo Context'));
}

await scenario('mcp-server', async (bench) => {
  await bench.open('cart.ts');
  await bench.ready();
  if (await listed(bench)) {
    throw new Error('the MCP server is listed beside the tools');
  }
  log('not listed by default');
  mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
  writeFileSync(path.join(workspace, '.vscode', 'settings.json'), JSON.stringify({ 'repoContext.agentTools': 'mcp' }));
  await bench.until('the MCP server to be listed', () => listed(bench));
  await bench.command('MCP: List Servers');
  await bench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Repo Context' }).waitFor();
  await bench.shot('listed');
});
