import type { ErrorData } from '../../../shared/contract/errors';
import type { SkippedEntry, StorageKind, VersionId } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import type { FileGroup } from '../../formats/format';
import { openCheckpointFile } from '../../formats/openCheckpointFile';
import type { TensorPlan } from '../../updates/updateChain';
import type { OpenedCheckpoint, OpenedGroup, OriginalFile } from './openedCheckpoint';

export interface FileVersion {
  readonly version: VersionId;
  readonly storage: StorageKind;
  readonly original: OriginalFile;
  /** Name for error messages: the path in the repository rather than that of a cached copy. */
  readonly name: string;
}

/** Opens a checkpoint that is a file: its header is read, and every group points into it. */
export async function openFile(file: FileVersion, signal?: AbortSignal): Promise<OpenedCheckpoint> {
  const { version, storage, original, name } = file;
  const read = await openCheckpointFile({ kind: 'file', path: original.path }, name, signal);
  const groups = new Map<string, OpenedGroup>();
  const skipped: SkippedEntry[] = [...read.skipped];
  for (const group of read.groups) {
    const joined = group.keys.join('/');
    if (groups.has(joined)) skipped.push({ name: joined, reason: 'Another parameter group has the same joined name.' });
    else if (!canBeCounted(group)) skipped.push({ name: joined, reason: `Its shape [${group.shape.join(', ')}] has more bytes than any file.` });
    else groups.set(joined, openGroup(joined, group, original));
  }
  return { version, format: read.format, storage, groups, skipped, metadata: read.metadata, original, facts: null };
}

/** A damaged header may name any shape. */
function canBeCounted({ dtype, shape }: FileGroup): boolean {
  try {
    tensorBytes(dtype, shape);
    return true;
  } catch {
    return false;
  }
}

function openGroup(name: string, { keys, dtype, shape, data, tiedTo }: FileGroup, original: OriginalFile): OpenedGroup {
  const bytes = tensorBytes(dtype, shape);
  const plan: TensorPlan | ErrorData = 'source' in data ? { kind: 'ref', group: name, ref: data } : data;
  const error = 'source' in data ? null : data;
  return {
    keys,
    plan,
    original,
    entry: null,
    group: { name, dtype, shape, bytes, updateType: null, storedBytes: tiedTo === null ? bytes : 0, oid: null, tiedTo, error },
  };
}
