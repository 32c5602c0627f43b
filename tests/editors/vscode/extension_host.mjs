// Runs the extension's mocha tests inside the real extension host. A built workbench takes no test path from its URL, so
// the page's own configuration is given `developmentOptions` before the workbench reads it.
import path from 'node:path';
import { log, scenario } from './workbench.mjs';

const extension = process.env.CLIENT;

let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});

async function prepare(page) {
  await page.exposeFunction('codeAutomationExit', (code) => finish(code));
  await page.exposeFunction('codeAutomationLog', () => undefined);
  page.on('console', (message) => {
    const at = message.text().indexOf('TEST ');
    if (at >= 0) {
      console.log(message.text().slice(at, at + 1500));
    }
  });
  const tests = path.join(extension, 'out', 'host', 'index.js');
  await page.addInitScript(
    ([extensionPath, testsPath]) => {
      const original = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = original.call(this, name);
        if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration') {
          return value;
        }
        const configuration = JSON.parse(value);
        const uri = (file) => ({ $mid: 1, scheme: 'vscode-remote', authority: location.host, path: file });
        configuration.developmentOptions = {
          ...configuration.developmentOptions,
          extensions: [uri(extensionPath)],
          extensionTestsPath: uri(testsPath),
        };
        return JSON.stringify(configuration);
      };
    },
    [extension, tests],
  );
}

await scenario(
  'extension-host',
  async () => {
    const code = await finished;
    log('exit code', code);
    if (code !== 0) {
      throw new Error('tests failed in the extension host');
    }
  },
  { prepare },
);
