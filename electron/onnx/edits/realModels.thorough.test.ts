import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkModel } from '../check/checkModel';
import type { OnnxModel } from '../model/onnxModel';
import { indexScopes } from '../scopes/indexScopes';
import type { Definition } from '../scopes/scopeIndex';
import { modelOf, patched } from '../testing/readBytes';
import { REAL_MODELS } from '../testing/realModels';
import { planRename, type Rename } from './planRename';
import { planRenameNodes } from './planRenameNodes';
import { runBits } from './testing/runBits';

const DIGITS = ['01_init', '05_lora', '10_drop_aux'].map((name) => join(import.meta.dirname, `../../../e2e/fixtures/digits/checkpoints/${name}.onnx`));

/** Extents that the models leave open, by the position of the input. */
const EXTENTS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'silero_vad_v5.onnx': [
    [1, 512],
    [2, 1, 128],
  ],
  'silero_vad_legacy.onnx': [[1, 512], [], [2, 1, 64], [2, 1, 64]],
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': [[1, 3, 48, 192]],
  'ch_PP-OCRv4_det_infer.onnx': [[1, 3, 64, 64]],
  'ch_PP-OCRv4_rec_infer.onnx': [[1, 3, 48, 96]],
};

const FILES = [...REAL_MODELS, ...DIGITS].map((path): [string, string] => [basename(path), path]);

function fresh(model: OnnxModel, which: (value: Definition) => boolean): { readonly there: Rename[]; readonly back: Rename[] } {
  const index = indexScopes(model);
  const values = index.owners.flatMap((owner) => index.definitions(owner).filter(which));
  const there = values.map(({ owner, name }, i) => ({ graph: owner.path, name, to: `fresh.${i}/${'ä'.repeat(i % 200)}` }));
  return { there, back: there.map(({ graph, name, to }) => ({ graph, name: to, to: name })) };
}

describe('renames of whole published models', () => {
  it.each(FILES)('%s computes the same with other names, and comes back byte for byte', async (name, file) => {
    const bytes = new Uint8Array(await readFile(file));
    const model = await modelOf(bytes);
    const expected = await runBits(bytes, EXTENTS[name]);
    const stored = fresh(model, ({ tensor, node }) => tensor !== null || node?.op === 'Constant');
    expect(stored.there.length).toBeGreaterThan(0);
    const renamed = await patched(bytes, planRename(model, stored.there));
    const after = await modelOf(renamed);
    expect(after.graphs.flatMap(({ initializers }) => initializers).every((tensor) => tensor.name.startsWith('fresh.'))).toBe(true);
    expect(checkModel(after)).toEqual([]);
    expect(await runBits(renamed, EXTENTS[name])).toEqual(expected);
    expect(Buffer.from(await patched(renamed, planRename(after, stored.back))).equals(bytes)).toBe(true);

    const all = fresh(model, () => true);
    const everything = await patched(bytes, planRename(model, all.there));
    const nodes = model.graphs.flatMap(({ path, nodes: own }) => own.map(({ index }) => ({ graph: path, index, to: `node.${index}` })));
    const renumbered = await patched(everything, planRenameNodes(await modelOf(everything), nodes));
    expect(await runBits(renumbered, EXTENTS[name])).toEqual(expected);
    expect(Buffer.from(await patched(everything, planRename(await modelOf(everything), all.back))).equals(bytes)).toBe(true);
  });
});
