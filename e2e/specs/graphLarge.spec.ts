import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAYER_NODES, writeDecoder } from '../../bench/writeDecoder';
import { TrackedRepository } from '../fixtures/gitRepository';
import { expect, test } from '../fixtures/test';
import { GraphPage } from '../pages/graphPage';
import { WorkspacePage } from '../pages/workspacePage';

const LAYERS = 1600;

test('a decoder of 54,400 operators opens, scrolls, and shows its last layer', async ({ launch }) => {
  // Writing, committing and reading a model of this size takes its time on a machine that has other things to do.
  test.slow();
  expect(LAYERS * LAYER_NODES).toBe(54_400);
  const repository = new TrackedRepository('decoders');
  try {
    repository.git('config', 'user.name', 'Ada');
    repository.git('config', 'user.email', 'ada@example.com');
    writeFileSync(join(repository.folder, 'decoder.onnx'), writeDecoder({ layers: LAYERS, width: 64, external: null }).bytes);
    repository.commit('A decoder', 'decoder.onnx');
    const page = await launch(repository.folder);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    await workspace.chooseCheckpoint('decoder.onnx');
    const graph = new GraphPage(page);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Graph' }).click();
    await expect(graph.drawing).toBeVisible({ timeout: 90_000 });
    await expect(graph.details('Model')).toContainText(/Operators\s*54.400/);

    // Far down and up again by the wheel: the picture follows, and the window answers.
    const before = await graph.drawing.screenshot();
    await graph.drawing.hover();
    for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 2000);
    await expect.poll(async () => (await graph.drawing.screenshot()).equals(before)).toBe(false);

    // An operator of the last layer, whose groups are all closed.
    await graph.search.fill(`/model/layers.${LAYERS - 1}/`);
    await expect(graph.found.getByRole('option')).not.toHaveCount(0);
    await graph.search.press('ArrowDown');
    await expect(graph.chosen).toHaveText(new RegExp(`layers\\.${LAYERS - 1}/`));
    await expect(graph.details('Operator')).toContainText(/Position\s*#543\d\d/);
  } finally {
    repository.dispose();
  }
});
