import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layoutSafetensors } from '../electron/formats/safetensors/layoutSafetensors';
import type { Shape } from '../shared/model/shape';
import { elementCount } from '../shared/model/shape';
import { BERT_410_MB, type BertGroup, bertGroups } from './bertGroups';
import { createNormalValues } from './normalValues';

/** Versions after the first in the chain. */
export const LINKS = 40;
const RANK = 8;
const LOW_RANK_MATRICES = 24;
/** The chain is measured on a smaller model: forty versions of it. */
const CHAIN_SHAPE = { width: 512, layers: 0 } as const;

interface Tensor {
  readonly name: string;
  readonly shape: Shape;
  readonly values: Float32Array;
}

/** Files of a checkpoint's story, each the next version of the one before; see the names in the body. */
export async function makeStages(folder: string): Promise<void> {
  const values = createNormalValues(7);
  const make = (group: BertGroup): Tensor => ({ ...group, values: values(elementCount(group.shape), group.name.endsWith('LayerNorm.weight') ? 1 : 0.04) });
  const model = bertGroups(BERT_410_MB).map(make);
  await save(join(folder, 'base.safetensors'), model);

  // 5 % of the groups with new values: every twentieth.
  const groups = model.map((tensor, index) => (index % 20 === 7 ? make(tensor) : tensor));
  await save(join(folder, 'groups.safetensors'), groups);

  // 1 % of the elements of 10 matrices.
  const matrices = groups.flatMap(({ shape }, index) => (shape.length === 2 && elementCount(shape) > 500_000 ? [index] : []));
  const touched = new Set(matrices.slice(3, 13));
  const sparse = groups.map((tensor, index) => (touched.has(index) ? { ...tensor, values: changeSome(tensor.values, values) } : tensor));
  await save(join(folder, 'sparse.safetensors'), sparse);

  // Factors of rank 8 for 24 matrices, as an update file of training.
  const factors = matrices.slice(-LOW_RANK_MATRICES).flatMap((index): Tensor[] => {
    const { name, shape } = sparse[index] ?? { name: '', shape: [0, 0] };
    const [rows = 0, columns = 0] = shape;
    return [
      { name: `${name}/R`, shape: [rows, RANK], values: values(rows * RANK, 0.01) },
      { name: `${name}/C`, shape: [RANK, columns], values: values(RANK * columns, 0.01) },
    ];
  });
  await save(join(folder, 'factors.safetensors'), factors);

  // Forty sparse steps of 1 % of a model of 50 MB.
  let chain = bertGroups(CHAIN_SHAPE)
    .filter(({ name }) => !name.includes('word'))
    .map(make);
  chain.push(...Array.from({ length: 12 }, (_, layer) => make({ name: `encoder.layer.${layer}.dense.weight`, shape: [1024, 1024] })));
  await save(join(folder, 'chain-00.safetensors'), chain);
  for (let link = 1; link <= LINKS; link++) {
    chain = chain.map((tensor) => (tensor.shape.length === 2 ? { ...tensor, values: changeSome(tensor.values, values) } : tensor));
    await save(join(folder, `chain-${String(link).padStart(2, '0')}.safetensors`), chain);
  }
}

/** The values with every hundredth or so moved a little. */
function changeSome(values: Float32Array, normal: (count: number, deviation: number) => Float32Array): Float32Array {
  const changed = Float32Array.from(values);
  const moves = normal(Math.ceil(values.length / 100), 0.001);
  for (const [i, move] of moves.entries()) {
    // Anywhere in its hundred, by a hash of Knuth's.
    const at = i * 100 + ((Math.imul(i + 1, 2654435761) >>> 0) % 100);
    if (at < changed.length) changed[at] = Math.fround((changed[at] ?? 0) + move);
  }
  return changed;
}

async function save(file: string, tensors: readonly Tensor[]): Promise<void> {
  const groups = tensors.map(({ name, shape }) => ({ keys: [name], dtype: 'float32' as const, shape }));
  const layout = layoutSafetensors(groups, [{ key: 'format', value: 'pt' }]);
  const bytes = Buffer.alloc(layout.bytes);
  for (const piece of layout.pieces) bytes.set(piece.bytes, piece.offset);
  for (const [index, { values }] of tensors.entries()) bytes.set(new Uint8Array(values.buffer), layout.tensors[index] ?? 0);
  await writeFile(file, bytes);
}
