import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { digitsFile, TrackedRepository } from '../fixtures/gitRepository';
import { accessibilityFaults, expect, test } from '../fixtures/test';
import { GraphPage } from '../pages/graphPage';
import { NamesPage } from '../pages/namesPage';
import { WorkspacePage } from '../pages/workspacePage';

test.use({ viewport: { width: 1280, height: 800 } });

const onnxFile = (name: string) => digitsFile(name).replace(/\.pt$/, '.onnx');

/** A model read by the official definition of the format. */
async function read(path: string) {
  return onnxProto.onnx.ModelProto.decode(await readFile(path));
}

test('a module of another version is taken in beside its own and an initializer is added; undone, done again and saved', async ({ launch, folder }) => {
  const repository = new TrackedRepository('digits');
  try {
    repository.theta('install', '--local');
    repository.theta('track', 'model.onnx');
    repository.commit('Track', '.gitattributes');
    repository.put(onnxFile('01_init'), 'model.onnx');
    repository.commit('v0: random', 'model.onnx');
    repository.put(onnxFile('02_digits'), 'model.onnx');
    repository.commit('v1: trained on digits', 'model.onnx');
    const page = await launch(repository.folder);
    const workspace = new WorkspacePage(page);
    await workspace.isReady();
    await workspace.chooseCheckpoint('model.onnx');
    await workspace.chooseCommit('v0: random');
    const graph = new GraphPage(page);
    await graph.open();
    const edits = new NamesPage(page);
    await expect(page.getByRole('button', { name: /^[0-9a-f]{8} v0: random$/ })).toBeVisible();

    // What it takes and gives is proposed by names.
    await edits.edit('Add nodes of another model…');
    const ask = page.getByRole('dialog', { name: 'Add nodes of another model' });
    await expect(ask.getByRole('combobox', { name: 'Version' })).toHaveValue('worktree');
    const piece = ask.getByRole('combobox', { name: 'Module or node' });
    await piece.fill('encoder/stomach');
    await expect(ask).toContainText('The model has no module or node of this name');
    await piece.fill('encoder/stem');
    await expect(ask).toContainText('module with 2 nodes');
    await expect(ask.getByRole('group', { name: 'It takes' }).getByRole('combobox')).toHaveValue('image');
    await expect(ask.getByRole('group', { name: 'It gives' }).getByRole('combobox')).toHaveValue('/encoder/stem/Relu_output_0');
    expect(await accessibilityFaults(page)).toEqual([]);
    await ask.getByRole('button', { name: 'Review…' }).click();
    const review = page.getByRole('dialog', { name: 'Splice 2 nodes from another model' });
    await expect(review.getByRole('treegrid', { name: 'Places that change' })).toContainText('onnx::Conv_32_1');

    // Who goes back finds what was entered.
    await review.getByRole('button', { name: 'Cancel' }).click();
    await expect(piece).toHaveValue('encoder/stem');
    await ask.getByRole('button', { name: 'Review…' }).click();
    await review.getByRole('button', { name: 'Apply' }).click();
    await expect(edits.toolbar.getByRole('status')).toContainText('Splice 2 nodes');

    // A name that is taken is said while it is typed.
    await edits.edit('Add an initializer…');
    const add = page.getByRole('dialog', { name: 'Add an initializer' });
    await add.getByRole('textbox', { name: 'Name' }).fill('fc1.weight');
    await expect(add).toContainText('The model has an initializer of this name.');
    await expect(add.getByRole('button', { name: 'Review…' })).toBeDisabled();
    await add.getByRole('textbox', { name: 'Name' }).fill('temperature');
    await add.getByRole('textbox', { name: 'Number' }).fill('0.5');
    expect(await accessibilityFaults(page)).toEqual([]);
    await add.getByRole('button', { name: 'Review…' }).click();
    await page
      .getByRole('dialog', { name: /^Add the initializer/ })
      .getByRole('button', { name: 'Apply' })
      .click();
    await expect(edits.toolbar.getByRole('status')).toContainText('temperature');
    // The focus is still in the bar, so that the keys go on.
    await expect(edits.toolbar.getByRole('button', { name: 'Edit', exact: true })).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(edits.toolbar.getByRole('status')).not.toContainText('temperature');
    await expect(edits.toolbar.getByRole('button', { name: 'Edit', exact: true })).toBeFocused();
    await page.keyboard.press('Control+Shift+z');
    await expect(edits.toolbar.getByRole('status')).toContainText('temperature');

    await edits.toolbar.getByRole('button', { name: 'Save as…' }).click();
    const save = page.getByRole('dialog', { name: 'Save the edited model' });
    const path = join(folder, 'spliced.onnx');
    await save.getByRole('radio', { name: /^A file/ }).check();
    await save.getByRole('textbox', { name: 'Destination' }).fill(path);
    await save.getByRole('button', { name: /^Save/ }).click();
    await expect(save).toHaveCount(0);

    // The official reader finds the stem of v1, byte for byte, beside that of v0, and who uses it.
    const [spliced, v0, v1] = await Promise.all([read(path), read(onnxFile('01_init')), read(onnxFile('02_digits'))]);
    const tensors = (model: typeof spliced) =>
      new Map((model.graph?.initializer ?? []).map((tensor) => [tensor.name ?? '', Buffer.from(tensor.rawData ?? [])]));
    expect(tensors(spliced).get('onnx::Conv_32')).toEqual(tensors(v0).get('onnx::Conv_32'));
    expect(tensors(spliced).get('onnx::Conv_32_1')).toEqual(tensors(v1).get('onnx::Conv_32'));
    expect(tensors(spliced).get('temperature')).toEqual(Buffer.from(Float32Array.of(0.5).buffer));
    const pool = spliced.graph?.node?.find(({ opType }) => opType === 'MaxPool');
    expect(pool?.input).toEqual(['/encoder/stem/Relu_output_0_1']);
    expect(spliced.graph?.node).toHaveLength((v0.graph?.node?.length ?? 0) + 2);
  } finally {
    repository.dispose();
  }
});
