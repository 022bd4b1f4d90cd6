import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, test } from '../fixtures/test';

// A CommonJS module whose names Node does not see from the outside.
const { onnx } = createRequire(import.meta.url)('onnx-proto') as typeof import('onnx-proto');
const CHECKPOINTS = join(import.meta.dirname, '../fixtures/digits/checkpoints');

/** Follows a link to the graphs of two files. */
async function showFiles(page: Page, a: string, b: string): Promise<void> {
  await page.evaluate(
    (sides) => {
      const repository = /#repo=[^&]*/.exec(window.location.hash)?.[0] ?? '';
      window.location.hash = `${repository}&view=graph&a=${encodeURIComponent(`file:${sides.a}`)}&b=${encodeURIComponent(`file:${sides.b}`)}&graphs=both`;
    },
    { a, b },
  );
}

function partsOf(page: Page) {
  return {
    list: page.getByRole('listbox', { name: 'List of changes' }),
    view: page.getByRole('region', { name: 'Graph', exact: true }),
    a: page.getByRole('application', { name: /^Graph of A/ }),
    b: page.getByRole('application', { name: /^Graph of B/ }),
  };
}

test('v2 of the digits against v0: other values alone, measured, exported, and the same again by its link', async ({ openFixture, hostKind }) => {
  test.skip(hostKind === 'electron', 'a download asks where to in a native dialog');
  const { page, workspace } = await openFixture('digits');
  const { list, view, a, b } = partsOf(page);
  await workspace.chooseCheckpoint('model.onnx');
  await page.keyboard.press('Control+4');
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await page.getByRole('menuitem', { name: 'Another version, or a file…' }).click();
  await page.getByRole('option', { name: /^v0/ }).click();
  await expect(a).toBeVisible();
  await expect(b).toBeVisible();
  await expect(view).toContainText(/with other values/);
  await expect(view).not.toContainText(/operators? added/);

  await list.getByRole('option', { name: /classifier\.weight/ }).click();
  const panel = page.getByRole('region', { name: 'Compared operator' });
  await expect(panel).toContainText('/classifier/Gemm');
  await expect(panel).toContainText('Largest |Δ|');

  await page.getByRole('button', { name: 'Export the changes of the graph' }).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Values as JSON' }).click()]);
  const json = JSON.parse(await readFile(await saved.path(), 'utf8')) as { changes: { what: string; change: string; name: string; norm: number }[] };
  // A second program: the official schema, and the norm by hand.
  const weight = json.changes.find(({ name }) => name === 'classifier.weight');
  expect(weight).toMatchObject({ what: 'initializer', change: 'value' });
  expect(weight?.norm).toBeCloseTo(await normBetween('01_init.onnx', '10_drop_aux.onnx', 'classifier.weight'), 3);

  await page.reload();
  await expect(b).toBeVisible();
  // Back is one graph again, not what was there before the repository.
  await page.goBack();
  await expect(page.getByRole('application', { name: 'Graph of model.onnx' })).toBeVisible();
  await page.goForward();
  await expect(b).toBeVisible();
  await page.getByRole('button', { name: 'One graph' }).click();
  await expect(page.getByRole('application', { name: 'Graph of model.onnx' })).toBeVisible();
});

/** Euclidean norm of the difference, from the raw bytes that the official schema reads. */
async function normBetween(first: string, second: string, name: string): Promise<number> {
  const [x, y] = await Promise.all([first, second].map((file) => floatsOf(join(CHECKPOINTS, file), name)));
  return Math.sqrt([...(x ?? [])].reduce((sum, value, at) => sum + ((y?.[at] ?? 0) - value) ** 2, 0));
}

async function floatsOf(path: string, name: string): Promise<Float32Array> {
  const model = onnx.ModelProto.decode(await readFile(path));
  const raw = model.graph?.initializer?.find((tensor) => tensor.name === name)?.rawData ?? new Uint8Array();
  return new Float32Array(Uint8Array.from(raw).buffer);
}

/** The digits with a Softmax after their output. */
async function withSoftmax(folder: string): Promise<string> {
  const model = onnx.ModelProto.decode(await readFile(join(CHECKPOINTS, '09_aux.onnx')));
  model.graph?.node?.push(onnx.NodeProto.create({ name: '/head/Softmax', opType: 'Softmax', input: ['logits'], output: ['probabilities'] }));
  model.graph?.output?.push(onnx.ValueInfoProto.create({ ...model.graph.output[0], name: 'probabilities' }));
  const path = join(folder, 'softmax.onnx');
  await writeFile(path, onnx.ModelProto.encode(model).finish());
  return path;
}

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme, contextOptions: { reducedMotion: 'reduce' } });

    test('an operator that was added is gone to by key, in both graphs; axe finds nothing', async ({ openFixture, folder }) => {
      const { page } = await openFixture('digits');
      const { list, view, a } = partsOf(page);
      await showFiles(page, join(CHECKPOINTS, '09_aux.onnx'), await withSoftmax(folder));
      await expect(view).toContainText('1 operator added, 1 output added.');
      await page.getByRole('button', { name: 'Close all groups' }).click();
      await page.keyboard.press('F8');
      await page.keyboard.press('F8');
      await expect(list.getByRole('option', { selected: true })).toContainText('Softmax /head/Softmax');
      await expect(page.getByRole('region', { name: 'Compared operator' })).toContainText('only in B');
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole('combobox', { name: 'View' }).selectOption('Overlaid');
      await expect(a).toHaveCount(0);
      await expect(page.getByRole('application', { name: /^Graphs of A and B/ })).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);

      await showFiles(page, join(CHECKPOINTS, '09_aux.pt'), join(CHECKPOINTS, '09_aux.onnx'));
      await expect(page.getByText('Only two ONNX models have graphs to compare')).toBeVisible();
      await showFiles(page, join(CHECKPOINTS, '08_branch_noise.onnx'), join(CHECKPOINTS, '09_aux.onnx'));
      await expect(view).toContainText('4 initializers changed, 4 with other values.');
    });
  });
}
