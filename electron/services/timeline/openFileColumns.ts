import type { StorageKind } from '../../../shared/model/checkpoint';
import { possibleTensorBytes } from '../../../shared/model/shape';
import type { SourceRef } from '../../bytes/byteSource';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import type { TensorRef } from '../../tensors/tensorRef';
import { kindCode, type TimelineStore } from './timelineStore';
import type { Version } from './version';

export interface FileToOpen {
  readonly blob: string;
  readonly storage: Extract<StorageKind, 'lfs' | 'blob'>;
  readonly source: SourceRef;
  /** What names its content: the blob, or the object that an LFS pointer names. */
  readonly content: string;
  /** Path, for error messages. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** What a tensor and its name cost in memory. */
const ROW_BYTES = 500;

/** The groups of a checkpoint that is a plain file, by its header. @throws CheckpointError as `openCheckpointFile` does */
export async function openFileColumns(store: TimelineStore, target: FileToOpen): Promise<Version> {
  const { blob, storage, source, content, file, signal } = target;
  const read = await openCheckpointFile(source, file, signal);
  const found = new Map<number, { readonly ref: TensorRef | null; readonly content: number }>();
  for (const { keys, dtype, shape, data, external } of read.groups) {
    const bytes = possibleTensorBytes(dtype, shape);
    // What lies in another file has that file's history.
    if (bytes === null || external !== undefined) continue;
    const row = store.tables.rows.number(keys.join('/'));
    if (found.has(row)) continue;
    found.set(row, { ref: 'source' in data ? data : null, content: store.fileContent({ file: content, row, form: store.form(dtype, shape), bytes }) });
  }
  const tensors = new Map<number, TensorRef>();
  for (const [row, { ref }] of found) if (ref !== null) tensors.set(row, ref);
  const held = source.kind === 'memory' ? source.bytes.length : 0;
  return {
    blob,
    storage,
    rows: Uint32Array.from(found.keys()),
    contents: Uint32Array.from(found.values(), (group) => group.content),
    kinds: new Uint8Array(found.size).fill(kindCode('replaced')),
    text: null,
    tensors,
    weight: held + found.size * ROW_BYTES,
  };
}
