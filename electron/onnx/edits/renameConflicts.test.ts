import { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../testing/readBytes';
import { planRename } from './planRename';

/** A model with nothing but initializers of one element. */
async function modelWith(names: readonly string[]) {
  const initializer = names.map((name) => ({ name, dims: [1], dataType: 1, rawData: new Uint8Array(4) }));
  return modelOf(onnx.ModelProto.encode({ irVersion: 8, opsetImport: [{ domain: '', version: 17 }], graph: { name: 'g', initializer } }).finish());
}

describe('conflicts of a rename', () => {
  it('stand at the values that they concern', async () => {
    const model = await modelWith(['a', 'b', 'c']);
    const plan = planRename(model, [
      { graph: '', name: 'a', to: 'c' },
      { graph: '', name: 'b', to: 'free' },
      { graph: '', name: 'absent', to: 'x' },
    ]);
    expect(plan.conflicts?.map(({ address }) => address)).toEqual([
      { graph: '', name: 'absent' },
      { graph: '', name: 'a' },
    ]);
    expect(plan.conflicts?.map(({ text }) => text)).toEqual(plan.refusals);
  });

  it('are one sentence for each value that gets the name of another, however many there are', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const plan = planRename(
      await modelWith(names),
      names.map((name) => ({ graph: '', name, to: 'same' })),
    );
    expect(plan.conflicts).toHaveLength(names.length - 1);
    expect(plan.refusals).toHaveLength(101);
  });
});
