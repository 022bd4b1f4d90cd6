// `npm run screenshots`: the pictures of the README, taken from the real program with the sample open.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from './build.mjs';
import { root } from './bundles.mjs';
import { findChromium } from './installChromium.mjs';

/** Wide enough for three columns, and high enough for all groups of the sample: rows out of sight are not there to be clicked. */
const SIZE = { width: 1920, height: 1080 };

const executablePath = findChromium();
if (executablePath === null) throw new Error('There is no Chromium; npm test installs one.');
await build();
const data = await mkdtemp(join(tmpdir(), 'theta-screenshots-'));
const folder = join(root, 'assets', 'screenshots');
await mkdir(folder, { recursive: true });
const host = spawn(process.execPath, [join(root, 'dist', 'cli', 'theta.cjs'), 'serve', '--port', '0'], {
  env: { ...process.env, THETA_DATA: data },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  /** @type {string} */
  const address = await new Promise((resolve, reject) => {
    host.stdout.on('data', (chunk) => {
      const found = /http:\/\/\S+/.exec(String(chunk));
      if (found !== null) resolve(found[0]);
    });
    host.once('exit', () => reject(new Error('the served host ended')));
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'] });
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
    await page.goto(address);
    // The page is signed in by now; the address without a place starts at Welcome.
    await page.goto(new URL(address).origin);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    const history = page.getByRole('treegrid', { name: 'Commit history' });
    await history.getByRole('row').filter({ hasText: 'LoRA' }).click();
    await page.getByRole('treegrid', { name: 'Parameter groups' }).getByRole('row').last().click();
    await page.getByRole('img', { name: 'Heat map of fc1.weight' }).waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `history-${colorScheme}.png`) });

    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Parameters' }).click();
    const story = page.getByRole('region', { name: 'Story of the parameter group' });
    await story.getByRole('img', { name: /^Norm\. norm: 4 versions/ }).waitFor();
    await story.getByRole('img', { name: /^Heat map of fc1\.weight/ }).waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `parameters-${colorScheme}.png`) });

    await views.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Compare with parent' }).click();
    await page
      .getByRole('treegrid', { name: 'Compared groups' })
      .getByRole('row', { name: /^fc1\.weight/ })
      .click();
    await page.getByRole('img', { name: 'Heat map of the difference of fc1.weight' }).waitFor();
    await page.getByRole('img', { name: 'Spectrum of the difference of fc1.weight' }).waitFor();
    await page.getByText('1 of 18 groups changed').waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `compare-${colorScheme}.png`) });

    await views.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('navigation', { name: 'Repository' })
      .getByRole('button', { name: /^model\.onnx/ })
      .click();
    await history.getByRole('row').filter({ hasText: 'Train on digits' }).click();
    await views.getByRole('button', { name: 'Graph' }).click();
    await page.getByRole('treegrid', { name: 'Groups and operators' }).getByRole('row', { name: /^Gemm/ }).first().click();
    await page.getByRole('img', { name: 'Histogram of fc1.weight' }).waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `graph-${colorScheme}.png`) });
    await page.close();
  }
  await browser.close();
} finally {
  host.kill();
  await rm(data, { recursive: true, force: true });
}
