import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CheckpointError } from '../../../shared/contract/errors';
import type { GraphEdit, ValueSource } from '../../../shared/model/graphEdit';
import { tensorBytes } from '../../../shared/model/shape';
import type { Side } from '../../../shared/model/side';
import { fileError } from '../../bytes/fileError';
import type { ResolvedEdit, ResolvedValue } from '../../onnx/edits/resolvedEdit';
import type { ModelRef } from '../../onnx/model/modelRef';
import { elementTypeOf } from '../../onnx/values/elementTypes';
import { npyTensor } from '../../onnx/values/npyTensor';
import type { WorkerPool } from '../../workers/workerPool';
import { findGroup } from '../comparer/findPair';
import type { SideOpener } from '../comparer/openSide';

export interface ResolveOptions {
  readonly opener: SideOpener;
  readonly pool: WorkerPool;
  /** For values that must be reconstructed; the caller removes it. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Another model, for a splice. */
  readonly modelRef: (side: Side) => Promise<ModelRef>;
}

/** Finds the values and models that an edit names. @throws CheckpointError what opening them throws */
export async function resolveEdit(edit: GraphEdit, options: ResolveOptions): Promise<ResolvedEdit> {
  switch (edit.kind) {
    case 'set-value':
    case 'add-initializer':
      return { ...edit, value: await resolveValue(edit.value, options) };
    case 'splice':
      return { ...edit, from: await options.modelRef(edit.from) };
    default:
      return edit;
  }
}

async function resolveValue(value: ValueSource, { opener, pool, scratch, signal }: ResolveOptions): Promise<ResolvedValue> {
  if (value.kind === 'constant') return value;
  const { side, group } = value;
  if (group === null) {
    if (side.kind === 'file' && extname(side.path).toLowerCase() === '.npy') return { kind: 'tensor', tensor: await npyTensor(side.path, { signal }) };
    throw new CheckpointError('invalid-request', 'Say which parameter group of the checkpoint the value is.', { place: { file: side.path } });
  }
  const { plan, opened } = findGroup(await opener.open(side, signal), group);
  const { dtype, shape } = opened.group;
  const type = elementTypeOf(dtype);
  if (type === null) throw new CheckpointError('unsupported-format', `ONNX has no type for ${dtype}.`, { place: { file: side.path, group } });
  // A copy of its own: the file may be written, and the version's cache emptied, before the model is saved.
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const path = join(scratch, `${randomUUID()}.value`);
  const bytes = tensorBytes(dtype, shape);
  const handle = await open(path, 'wx').catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
  await pool.run('write', { plan, expected: { dtype, shape }, file: path, offset: 0, crc: false }, { signal });
  return { kind: 'tensor', tensor: { type, dims: [...shape], data: { kind: 'file', path, offset: 0, length: bytes } } };
}
