import { expect, test } from '../fixtures/test';
import { WorkspacePage } from '../pages/workspacePage';

test('the palette always has its best match chosen, however fast the text changes', async ({ launch }) => {
  const page = await launch();
  await page.getByRole('button', { name: 'Try the sample' }).click();
  const workspace = new WorkspacePage(page);
  await workspace.isReady();
  await page.keyboard.press('Control+K');
  const chosen = page.getByRole('option', { selected: true });
  // Each jump takes many entries out of the list at once, as text does that was typed faster than the list is drawn.
  for (const [text, best] of [
    ['ope', 'Open a folder'],
    ['model.pt', 'model.pt'],
    ['', 'Open a folder'],
    ['model.onnx', 'model.onnx'],
    ['model', 'model.pt'],
  ] as const) {
    await page.getByRole('combobox').fill(text);
    await expect(chosen).toHaveCount(1);
    await expect(chosen).toContainText(best);
  }
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toContainText('model.onnx');
  await page.keyboard.press('Enter');
  await expect(workspace.commit).toContainText('model.onnx');
});
