import tseslint from 'typescript-eslint';

/** Only what Biome cannot see because it needs types: promises that nobody waits for. */
export default tseslint.config({
  files: ['{shared,electron,renderer,e2e,bench}/**/*.{ts,tsx}'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      project: ['shared/tsconfig.json', 'electron/tsconfig.json', 'renderer/tsconfig.json', '.config/tsconfig.tests.json'],
      tsconfigRootDir: `${import.meta.dirname}/..`,
    },
  },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: { '@typescript-eslint/no-floating-promises': 'error', '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }] },
});
