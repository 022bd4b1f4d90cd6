import { CheckpointError } from '../../../shared/contract/errors';
import type { SkippedEntry, StorageKind, VersionId } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import { openSource } from '../../bytes/openSource';
import type { FileCheckpoint, FileGroup } from '../../formats/format';
import { readCheckpoint } from '../../formats/openCheckpointFile';
import { diskSiblings } from './diskSiblings';
import type { OpenedCheckpoint, OpenedGroup, OriginalFile } from './openedCheckpoint';
import { openGroup } from './openGroup';
import { siblingOpener } from './siblingOpener';
import type { FindSibling } from './siblingParts';

export interface FileVersion {
  readonly version: VersionId;
  readonly storage: StorageKind;
  readonly original: OriginalFile;
  /** Name for error messages: the path in the repository rather than that of a cached copy. */
  readonly name: string;
  /** Finds files that the checkpoint names; by default those beside it on the disk. */
  readonly siblings?: FindSibling;
}

/** Opens a checkpoint that is a file: its header is read, and every group points into it, or into a file beside it that it names. */
export async function openFile(file: FileVersion, signal?: AbortSignal): Promise<OpenedCheckpoint> {
  const { version, storage, original } = file;
  const { sibling, originals: siblings } = siblingOpener(file.siblings ?? diskSiblings(original.path));
  const read = await readFile(file, sibling, signal);
  const groups = new Map<string, OpenedGroup>();
  const skipped: SkippedEntry[] = [...read.skipped];
  for (const group of read.groups) {
    const joined = group.keys.join('/');
    if (groups.has(joined)) skipped.push({ name: joined, reason: 'Another parameter group has the same joined name.' });
    else if (!canBeCounted(group)) skipped.push({ name: joined, reason: `Its shape [${group.shape.join(', ')}] has more bytes than any file.` });
    else groups.set(joined, openGroup(joined, group, { own: original, siblings }));
  }
  return { version, format: read.format, storage, groups, skipped, metadata: read.metadata, original, facts: null };
}

async function readFile({ original, name }: FileVersion, sibling: ReturnType<typeof siblingOpener>['sibling'], signal?: AbortSignal): Promise<FileCheckpoint> {
  const ref = { kind: 'file', path: original.path } as const;
  const source = await openSource(ref).catch((error: unknown) => {
    throw CheckpointError.from(error).at({ file: name });
  });
  try {
    return await readCheckpoint(source, { ref, file: name, sibling, ...(signal === undefined ? {} : { signal }) });
  } finally {
    await source.close();
  }
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
