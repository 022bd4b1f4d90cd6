// `npm run bench -- [--only history,open,export] [--repeat 3]`: builds the product and the bench, then measures.
import { spawnSync } from 'node:child_process';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build as viteBuild } from 'vite';
import { build } from './build.mjs';
import { root } from './bundles.mjs';

await build({ only: ['cli', 'filter', 'worker'], log: (line) => console.error(line) });
await viteBuild({
  root,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  cacheDir: join(root, '.cache', 'vite'),
  ssr: { noExternal: true, target: 'node' },
  build: {
    outDir: join(root, 'dist', 'bench'),
    emptyOutDir: true,
    ssr: true,
    target: 'node20',
    minify: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: join(root, 'bench', 'index.ts'), child: join(root, 'bench', 'child.ts') },
      external: [/^node:/, ...builtinModules],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
const { status } = spawnSync(process.execPath, [join(root, 'dist', 'bench', 'index.js'), ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
