// What is built, from what, and how. Every bundle holds all the libraries that it needs: nothing of node_modules is shipped.
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Replaced by the hosts with the nonce of each answer; `electron/transport/staticFiles.ts` knows the same word. */
const NONCE_PLACEHOLDER = 'THETA_CSP_NONCE';

/**
 * @typedef {object} Bundle
 * @property {string} name also the folder under `dist/`
 * @property {Readonly<Record<string, string>>} entries output name (without extension) to source
 * @property {readonly string[]} sources folders whose files decide whether it has to be built again
 * @property {string} main file under its folder that must exist afterwards
 * @property {boolean} [compiled] whether what the engine makes of it is stored beside it, in production
 * @property {(outDir: string, mode: 'production' | 'development') => import('vite').InlineConfig} config
 */

/** What git and every worker wait for is read sooner without its comments and spaces; names stay, for messages about errors. */
const COMPACT = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/** @type {readonly Bundle[]} */
export const bundles = [
  nodeBundle('main', { main: 'electron/main.ts' }),
  nodeBundle('preload', { preload: 'electron/preload.ts' }),
  nodeBundle('cli', { theta: 'electron/cli/theta.ts', run: 'electron/cli/run.ts', serve: 'electron/serve.ts' }, COMPACT),
  nodeBundle('filter', { filter: 'electron/cli/filter.ts' }, COMPACT),
  nodeBundle('worker', { worker: 'electron/workers/worker.ts', serveTasks: 'electron/workers/serveTasks.ts' }, COMPACT),
  {
    name: 'renderer',
    entries: { index: 'renderer/index.html' },
    sources: ['renderer', 'shared', 'assets/icons'],
    main: 'index.html',
    config: rendererConfig,
  },
];

/**
 * CommonJS, which node loads sooner than as many files that are ES modules: every command waits for that.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} entries
 * @param {typeof COMPACT} [compact] in production
 * @returns {Bundle}
 */
function nodeBundle(name, entries, compact) {
  return {
    name,
    entries,
    sources: ['electron', 'shared'],
    main: `${Object.keys(entries)[0]}.cjs`,
    compiled: compact !== undefined,
    config: (outDir, mode) => ({
      ...common(mode),
      ssr: { noExternal: true, target: 'node' },
      build: {
        outDir,
        emptyOutDir: true,
        ssr: true,
        target: 'node20',
        minify: false,
        copyPublicDir: false,
        reportCompressedSize: false,
        rolldownOptions: {
          input: absolute(entries),
          external: ['electron', /^node:/, ...builtinModules],
          output: {
            format: 'cjs',
            entryFileNames: '[name].cjs',
            chunkFileNames: '[name]-[hash].cjs',
            ...(compact === undefined || mode === 'development' ? {} : { minify: compact }),
          },
        },
      },
    }),
  };
}

/**
 * @param {string} outDir
 * @param {'production' | 'development'} mode
 * @returns {import('vite').InlineConfig}
 */
function rendererConfig(outDir, mode) {
  return {
    ...common(mode),
    root: join(root, 'renderer'),
    plugins: [react(), ...(mode === 'development' ? [reloadScript()] : [])],
    html: { cspNonce: NONCE_PLACEHOLDER },
    // Libraries that add a style element ask get-nonce, which looks for this global: they find the nonce of the page.
    define: { __webpack_nonce__: `document.querySelector('meta[property="csp-nonce"]')?.nonce` },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: mode === 'production',
      // The policy has no `data:` for fonts and scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: absolute({ index: 'renderer/index.html' }) },
    },
  };
}

/**
 * In development the page looks whether it was built anew; by polling, which needs nothing of the host.
 *
 * @returns {import('vite').Plugin}
 */
function reloadScript() {
  const code = `let seen;
setInterval(async () => {
  const generation = await fetch('/generation.txt').then((answer) => (answer.ok ? answer.text() : seen), () => seen);
  if (seen !== undefined && generation !== seen) location.reload();
  seen = generation;
}, 500);`;
  return {
    name: 'reload',
    transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: '/reload.js' }, injectTo: 'head' }],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'reload.js', source: code });
      this.emitFile({ type: 'asset', fileName: 'generation.txt', source: '0' });
    },
  };
}

/**
 * @param {'production' | 'development'} mode
 * @returns {import('vite').InlineConfig}
 */
function common(mode) {
  return { root, configFile: false, envDir: false, mode, logLevel: 'silent', cacheDir: join(root, '.cache', 'vite') };
}

/** @param {Readonly<Record<string, string>>} entries */
function absolute(entries) {
  return Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)]));
}
