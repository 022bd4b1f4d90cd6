import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readIndependently } from '../../e2e/fixtures/independentReader';
import { TrackedFolder } from '../services/tracker/testing/trackedFolder';
import { type GitBridge, openGitBridge } from './testing/gitBridge';
import { runTheta } from './testing/runTheta';

/** A model of PyTorch's exporter, in which a convolution and its batch normalisation became nameless tensors. */
const MODEL = fileURLToPath(new URL('../../e2e/fixtures/digits/checkpoints/02_digits.onnx', import.meta.url));
const PATH = 'model.onnx';

let bridge: GitBridge;
let folder: TrackedFolder;
beforeAll(async () => {
  bridge = await openGitBridge();
});
afterAll(() => bridge.close());
beforeEach(async () => {
  folder = await TrackedFolder.make();
});
afterEach(() => folder.dispose());

/** The same file with other names of the same length, wherever they stand: still a valid model. */
function renamed(model: Buffer, names: Readonly<Record<string, string>>): Buffer {
  let text = model.toString('latin1');
  for (const [from, to] of Object.entries(names)) {
    expect([from.length, text.includes(from)]).toEqual([to.length, true]);
    text = text.replaceAll(from, to);
  }
  return Buffer.from(text, 'latin1');
}

it('two initializers of a real model get names: log, diff, timeline and blame call it a rename', async () => {
  const model = await readFile(MODEL);
  const named = renamed(model, { 'onnx::Conv_32': 'stem.0.weight', 'onnx::Conv_33': 'stem.000.bias' });
  const first = await folder.put(PATH, model);
  await folder.write(PATH, named);
  const added = await folder.add(PATH);
  expect(added.groups.filter(({ change }) => change !== 'unchanged' && change !== 'modified').map(({ name, change, from }) => [change, from, name])).toEqual(
    [
      ['renamed', 'onnx::Conv_33', 'stem.000.bias'],
      ['renamed', 'onnx::Conv_32', 'stem.0.weight'],
    ].sort(([, , a = ''], [, , b = '']) => (a < b ? -1 : 1)),
  );
  const second = await folder.commit('Name the stem');
  expect(await folder.checkout(second, PATH)).toEqual(named);
  const values = [await readIndependently(folder.path, first.commit, PATH), await readIndependently(folder.path, second, PATH)];
  expect(values[1]?.get('stem.0.weight')?.sha256).toBe(values[0]?.get('onnx::Conv_32')?.sha256);

  const log = await runTheta('-C', folder.path, 'log', PATH);
  expect(log.out.split('\n')[1]).toMatch(/^ +2 renamed\b/);
  expect(log.out.split('\n')[1]).not.toMatch(/\badded|\bremoved/);
  const [change] = JSON.parse((await runTheta('-C', folder.path, 'log', PATH, '--json')).out);
  expect(change.changes).toMatchObject({ renamed: { groups: 2 } });

  const diff = await folder.git('-c', `diff.theta.command=${bridge.command} diff-driver --`, 'diff', 'HEAD~1', 'HEAD');
  expect(diff).toMatch(/^RENAMED +onnx::Conv_32 -> stem\.0\.weight +dense +float32 /m);
  expect(diff).toMatch(/^2 renamed, .*unchanged$/m);

  const timeline = JSON.parse((await runTheta('-C', folder.path, 'timeline', PATH, '--group', 'stem.0.weight', '--json')).out);
  expect(timeline.groups[0].versions).toEqual([expect.objectContaining({ commit: second, change: 'renamed', renamed_from: 'onnx::Conv_32' })]);
  // The value is from the commit before it had that name.
  const blame = await runTheta('-C', folder.path, 'blame', `HEAD:${PATH}`, 'stem.0.weight', '--json');
  expect(blame.out).toContain(first.commit);
  expect(blame.out.split(second)).toHaveLength(2);
});
