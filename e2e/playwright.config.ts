import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { HostOptions } from './fixtures/test';

/** Debian's Chromium where it is installed; elsewhere the one that Playwright brings. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';

/** git with the built program, without any window: once is enough. */
const NO_WINDOW = /(?:git|kinds|setUp|digitsStory|killed|disks|hostileFilter)\.spec\.ts$/;

export default defineConfig<HostOptions>({
  testDir: './specs',
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '../.cache/e2e-results.json' }]],
  // The same journeys in both hosts; on a machine without Electron's program they are skipped there by name.
  projects: [
    { name: 'served', use: { hostKind: 'served' } },
    { name: 'electron', use: { hostKind: 'electron' }, testIgnore: NO_WINDOW },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
