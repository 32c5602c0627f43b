// With agentTools "mcp" the editor lists the server's MCP side, by default it does not, so that no tool shows twice; and the
// how-to page's mcp.json works without the extension's help. Either is started from the list, and its tools are read.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log, scenario, workspace } from './workbench.mjs';

const folder = path.join(workspace, '.vscode');
const page = path.join(process.env.CLIENT, '..', 'docs', 'how-to', 'agent-panels.md');

/** The page's `.vscode/mcp.json`, with the full path of the server under test. */
function mcpJson() {
  const [, block] = /\*\*VS Code\*\*.*?```json\n(.*?)```/s.exec(readFileSync(page, 'utf8'));
  const config = JSON.parse(block);
  config.servers.repoContext.command = process.env.SERVER_PROGRAM;
  return JSON.stringify(config);
}

await scenario('mcp-server', async (bench) => {
  const rows = bench.page.locator('.quick-input-widget .monaco-list-row');
  const list = () =>
    bench.until('the list of servers', async () => {
      await bench.command('MCP: List Servers');
      return rows.filter({ hasText: 'Add Server' }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
    });
  const isListed = async (name) => {
    await list();
    const texts = await rows.allInnerTexts();
    await bench.page.keyboard.press('Escape');
    await rows.first().waitFor({ state: 'hidden' });
    return texts.some((text) => text.includes(name));
  };
  const start = async (name, channel) => {
    // The list closes when something else takes the focus, as a file that is read again may.
    await bench.until(`a click on ${name}`, async () => {
      await list();
      return rows.filter({ hasText: name }).first().click({ timeout: 5000 })
        .then(() => rows.filter({ hasText: 'Start Server' }).first().click({ timeout: 5000 }))
        .then(() => true, () => false);
    });
    await bench.page.locator('.output-view .view-line', { hasText: 'Discovered 9 tools' }).first().waitFor();
    await bench.shot(channel);
    log('started', name);
  };

  await bench.open('cart.ts');
  await bench.ready();
  if (await isListed('Repo Context')) {
    throw new Error('the MCP server is listed beside the tools');
  }
  log('not listed by default');

  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ 'repoContext.agentTools': 'mcp' }));
  await bench.until('the MCP server to be listed', () => isListed('Repo Context'));
  await start('Repo Context', 'started');

  writeFileSync(path.join(folder, 'settings.json'), '{}');
  writeFileSync(path.join(folder, 'mcp.json'), mcpJson());
  await bench.until('the server of mcp.json to be listed', () => isListed('repoContext'));
  await start('repoContext', 'mcp-json');
});
