// Bundles the extension (default), its unit tests (--tests) or its extension-host tests (--host-tests).
import { globSync } from 'node:fs';
import { build } from 'esbuild';

const has = (flag) => process.argv.includes(flag);
const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };

if (has('--tests')) {
  await build({ ...common, entryPoints: globSync('test/unit/*.test.ts'), outdir: 'out/unit', external: ['mocha'], sourcemap: 'inline' });
} else if (has('--host-tests')) {
  await build({
    ...common,
    entryPoints: ['test/host/index.ts', ...globSync('test/host/*.test.ts')],
    outdir: 'out/host',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
  });
} else {
  await build({
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    minify: has('--production'),
    sourcemap: !has('--production'),
  });
}
