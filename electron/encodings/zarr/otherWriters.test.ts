import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../bytes/memorySource';
import { collect } from '../testing/collect';
import { openZarrObject } from './openZarrObject';

interface Sample {
  readonly name: string;
  /** The packed object in base64: one member `parameter`. */
  readonly object: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Of the little-endian elements in C order, by NumPy. */
  readonly sha256: string;
}

/** Written by tensorstore 0.1.85 (which git-theta reads and writes with), numcodecs 0.16 and Python's own codecs. */
const samples: readonly Sample[] = JSON.parse(readFileSync(new URL('testing/otherWriters.json', import.meta.url), 'utf8'));

describe('arrays of other writers', () => {
  it.each(samples.map((sample) => [sample.name, sample] as const))('%s', async (_, { object, dtype, shape, sha256 }) => {
    const array = (await openZarrObject(memorySource(Buffer.from(object, 'base64')))).get('parameter');
    if (array === undefined) throw new Error('no array');
    expect({ dtype: array.dtype, shape: array.shape }).toEqual({ dtype, shape });
    const bytes = await collect(array.blocks());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    const width =
      bytes.byteLength /
      Math.max(
        1,
        shape.reduce((product, extent) => product * extent, 1),
      );
    for (const from of [1, 17, 100, 599]) {
      // The same elements when reading begins in the middle.
      const rest = await collect(array.blocks({ from }));
      expect(Buffer.compare(rest, bytes.subarray(from * width))).toBe(0);
    }
  });
});
