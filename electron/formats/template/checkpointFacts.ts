import * as v from 'valibot';
import { isCheckpointError } from '../../../shared/contract/errors';
import { count, formatId } from '../../../shared/contract/schemas';
import type { FormatId, MetadataEntry, SkippedEntry } from '../../../shared/model/checkpoint';
import type { ByteSource } from '../../bytes/byteSource';
import type { FileCheckpoint } from '../format';
import { formatById } from '../registry';
import { type DeriveOptions, deriveTemplate } from './deriveTemplate';
import { DICTIONARY_NUMBER } from './dictionary';
import { equalTemplates } from './equalTemplates';
import type { FileTemplate } from './fileTemplate';
import { type KeptTemplate, type PackedTemplate, packTemplate } from './packTemplate';
import { templateOfLayout } from './templateOfLayout';
import { unpackTemplate } from './unpackTemplate';

/** What a checkpoint file is beside its groups; kept with a version, so that the version can be the same file again. */
export interface CheckpointFacts {
  readonly v: 1;
  readonly format: FormatId;
  /** Absent when the format's own layout of the groups, in their order, is the file; or when the file cannot come back (`exact`). */
  readonly template?: KeptTemplate;
  readonly metadata: readonly MetadataEntry[];
  readonly skipped: readonly SkippedEntry[];
  /** Keys of the groups in the order of the file, when that is not their sorted order. Stored only where no template has them. */
  readonly order?: readonly (readonly string[])[];
  /** Joined names of groups that are the very same tensor as an earlier one, with the name of that. */
  readonly tied?: readonly (readonly [string, string])[];
  /** `false`: every group comes back, but the file will have other bytes around them. */
  readonly exact?: false;
}

/**
 * The facts about a file that was opened as `checkpoint`.
 * @param source the file from its first byte to its last.
 * @throws CheckpointError as `deriveTemplate`
 */
export async function factsOf(source: ByteSource, checkpoint: FileCheckpoint, options: DeriveOptions): Promise<CheckpointFacts> {
  const { format, metadata, skipped } = checkpoint;
  const groups = checkpoint.groups.filter(({ data, external }) => !('code' in data) && external === undefined);
  const keys = groups.map((group) => group.keys);
  const tied = groups.flatMap((group) => (group.tiedTo === null ? [] : [[group.keys.join('/'), group.tiedTo] as const]));
  const template = await deriveTemplate(source, checkpoint, options);
  const canonical = template !== null && (await isCanonical(template, checkpoint));
  const packed = template === null || canonical ? null : await packTemplate(template);
  return {
    v: 1,
    format,
    ...(packed === null ? {} : { template: packed }),
    metadata,
    skipped,
    ...(isSorted(keys) ? {} : { order: keys }),
    ...(tied.length === 0 ? {} : { tied }),
    ...(packed === null && !canonical ? { exact: false } : {}),
  };
}

/** Whether the format's own layout makes this file. */
async function isCanonical(template: FileTemplate, { format, groups, metadata }: FileCheckpoint): Promise<boolean> {
  const writer = formatById(format);
  if (writer === null || template.groups.length !== groups.length) return false;
  const own = await templateOfLayout(writer, groups, metadata);
  return own !== null && equalTemplates(own, template);
}

/** Whether names follow each other level by level and by code points, which are in the order of their UTF-8 bytes. */
function isSorted(names: readonly (readonly string[])[]): boolean {
  return names.every((name, index) => index === 0 || precedes(names[index - 1] ?? [], name));
}

function precedes(a: readonly string[], b: readonly string[]): boolean {
  for (const [level, key] of a.entries()) {
    const order = Buffer.compare(Buffer.from(key), Buffer.from(b[level] ?? ''));
    if (level >= b.length || order !== 0) return order < 0 && level < b.length;
  }
  return a.length < b.length;
}

const facts = v.object({
  v: v.literal(1),
  format: formatId,
  template: v.exactOptional(v.object({ dictionary: v.literal(DICTIONARY_NUMBER), bytes: count, head: count, literals: count, data: v.string() })),
  metadata: v.array(v.tuple([v.string(), v.string()])),
  skipped: v.array(v.tuple([v.string(), v.string()])),
  order: v.exactOptional(v.array(v.union([v.string(), v.array(v.string())]))),
  tied: v.exactOptional(v.array(v.tuple([v.string(), v.string()]))),
  exact: v.exactOptional(v.literal(false)),
});

/** Compact JSON: pairs as lists of two, keys that are one only as that one. The same facts always give the same text. */
export function serializeFacts({ v: version, format, template, metadata, skipped, order, tied, exact }: CheckpointFacts): string {
  const content: v.InferInput<typeof facts> = {
    v: version,
    format,
    ...(template === undefined ? {} : { template: template.packed }),
    metadata: metadata.map(({ key, value }) => [key, value]),
    skipped: skipped.map(({ name, reason }) => [name, reason]),
    ...(order === undefined || template !== undefined ? {} : { order: order.map((keys) => (keys.length === 1 ? (keys[0] ?? '') : [...keys])) }),
    ...(tied === undefined ? {} : { tied: tied.map(([name, as]) => [name, as]) }),
    ...(exact === undefined ? {} : { exact }),
  };
  return JSON.stringify(content);
}

/** Facts from their text, whatever a newer version added to them; `null` when they are damaged. */
export function parseFacts(text: string): CheckpointFacts | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const result = v.safeParse(facts, json);
  if (!result.success) return null;
  const { metadata, skipped, order, template, ...rest } = result.output;
  const kept = template === undefined ? undefined : soundTemplate(template);
  if (kept === null) return null;
  const names = kept?.groups.map(({ keys }) => keys) ?? order?.map((keys) => (typeof keys === 'string' ? [keys] : keys)) ?? [];
  return {
    ...rest,
    ...(kept === undefined ? {} : { template: kept }),
    metadata: metadata.map(([key, value]) => ({ key, value })),
    skipped: skipped.map(([name, reason]) => ({ name, reason })),
    ...(isSorted(names) ? {} : { order: names }),
  };
}

function soundTemplate(packed: PackedTemplate): KeptTemplate | null {
  try {
    return unpackTemplate(packed);
  } catch (error) {
    if (isCheckpointError(error, 'malformed') || isCheckpointError(error, 'too-large')) return null;
    throw error;
  }
}

/** Whether two files say the same about themselves, however they lay it out. */
export function sameMeaning(a: CheckpointFacts, b: CheckpointFacts): boolean {
  const meaning = ({ format, metadata, skipped }: CheckpointFacts) =>
    JSON.stringify([format, metadata.map(({ key, value }) => [key, value]), skipped.map(({ name, reason }) => [name, reason])]);
  return meaning(a) === meaning(b);
}
