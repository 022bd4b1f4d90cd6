import { isCheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import type { SourceRef } from '../../bytes/byteSource';
import type { CheckpointFormat, FileGroup, FileLayout, GroupToWrite } from '../format';
import { deriveTemplate } from './deriveTemplate';
import type { FileTemplate } from './fileTemplate';
import { PlannedFile, zerosChecksum } from './plannedFile';

/**
 * The template of the file that a format itself plans for these groups: a file with this very template needs none to come back.
 * @returns `null` when the format is not written, cannot hold the groups, or the plan is too large for a template.
 */
export async function templateOfLayout(
  format: CheckpointFormat,
  groups: readonly GroupToWrite[],
  metadata: readonly MetadataEntry[],
): Promise<FileTemplate | null> {
  const layout = plan(format, groups, metadata);
  if (layout === null) return null;
  const sizes = groups.map(({ dtype, shape }) => tensorBytes(dtype, shape));
  const ref: SourceRef = { kind: 'memory', bytes: new Uint8Array(0) };
  const placed = groups.map(({ keys, dtype, shape }, index): FileGroup => {
    return { keys, dtype, shape, tiedTo: null, data: { dtype, shape, source: ref, offset: layout.tensors[index] ?? 0, strides: null, bigEndian: false } };
  });
  const finished = layout.finish?.(sizes.map(zerosChecksum)) ?? [];
  const file = new PlannedFile(layout.bytes, [...layout.pieces, ...finished]);
  const checkpoint = { format: format.id, groups: placed, skipped: [], metadata };
  return deriveTemplate(file, checkpoint, { file: format.label, ref, checksum: async (offset, bytes) => file.checksum(offset, bytes) });
}

function plan(format: CheckpointFormat, groups: readonly GroupToWrite[], metadata: readonly MetadataEntry[]): FileLayout | null {
  try {
    return format.layout?.(groups, metadata) ?? null;
  } catch (error) {
    if (isCheckpointError(error, 'unsupported-format') || isCheckpointError(error, 'too-large')) return null;
    throw error;
  }
}
