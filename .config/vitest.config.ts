import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  plugins: [react()],
  test: {
    // *.thorough.test.ts: whole matrices and long searches for faults; `npm run check` leaves them out, `npm test` runs them.
    include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', '.config/**/*.test.ts'],
    environment: 'node',
    // Vitest leaves one core free by default; on two cores that doubles the time.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
