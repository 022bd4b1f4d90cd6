import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from '../../../shared/contract/errors';
import { DICTIONARY, DICTIONARY_NUMBER } from './dictionary';
import { MAX_LITERAL_BYTES } from './fileTemplate';
import type { PackedTemplate } from './packTemplate';
import { packTemplate } from './packTemplate';
import { openFixture, templateOf } from './testing/fixtureTemplate';
import { unpackTemplate } from './unpackTemplate';

/** Codes of segmentCodes.ts: the next tensor, the next checksum, a content id of some entries. */
const TENSOR = -1;
const CHECKSUM = -2;
const contentId = (entries: number) => -3 - 3 * entries;
const backward = (kind: number, steps: number) => kind - 3 * (2 * steps - 1);

interface Parts {
  readonly groups?: readonly unknown[];
  readonly segments?: readonly number[];
  readonly entries?: readonly number[];
  readonly literals?: string;
  readonly bytes?: number;
}

/** A zip-like file: header, one tensor of 8 bytes in an entry, its checksum, the end. */
const SOUND = {
  groups: [[['w'], 'float32', [2]]] as readonly unknown[],
  segments: [4, TENSOR, CHECKSUM, 3] as readonly number[],
  entries: [1, 1] as readonly number[],
  literals: 'headend',
  bytes: 4 + 8 + 4 + 3,
};

function pack(parts: Parts): PackedTemplate {
  const { bytes, literals, ...head } = { ...SOUND, ...parts };
  const text = Buffer.from(JSON.stringify(head));
  const data = deflateRawSync(Buffer.concat([text, Buffer.from(literals)]), { dictionary: DICTIONARY }).toString('base64');
  return { dictionary: DICTIONARY_NUMBER, bytes, head: text.byteLength, literals: Buffer.byteLength(literals), data };
}

function outcome(packed: PackedTemplate): string {
  try {
    unpackTemplate(packed);
    return 'read';
  } catch (error) {
    if (isCheckpointError(error)) return error.code;
    throw error;
  }
}

describe('unpackTemplate', () => {
  it('reads a sound one', () => {
    expect(unpackTemplate(pack({}))).toMatchObject({ bytes: 19, groups: [{ keys: ['w'], place: { kind: 'segment' } }], entries: [{ first: 1, count: 1 }] });
  });

  const twice = [SOUND.groups[0], SOUND.groups[0]];
  const other = [['v'], 'float32', [2]];
  it.each<[string, Parts]>([
    ['another size of the file', { bytes: 20 }],
    ['no size', { bytes: 0 }],
    ['literals that are too few', { literals: 'head' }],
    ['literals that are too many', { literals: 'headend.' }],
    ['a literal longer than any file', { segments: [2 ** 53 - 1, 2 ** 53 - 1, TENSOR, CHECKSUM] }],
    ['a group in two places', { segments: [4, TENSOR, backward(TENSOR, 1), 3], bytes: 23 }],
    ['a group named twice', { groups: twice, segments: [4, TENSOR, TENSOR, 3], bytes: 23 }],
    ['a group that is nowhere', { groups: [SOUND.groups[0], other] }],
    ['a group that does not exist', { segments: [4, TENSOR, TENSOR, 3], bytes: 23 }],
    ['a group before the first', { segments: [4, backward(TENSOR, 1), 7], bytes: 19 }],
    ['a group that is the same as none', { groups: [SOUND.groups[0], [...other, 9]] }],
    ['a group that is the same as itself', { groups: [[...other, 0]] }],
    ['a group that is the same as a shorter one', { groups: [SOUND.groups[0], [['v'], 'float32', [3], 0]] }],
    ['a group in the file and elsewhere', { groups: [[['w'], 'float32', [2], 'a'.repeat(64)]] }],
    ['a digest that is none', { groups: [SOUND.groups[0], [...other, 'abc']] }],
    ['a type that is none', { groups: [[['w'], 'float33', [2]]] }],
    ['a negative extent', { groups: [[['w'], 'float32', [-2]]] }],
    ['a tensor larger than any', { groups: [[['w'], 'float32', [2 ** 50, 2 ** 50]]] }],
    ['a fraction', { segments: [4.5, TENSOR, CHECKSUM, 2.5] }],
    ['the checksum of an entry that is not there', { entries: [] }],
    ['the checksum of an entry before the first', { segments: [4, TENSOR, backward(CHECKSUM, 1), 3] }],
    ['a checksum in its own data', { entries: [1, 2] }],
    ['entries that overlap', { entries: [1, 1, -1, 1] }],
    ['an entry behind the end', { entries: [1, 9] }],
    ['an entry before the start', { entries: [-1, 1] }],
    ['an entry of a negative length', { entries: [1, -1] }],
    ['a digest of itself', { segments: [4, TENSOR, contentId(1), 3], entries: [1, 2], bytes: 35 }],
    ['a digest of entries that are not there', { segments: [4, TENSOR, contentId(5), 3], bytes: 35 }],
    ['two digests', { segments: [4, TENSOR, contentId(1), contentId(1), 3], bytes: 55 }],
  ])('refuses %s', (_, parts) => {
    expect(outcome(pack(parts))).toBe('malformed');
  });

  it.each<[string, Partial<PackedTemplate>, string]>([
    ['data that is cut off', { data: pack({}).data.slice(0, 20) }, 'malformed'],
    ['no data', { data: '' }, 'malformed'],
    ['data that is none', { data: '!!!!' }, 'malformed'],
    ['data that is longer than it says', { head: pack({}).head - 1 }, 'malformed'],
    ['data that is shorter than it says', { head: pack({}).head + 1 }, 'malformed'],
    ['a structure that is no JSON', { head: pack({}).head - 1, literals: SOUND.literals.length + 1 }, 'malformed'],
    ['more literals than there may be', { literals: MAX_LITERAL_BYTES + 1 }, 'too-large'],
    ['a structure that is larger than any', { head: 2 ** 40 }, 'too-large'],
  ])('refuses %s', (_, change, code) => {
    expect(outcome({ ...pack({}), ...change })).toBe(code);
  });

  it('expands nothing beyond the size that is said', () => {
    const data = deflateRawSync(Buffer.alloc(50_000_000), { dictionary: DICTIONARY }).toString('base64');
    expect(outcome({ ...pack({}), data })).toBe('malformed');
  });

  it('ends for every flipped byte of a true one in an error or a sound template', async () => {
    const kept = (await packTemplate(await templateOf(await openFixture('digits/checkpoints/01_init.pt')))) ?? expect.fail();
    const bytes = Buffer.from(kept.packed.data, 'base64');
    for (let at = 0; at < bytes.byteLength; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      expect(['read', 'malformed']).toContain(outcome({ ...kept.packed, data: flipped.toString('base64') }));
    }
    for (let cut = 0; cut < bytes.byteLength; cut += 7) expect(outcome({ ...kept.packed, data: bytes.subarray(0, cut).toString('base64') })).toBe('malformed');
  });
});
