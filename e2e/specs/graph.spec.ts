import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, test } from '../fixtures/test';
import { GraphPage } from '../pages/graphPage';

test.use({ viewport: { width: 1440, height: 1000 } });

test('shows the graph of a model at a version, folded and unfolded, by keys and by pointer', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.onnx');
  await workspace.chooseCommit('Train on digits');
  const graph = new GraphPage(page);
  await graph.open();
  await expect(page).toHaveURL(/view=graph/);

  // The model itself.
  const model = graph.details('Model');
  await expect(model).toContainText('Opsetsai.onnx 17');
  await expect(model).toContainText('float32[batch, 1, 8, 8]');

  // Down along the edges, through open groups.
  await graph.drawing.focus();
  for (const words of [
    /^image, input/,
    /^group encoder, 6 operators/,
    /^group stem/,
    /^Conv, \/encoder\/stem\/conv\/Conv/,
    /^Relu, \/encoder\/stem\/Relu/,
    /^MaxPool/,
  ]) {
    await page.keyboard.press('ArrowDown');
    await expect(graph.chosen).toHaveText(words);
  }
  await expect(graph.details('Operator')).toContainText('kernel_shape');
  // Up from it stands the open group; Escape closes it, and Enter opens it again.
  await page.keyboard.press('ArrowUp');
  await expect(graph.chosen).toHaveText(/^group stem/);
  const open = graph.details('Group').getByRole('button', { name: 'Open the group' });
  await page.keyboard.press('Escape');
  await expect(open).toBeVisible();
  await expect(graph.chosen).toHaveText(/^group stem/);
  await page.keyboard.press('Enter');
  await expect(graph.details('Group').getByRole('button', { name: 'Close the group' })).toBeVisible();

  // An operator by the outline, its weight's values at this version, and on to what feeds it.
  await graph.row(/^Gemm/).first().click();
  await expect(graph.chosen).toHaveText(/^Gemm, \/fc1\/Gemm, 8\.3 k parameters/);
  const operator = graph.details('Operator');
  await expect(operator).toContainText('transB');
  await expect(operator.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();
  await operator.getByRole('button', { name: /^\/Flatten_output_0/ }).click();
  await expect(graph.chosen).toHaveText(/^Flatten/);

  // The file of the working tree has values of its own.
  await page.getByRole('combobox', { name: 'File' }).selectOption('Working tree');
  await expect(page.getByRole('button', { name: 'Working tree', exact: true })).toBeVisible();
  await graph.row(/^Gemm/).first().click();
  await expect(operator.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();
  await page.getByRole('combobox', { name: 'File' }).selectOption('Selected commit');
  await operator.getByRole('button', { name: /^\/Flatten_output_0/ }).click();
  await expect(graph.chosen).toHaveText(/^Flatten/);

  // Another version: what was chosen stays chosen.
  await page.keyboard.press('Control+1');
  await workspace.chooseCommit('Random initialisation');
  await page.keyboard.press('Control+4');
  await expect(graph.chosen).toHaveText(/^Flatten/);
  await page.reload();
  await expect(graph.drawing).toBeVisible();
});

test('finds operators by text, expression and path, in closed groups too', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.onnx');
  const graph = new GraphPage(page);
  await graph.open();
  await page.getByRole('button', { name: 'Close all groups' }).click();
  await expect(page.getByRole('button', { name: 'Open all groups' })).toBeVisible();
  await graph.drawing.focus();
  await page.keyboard.press('/');
  await expect(graph.search).toBeFocused();
  await page.keyboard.type('Conv -> Relu');
  await page.getByLabel('By', { exact: true }).selectOption('path');
  await expect(graph.found.getByRole('option')).toHaveCount(4);
  await graph.search.press('ArrowDown');
  await expect(graph.chosen).toHaveText(/^Conv, \/encoder\/stem/);
  await page.keyboard.press('End');
  await expect(graph.chosen).toHaveText(/^Relu, \/encoder\/body/);
  // The group around it has been opened.
  await expect(page.getByRole('button', { name: 'Close all groups' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(graph.outline).toBeVisible();
  await page.getByLabel('By', { exact: true }).selectOption('regex');
  await graph.search.fill('^/(fc1|classifier)/Gemm$');
  await expect(graph.found.getByRole('option')).toHaveCount(2);
  await graph.search.fill('(');
  await expect(page.getByRole('alert')).toBeVisible();
});

test('colours by numbers, and saves the picture and the operators', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.onnx');
  const graph = new GraphPage(page);
  await graph.open();
  await page.getByLabel('Colour', { exact: true }).selectOption('norm');
  await graph.row(/^Gemm/).first().click();
  await expect(graph.chosen).toHaveText(/norm 1\d/);
  await page.getByLabel('Colour', { exact: true }).selectOption('table');
  await page
    .getByLabel('Table of names and numbers')
    .setInputFiles({ name: 'scores.csv', mimeType: 'text/csv', buffer: Buffer.from('name,score\n/fc1/Gemm,42\n') });
  await expect(graph.chosen).toHaveText(/table 42/);
  const save = async (item: string) => {
    await graph.view.getByRole('button', { name: /^Export graph of/ }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
    return readFile(await download.path());
  };
  const svg = (await save('Picture as SVG')).toString('utf8');
  expect(svg).toContain('>MaxPool_1</text>');
  expect((await save('Picture as PNG')).subarray(1, 4).toString('latin1')).toBe('PNG');
  const lines = (await save('Values as CSV')).toString('utf8').trim().split('\r\n');
  expect(lines[0]).toBe('graph,index,operator,name,module,inputs,outputs,parameters,flops,table');
  expect(lines).toHaveLength(11);
  expect(lines.find((line) => line.includes('/fc1/Gemm,'))).toMatch(/,42$/);
});

test('says that other formats have no graph', async ({ openFixture }) => {
  const { workspace, page } = await openFixture('digits');
  await workspace.chooseCheckpoint('model.pt');
  await page.keyboard.press('Control+4');
  await expect(page.getByText('Only ONNX models have a graph')).toBeVisible();
  await workspace.sidebar.getByRole('button', { name: /^model\.onnx/ }).click();
  await expect(new GraphPage(page).drawing).toBeVisible();
});

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing in the graph, its details and its search', async ({ openFixture }) => {
      // Three analyses of a full window.
      test.slow();
      const { workspace, page } = await openFixture('digits');
      await workspace.chooseCheckpoint('model.onnx');
      const graph = new GraphPage(page);
      await graph.open();
      expect(await accessibilityFaults(page)).toEqual([]);
      await graph.row(/^Gemm/).first().click();
      await expect(page.getByRole('img', { name: 'Histogram of fc1.weight' })).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByLabel('Colour', { exact: true }).selectOption('parameters');
      await graph.search.fill('Conv');
      await expect(graph.found).toBeVisible();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
}
