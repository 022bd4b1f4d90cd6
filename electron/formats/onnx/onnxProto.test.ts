import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import proto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { openCheckpointFile } from '../openCheckpointFile';

/** Another reader of the same files: structure from the generated code of the ONNX schema, ours from the wire. */

const folder = fileURLToPath(new URL('../../../e2e/fixtures/digits/checkpoints/', import.meta.url));

describe('ONNX files as onnx-proto reads them', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.onnx')))('%s has the same initializers', async (name) => {
    const path = join(folder, name);
    const { graph } = proto.onnx.ModelProto.decode(readFileSync(path));
    const expected = graph?.initializer?.map((tensor) => ({ name: tensor.name, shape: tensor.dims?.map(Number) }));
    const { groups } = await openCheckpointFile({ kind: 'file', path }, name);
    expect(expected?.length).toBeGreaterThan(0);
    expect(groups.map(({ keys, shape }) => ({ name: keys.join('/'), shape }))).toEqual(expected);
  });
});
