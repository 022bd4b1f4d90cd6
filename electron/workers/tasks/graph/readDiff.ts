import { throwIfCancelled } from '../../../../shared/contract/cancelled';
import { diffModels } from '../../../onnx/diff/diffModels';
import type { DiffSide, ModelDiff } from '../../../onnx/diff/modelDiff';
import { type ModelRef, openModelRef } from '../../../onnx/model/modelRef';
import { readGraph } from './readGraph';

/** As `readGraph` keeps models; a difference holds two of them already. */
let kept: { readonly key: string; readonly diff: Promise<ModelDiff>; readonly signal: AbortSignal } | null = null;

export interface DiffOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The union of two models. Values of tensors are read to tell whether they are equal. */
export async function readDiff({ a, b }: { readonly a: ModelRef; readonly b: ModelRef }, options: DiffOptions): Promise<ModelDiff> {
  const key = JSON.stringify([a.key, b.key]);
  for (;;) {
    throwIfCancelled(options.signal);
    const known = kept?.key === key ? kept : null;
    const entry = known ?? { key, diff: compare(a, b, options), signal: options.signal };
    kept = entry;
    try {
      return await entry.diff;
    } catch (error) {
      if (kept === entry) kept = null;
      // Somebody else gave it up.
      if (known === null || !known.signal.aborted) throw error;
    }
  }
}

async function compare(a: ModelRef, b: ModelRef, options: DiffOptions): Promise<ModelDiff> {
  const sides: DiffSide[] = [];
  try {
    for (const ref of [a, b]) {
      const read = await readGraph(ref, options.signal);
      sides.push({ ...read, source: await openModelRef(ref) });
    }
    const [first, second] = sides;
    if (first === undefined || second === undefined) throw new TypeError('a difference has two sides');
    return await diffModels(first, second, options);
  } finally {
    for (const { source } of sides) await source.close();
  }
}
