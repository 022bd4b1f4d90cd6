import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import { DICTIONARY, DICTIONARY_NUMBER } from './dictionary';
import type { FileTemplate, TemplateEntry, TemplateGroup } from './fileTemplate';
import { encodeSegments } from './segmentCodes';

const deflate = promisify(deflateRaw);

/** Some hundred bytes for each of a million groups. */
export const MAX_HEAD_BYTES = 128 * 1024 * 1024;

/** Characters of `data` at most; the object that carries a template holds 64 MiB of such text. Only bytes that do not compress come near. */
const MAX_DATA = 60 * 1024 * 1024;

/** A template as it is stored: plain JSON. */
export interface PackedTemplate {
  /** Number of the dictionary that `data` was deflated with. */
  readonly dictionary: typeof DICTIONARY_NUMBER;
  /** Size of the file. */
  readonly bytes: number;
  /** Bytes of the structure in `data`, before the literal bytes. */
  readonly head: number;
  /** Bytes of the literals. */
  readonly literals: number;
  /** Structure and literals, deflated together (names stand in both) and in base64. */
  readonly data: string;
}

/** A template with the form that it is stored in, which takes long to make of a large one. */
export interface KeptTemplate extends FileTemplate {
  readonly packed: PackedTemplate;
}

/** The structure of a template: JSON, in the file's own words. See `unpackTemplate`. */
export interface TemplateHead {
  /** Keys, dtype, shape; then, unless the group has a segment, where it is: the index of another group, or the SHA-256 of its value. */
  readonly groups: readonly (readonly [readonly string[], string, readonly number[], (number | string)?])[];
  readonly segments: readonly number[];
  /** For each entry the step from the end of the one before to its first segment, and its number of segments. */
  readonly entries: readonly number[];
}

/**
 * The same template always gives the same text with one version of zlib.
 * @returns `null` when it is too large to be kept.
 */
export async function packTemplate(template: FileTemplate, limit = MAX_DATA): Promise<KeptTemplate | null> {
  const content: TemplateHead = {
    groups: template.groups.map(packGroup),
    segments: encodeSegments(template.segments),
    entries: packEntries(template.entries),
  };
  const head = Buffer.from(JSON.stringify(content));
  if (head.byteLength > MAX_HEAD_BYTES) return null;
  const data = await deflate(Buffer.concat([head, template.literals]), { level: constants.Z_BEST_COMPRESSION, dictionary: DICTIONARY });
  const text = data.toString('base64');
  if (text.length > limit) return null;
  const packed: PackedTemplate = {
    dictionary: DICTIONARY_NUMBER,
    bytes: template.bytes,
    head: head.byteLength,
    literals: template.literals.byteLength,
    data: text,
  };
  return { ...template, packed };
}

function packGroup({ keys, dtype, shape, place }: TemplateGroup): TemplateHead['groups'][number] {
  if (place.kind === 'same') return [keys, dtype, shape, place.as];
  if (place.kind === 'fixed') return [keys, dtype, shape, place.sha256];
  return [keys, dtype, shape];
}

function packEntries(entries: readonly TemplateEntry[]): number[] {
  let end = 0;
  return entries.flatMap(({ first, count }) => {
    const step = first - end;
    end = first + count;
    return [step, count];
  });
}
