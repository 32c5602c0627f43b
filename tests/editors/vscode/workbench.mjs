// Drives the real workbench in Chromium. What a scenario needs comes in the environment:
// URL, WORKSPACE, SHOTS (folder for screenshots), CLIENT (the extension's folder), CHROMIUM.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const { URL: url, WORKSPACE: workspace, SHOTS: shots, CLIENT: client, CHROMIUM: executablePath } = process.env;
const { chromium } = createRequire(path.join(client, 'package.json'))('playwright-core');
export { url, workspace };

const TIMEOUT = 60_000;
const started = Date.now();
export const log = (...words) => console.log(`[${Date.now() - started} ms]`, ...words);

/** The workbench of one window, with the words tests use. */
export class Workbench {
  constructor(page, name) {
    this.page = page;
    this.name = name;
  }

  async shot(label) {
    mkdirSync(shots, { recursive: true });
    await this.page.screenshot({ path: path.join(shots, `${this.name}-${label}.png`) });
    log('screenshot', label);
  }

  /** Runs a command from the palette by its full title. */
  async command(title) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    await this.pick('F1', `>${title}`, row);
  }

  /** Opens a quick input, types and chooses; again when an earlier quick input was still closing. */
  async pick(key, text, row) {
    const timeout = 5000;
    await this.until(`to choose ${text}`, async () => {
      try {
        await this.page.keyboard.press(key);
        await this.page.locator('.quick-input-widget input').first().fill(text, { timeout });
        await row.click({ timeout });
        return true;
      } catch {
        await this.page.keyboard.press('Escape');
        return false;
      }
    });
  }

  /** Opens a file through quick open. */
  async open(file) {
    await this.pick('Control+P', file, this.page.locator('.quick-input-list .monaco-list-row', { hasText: path.basename(file) }).first());
    await this.page.locator('.tab.active', { hasText: path.basename(file) }).waitFor();
  }

  editorText(text) {
    return this.page.locator('.editor-instance .view-lines', { hasText: text }).first().waitFor();
  }

  row(text) {
    return this.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  }

  /** Opens a row of a tree, whatever it was. */
  async expand(text) {
    await this.until(`${text} to open`, async () => {
      const row = this.row(text);
      if ((await row.getAttribute('aria-expanded')) === 'true') {
        return true;
      }
      await row.click();
      await this.page.waitForTimeout(300);
      return (await row.getAttribute('aria-expanded')) === 'true';
    });
  }

  notification(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  statusBar(text) {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  /** Waits until the extension's server runs and its index is ready. */
  async ready(timeout = TIMEOUT) {
    const item = this.page.locator('.statusbar-item[id="repo-context.repo-context.repoContext.status"]');
    await item.locator('.codicon-layers').waitFor({ timeout });
    log('server ready');
  }

  /** Opens the quick fix menu at the cursor until it offers `title`; other extensions may still be starting. */
  async quickFix(title) {
    const action = this.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
    await this.until(`quick fix ${title}`, async () => {
      await this.page.keyboard.press('Control+.');
      const shown = await action.waitFor({ timeout: 5000 }).then(() => true, () => false);
      if (!shown) {
        await this.page.keyboard.press('Escape');
      }
      return shown;
    });
    return action;
  }

  /** What the workbench had to say, after a failure. */
  async lastWords() {
    await this.shot('failed');
    await this.page.keyboard.press('Escape');
    await this.command('Notifications: Show Notifications');
    const shown = this.page.locator('.notifications-center .notification-list-item');
    await shown.first().waitFor({ timeout: 3000 });
    console.error((await shown.allInnerTexts()).join('\n'));
  }

  /** Waits until `probe` gives a true value; for what has no element to wait for. */
  async until(what, probe, timeout = TIMEOUT) {
    const end = Date.now() + timeout;
    for (;;) {
      const value = await probe();
      if (value) {
        return value;
      }
      if (Date.now() > end) {
        throw new Error(`timeout: ${what}`);
      }
      await this.page.waitForTimeout(100);
    }
  }
}

/** Runs one scenario; exit code 1 and a last screenshot when it fails. */
export async function scenario(name, run, { viewport = { width: 1400, height: 900 }, prepare } = {}) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  let bench;
  try {
    const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    bench = new Workbench(page, name);
    await prepare?.(page);
    await page.goto(`${url}/?folder=${workspace}`);
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    log('workbench');
    await run(bench);
    log('passed');
  } catch (error) {
    console.error(error instanceof Error ? error.stack : String(error));
    process.exitCode = 1;
    await bench?.lastWords().catch(() => undefined);
  } finally {
    await browser.close();
  }
}
