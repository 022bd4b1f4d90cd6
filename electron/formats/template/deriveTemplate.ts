import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../../../shared/contract/cancelled';
import { CheckpointError } from '../../../shared/contract/errors';
import type { ByteSource, SourceRef } from '../../bytes/byteSource';
import { openRef } from '../../tensors/openRef';
import type { FileCheckpoint, FileGroup } from '../format';
import { fileChecksum } from './fileChecksum';
import { type FileTemplate, MAX_LITERAL_BYTES, type TemplateGroup, type TemplatePlace } from './fileTemplate';
import { layOutSegments, type Mark } from './layOutSegments';
import { type GroupPlace, placeGroups } from './placeGroups';
import { zipParts } from './zipParts';

export interface DeriveOptions {
  /** Name for error messages. */
  readonly file: string;
  /** How the file was opened when `checkpoint` was read, as its groups name it. Without it every tensor on disk is taken to lie in this file. */
  readonly ref?: SourceRef | undefined;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of a group's value by its joined name, where it is known already. */
  readonly digests?: ReadonlyMap<string, string>;
  /** CRC-32 of a range of the file, where there is a faster way than to read it. */
  readonly checksum?: (offset: number, bytes: number) => Promise<number>;
}

/**
 * What a checkpoint file is beside the values of its groups, so that the file can be made again from the values. Fields that depend on
 * values (checksums in a zip) are computed when the file is made, so that the same template serves other values of the same groups.
 * Reads the data of zip entries that hold tensors, to see whether their checksums are true, and the values of groups that are not
 * contiguous; memory is bounded by MAX_LITERAL_BYTES.
 * Groups whose values lie in other files are no part of it; what the file says about them stands among the literal bytes.
 * @param source the file, from its first byte to its last.
 * @returns `null` when more than MAX_LITERAL_BYTES of the file are no tensor data.
 * @throws CheckpointError cancelled, truncated (the file became shorter), and what reading a group throws.
 */
export async function deriveTemplate(source: ByteSource, checkpoint: FileCheckpoint, options: DeriveOptions): Promise<FileTemplate | null> {
  throwIfCancelled(options.signal);
  const readable = checkpoint.groups.filter(({ data, external }) => !('code' in data) && external === undefined);
  const { ranges, places } = placeGroups(readable, { total: source.length, ref: options.ref });
  const literalBytes = ranges.reduce((rest, { bytes }) => rest - bytes, source.length);
  if (literalBytes > MAX_LITERAL_BYTES) return null;
  const checksum = options.checksum ?? fileChecksum(source, options.signal);
  const { entries, parts } = await zipParts(source, ranges, { file: options.file, signal: options.signal, checksum });
  const marks: Mark[] = [
    ...ranges.map(({ offset, bytes, group }): Mark => ({ offset, segment: { kind: 'tensor', bytes, group } })),
    ...parts.map(({ offset, segment }): Mark => ({ offset, segment })),
  ].sort((a, b) => a.offset - b.offset);
  const laid = layOutSegments(marks, { total: source.length, entries });
  const literals: Uint8Array[] = [];
  for (const { offset, bytes } of laid.literals) {
    throwIfCancelled(options.signal);
    literals.push(await source.read(offset, bytes));
  }
  const groups: TemplateGroup[] = [];
  for (const [index, group] of readable.entries()) groups.push(await describeGroup(group, places[index] ?? { kind: 'fixed' }, options));
  return { bytes: source.length, groups, segments: laid.segments, entries: laid.entries, literals: Buffer.concat(literals) };
}

async function describeGroup(group: FileGroup, place: GroupPlace, options: DeriveOptions): Promise<TemplateGroup> {
  const { keys, dtype, shape } = group;
  const fixed = async (): Promise<TemplatePlace> => ({ kind: 'fixed', sha256: await digestOf(group, options) });
  return { keys, dtype, shape, place: place.kind === 'fixed' ? await fixed() : place };
}

async function digestOf(group: FileGroup, { digests, signal }: DeriveOptions): Promise<string> {
  const name = group.keys.join('/');
  const known = digests?.get(name);
  if (known !== undefined) return known;
  if ('code' in group.data) throw CheckpointError.fromData(group.data);
  const stream = await openRef(group.data, name);
  try {
    const hash = createHash('sha256');
    for await (const block of stream.blocks(signal)) hash.update(block);
    return hash.digest('hex');
  } finally {
    await stream.close();
  }
}
