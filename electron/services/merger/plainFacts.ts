import { CheckpointError } from '../../../shared/contract/errors';
import type { FormatId, MetadataEntry } from '../../../shared/model/checkpoint';
import { tensorBytes } from '../../../shared/model/shape';
import type { SourceRef } from '../../bytes/byteSource';
import type { GroupToWrite } from '../../formats/format';
import { formatById } from '../../formats/registry';
import { type CheckpointFacts, factsOf } from '../../formats/template/checkpointFacts';
import { PlannedFile, zerosChecksum } from '../../formats/template/plannedFile';

export interface PlainFile {
  readonly format: FormatId;
  /** In the order of the file. */
  readonly groups: readonly GroupToWrite[];
  readonly metadata: readonly MetadataEntry[];
}

/**
 * What would be found out about the file that the format itself makes of these groups: so a checkout of it is not taken for a change.
 * @returns `null` when the format is not written, cannot hold the groups, or does not read as what was written
 */
export async function plainFacts({ format, groups, metadata }: PlainFile, signal: AbortSignal | undefined): Promise<CheckpointFacts | null> {
  const writer = formatById(format);
  if (writer === null || writer.layout === null) return null;
  try {
    const layout = writer.layout(groups, metadata);
    const finished = layout.finish?.(groups.map(({ dtype, shape }) => zerosChecksum(tensorBytes(dtype, shape)))) ?? [];
    const file = new PlannedFile(layout.bytes, [...layout.pieces, ...finished]);
    const ref: SourceRef = { kind: 'memory', bytes: new Uint8Array(0) };
    const read = await writer.read(file, { ref, file: writer.label, ...(signal === undefined ? {} : { signal }) });
    if (!sameGroups(read.groups, groups)) return null;
    return await factsOf(file, read, { file: writer.label, ref, signal, checksum: async (offset, bytes) => file.checksum(offset, bytes) });
  } catch (error) {
    const failed = CheckpointError.from(error);
    if (failed.code === 'cancelled' || failed.code === 'internal') throw failed;
    return null;
  }
}

/** A format without nested keys gives other names back. */
function sameGroups(a: readonly GroupToWrite[], b: readonly GroupToWrite[]): boolean {
  const described = (groups: readonly GroupToWrite[]) => JSON.stringify(groups.map(({ keys, dtype, shape }) => JSON.stringify([keys, dtype, shape])).sort());
  return described(a) === described(b);
}
