import tseslint from 'typescript-eslint';

/** Only what Biome cannot see because it needs types: promises that nobody waits for. */
export default tseslint.config({
  files: ['{shared,electron,renderer,e2e,bench}/**/*.{ts,tsx}'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      // One program for all roots: their own four would each type the same files again. Which globals a root may use, tsc itself holds.
      project: ['.config/tsconfig.lint.json'],
      tsconfigRootDir: `${import.meta.dirname}/..`,
    },
  },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: { '@typescript-eslint/no-floating-promises': 'error' },
});
