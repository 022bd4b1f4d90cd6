import { inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { CheckpointError } from '../../../shared/contract/errors';
import { count, dtype, shape } from '../../../shared/contract/schemas';
import { possibleTensorBytes } from '../../../shared/model/shape';
import { checkTemplate } from './checkTemplate';
import { DICTIONARY } from './dictionary';
import { type FileTemplate, MAX_LITERAL_BYTES, type TemplateEntry, type TemplateGroup, type TemplatePlace } from './fileTemplate';
import { type KeptTemplate, MAX_HEAD_BYTES, type PackedTemplate } from './packTemplate';
import { decodeSegments } from './segmentCodes';

const integer = v.pipe(v.number(), v.safeInteger());

const templateHead = v.object({
  groups: v.array(
    // The longer one first: a tuple leaves what follows it unread.
    v.union([
      v.tuple([v.array(v.string()), dtype, shape, v.union([count, v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))])]),
      v.tuple([v.array(v.string()), dtype, shape]),
    ]),
  ),
  segments: v.array(integer),
  entries: v.array(integer),
});

/**
 * A stored template. It comes from a repository, so nothing in it is believed: sizes, numbers and the structure are checked.
 * @throws CheckpointError malformed, too-large
 */
export function unpackTemplate(packed: PackedTemplate): KeptTemplate {
  if (packed.literals > MAX_LITERAL_BYTES || packed.head > MAX_HEAD_BYTES)
    throw new CheckpointError('too-large', `The layout of the file has ${packed.literals} bytes of its own, more than is read.`);
  const content = inflateExactly(Buffer.from(packed.data, 'base64'), packed.head + packed.literals);
  const head = parseHead(content.subarray(0, packed.head));
  const groupBytes = head.groups.map(([, type, extents]) => possibleTensorBytes(type, extents));
  const segments = decodeSegments(head.segments, (group) => groupBytes[group] ?? null);
  if (segments === null) throw damaged('it names a group that it does not have');
  const groups = head.groups.map(([keys, type, extents, place], index): TemplateGroup => {
    return { keys, dtype: type, shape: extents, place: unpackPlace(place, groupBytes[index] ?? null) };
  });
  const template: FileTemplate = { bytes: packed.bytes, groups, segments, entries: unpackEntries(head.entries), literals: content.subarray(packed.head) };
  const problem = checkTemplate(template);
  if (problem !== null) throw damaged(problem);
  return { ...template, packed };
}

function damaged(what: string): CheckpointError {
  return new CheckpointError('malformed', `The stored layout of the file is damaged: ${what}.`);
}

function inflateExactly(data: Buffer, bytes: number): Buffer {
  let content: Buffer;
  try {
    content = inflateRawSync(data, { maxOutputLength: bytes + 1, dictionary: DICTIONARY });
  } catch (error) {
    throw new CheckpointError('malformed', 'The stored layout of the file is damaged: it cannot be decompressed.', { cause: error });
  }
  if (content.byteLength !== bytes) throw damaged('it has another size than it says');
  return content;
}

function parseHead(bytes: Buffer): v.InferOutput<typeof templateHead> {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged('its structure is no JSON');
  }
  const result = v.safeParse(templateHead, json);
  if (!result.success) throw damaged('its structure is not one that is known');
  return result.output;
}

function unpackPlace(place: number | string | undefined, bytes: number | null): TemplatePlace {
  if (typeof place === 'number') return { kind: 'same', as: place };
  if (typeof place === 'string') return { kind: 'fixed', sha256: place };
  return { kind: bytes === 0 ? 'empty' : 'segment' };
}

function unpackEntries(codes: readonly number[]): TemplateEntry[] {
  const entries: TemplateEntry[] = [];
  let end = 0;
  for (let at = 0; at + 1 < codes.length; at += 2) {
    const first = end + (codes[at] ?? 0);
    const segments = codes[at + 1] ?? 0;
    entries.push({ first, count: segments });
    end = first + segments;
  }
  return entries;
}
