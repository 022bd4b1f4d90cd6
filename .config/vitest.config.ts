import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { isolatedTests } from './scripts/isolatedTests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const THOROUGH = '**/*.thorough.test.ts';
/** Whose tests hold much memory at times. */
const NUMBERS = 'electron/{encodings,formats,onnx,tensors,updates,workers}/**/*.test.ts';
const isolated = isolatedTests(root, ['shared', 'electron', 'renderer', '.config']);

/** Files that share processes and modules: each module is read once for all files that a process runs, which is a third of the work. */
function together(name: string, include: string[], exclude: string[] = []) {
  return { extends: true as const, test: { name, include, exclude: [...configDefaults.exclude, THOROUGH, ...isolated, ...exclude], isolate: false } };
}

export default defineConfig({
  root,
  plugins: [react()],
  test: {
    environment: 'node',
    // Vitest leaves one core free by default; on two cores that doubles the time.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    projects: [
      together('numbers', [NUMBERS]),
      // Apart from the former: to start git from a process that has grown to a gigabyte takes 25 ms, from a small one less than one.
      together('quick', ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', '.config/**/*.test.ts'], [NUMBERS]),
      { extends: true, test: { name: 'isolated', include: isolated, exclude: [...configDefaults.exclude, THOROUGH] } },
      // Whole matrices and long searches for faults; `npm run check` leaves them out, `npm test` runs them.
      { extends: true, test: { name: 'thorough', include: [`{shared,electron,renderer,.config}/${THOROUGH}`] } },
    ],
  },
});
