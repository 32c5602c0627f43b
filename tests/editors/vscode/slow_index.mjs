// A workspace that takes a while to index: the status bar counts, a pack built meanwhile says that it is not whole yet.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { log, scenario, workspace } from './workbench.mjs';

const FILES = 6000; // many times what is indexed while a command is typed

function fill() {
  const folder = path.join(workspace, 'src', 'generated-parts');
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < FILES; number += 1) {
    const functions = Array.from({ length: 40 }, (_, one) => `export function part${number}_${one}(value: number): number {\n  return value * ${one} + other${one}(value);\n}\n`);
    writeFileSync(path.join(folder, `part${number}.ts`), functions.join('\n'));
  }
  writeFileSync(path.join(workspace, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, noEmit: true }, files: ['src/checkout.ts'] }));
}

await scenario(
  'slow-index',
  async (bench) => {
    await bench.statusBar('Context: indexing').waitFor();
    log('status bar:', await bench.statusBar('Context: indexing').innerText());
    await bench.command('Repo Context: Build Context for Task');
    await bench.page.locator('.quick-input-widget input').first().fill('priceOf');
    await bench.page.keyboard.press('Enter');
    await bench.row('not indexed yet').waitFor();
    await bench.shot('built-halfway');
    await bench.ready();
    await bench.command('Repo Context: Refresh Context');
    await bench.until('a whole pack', async () => (await bench.row('not indexed yet').count()) === 0);
    log('whole');
  },
  { prepare: fill },
);
