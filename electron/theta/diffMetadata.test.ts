import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UnpackedRepository, unpackRepository } from '../../e2e/fixtures/unpackRepository';
import { SignatureAccumulator } from '../tensors/signature/signature';
import { diffMetadata } from './diffMetadata';
import { isCommonContent } from './findRenames';
import type { ThetaEntry, ThetaMetadata } from './metadata';
import { parseMetadata } from './parseMetadata';

let sample: UnpackedRepository;
let digits: ThetaMetadata;
let chain: ThetaMetadata;
let other: UnpackedRepository;
beforeAll(async () => {
  [sample, other] = [await unpackRepository('digits'), await unpackRepository('d-st-chain40')];
  const read = ({ path }: UnpackedRepository, file: string) => parseMetadata(execFileSync('git', ['-C', path, 'cat-file', 'blob', `HEAD:${file}`]), file);
  const [tracked = ''] = execFileSync('git', ['-C', other.path, 'ls-tree', '--name-only', 'HEAD'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.endsWith('.safetensors'));
  digits = read(sample, 'model.pt');
  chain = read(other, tracked);
});
afterAll(async () => {
  await sample.dispose();
  await other.dispose();
});

/** The metadata with other names, and some facts of the entries changed. */
function renamed({ entries }: ThetaMetadata, names: Readonly<Record<string, string>>, change: Partial<ThetaEntry> = {}): ThetaMetadata {
  const moved = [...entries.values()].map((entry) => {
    const name = names[entry.name];
    return name === undefined ? entry : { ...entry, ...change, name, keys: [name] };
  });
  return { entries: new Map(moved.map((entry) => [entry.name, entry])), broken: [] };
}

function told(before: ThetaMetadata, after: ThetaMetadata) {
  const diff = diffMetadata(before, after);
  return { renamed: diff.renamed.map(({ a, b }) => `${a.name} ${b.name}`).sort(), added: diff.added.length, removed: diff.removed.length };
}

const hex = (digit: string) => digit.repeat(64);

describe('names in real metadata', () => {
  it('that all changed leave no removal and no addition', () => {
    const all = Object.fromEntries([...digits.entries.keys()].map((name) => [name, `net.${name}`]));
    const { renamed: pairs, added, removed } = told(digits, renamed(digits, all));
    expect(pairs).toEqual(
      Object.entries(all)
        .map(([from, to]) => `${from} ${to}`)
        .sort(),
    );
    expect([added, removed]).toEqual([0, 0]);
    expect(told(digits, digits)).toEqual({ renamed: [], added: 0, removed: 0 });
  });

  it('are found by the signature where the object is another one', () => {
    const [updated = ''] = [...chain.entries.values()].filter(({ updateType }) => updateType !== 'dense').map(({ name }) => name);
    const anew = { oid: hex('a'), updateType: 'dense' };
    expect(told(chain, renamed(chain, { [updated]: 'stem' }, anew))).toEqual({ renamed: [`${updated} stem`], added: 0, removed: 0 });
    const signature = chain.entries.get(updated)?.signature?.map((number, index) => (index === 15 ? number + 1n : number)) ?? null;
    expect(told(chain, renamed(chain, { [updated]: 'stem' }, { ...anew, signature }))).toEqual({ renamed: [], added: 1, removed: 1 });
    expect(told(chain, renamed(chain, { [updated]: 'stem' }, { ...anew, signature: null }))).toEqual({ renamed: [], added: 1, removed: 1 });
    // Of an update the object alone says nothing.
    expect(told(chain, renamed(chain, { [updated]: 'stem' }, { signature: null }))).toEqual({ renamed: [], added: 1, removed: 1 });
  });

  it('are other groups where type or shape is another', () => {
    const [name = ''] = digits.entries.keys();
    expect(told(digits, renamed(digits, { [name]: 'stem' }, { dtype: 'float64' }))).toMatchObject({ renamed: [] });
    expect(told(digits, renamed(digits, { [name]: 'stem' }, { shape: [1, 2, 3, 4] }))).toMatchObject({ renamed: [] });
  });

  it('with NaN in the value need the same object', () => {
    const nan = { updateType: 'dense', signature: Array.from({ length: 16 }, () => -(2n ** 63n)) };
    const before = renamed(digits, { 'fc1.weight': 'fc1.weight' }, nan);
    expect(told(before, renamed(before, { 'fc1.weight': 'fc2.weight' }))).toMatchObject({ renamed: ['fc1.weight fc2.weight'] });
    expect(told(before, renamed(before, { 'fc1.weight': 'fc2.weight' }, { oid: hex('a') }))).toMatchObject({ renamed: [] });
  });
});

interface Vector {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly signature: readonly string[];
}

describe('values that unrelated groups share', () => {
  const file = new URL('../../e2e/fixtures/vectors/lsh_vectors.json', import.meta.url);
  const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'));
  const base = { name: 'w', dtype: 'float32', oid: hex('b'), updateType: 'dense' } as const;

  it.each(vectors.filter(({ name }) => /^f32_/.test(name)).map(({ name, ...vector }) => [name, vector] as const))('%s', (name, { shape, signature }) => {
    const isCommon = isCommonContent({ ...base, shape, signature: signature.map(BigInt) });
    expect(isCommon).toBe(/zeros|_0d$|_nan|_infs?_|overflow|subnormal/.test(name) || shape.reduce((a, b) => a * b, 1) <= 1);
  });

  it.each([1, -0.5, 0.1, 3e4])('are tensors of %d over and over, and not ones with one other element', (value) => {
    for (const elements of [2, 16, 100, 4096]) {
      const values = new Float32Array(elements).fill(value);
      const common = () => {
        const signature = new SignatureAccumulator('float32');
        signature.add(new Uint8Array(values.buffer));
        return isCommonContent({ ...base, shape: [elements], signature: signature.finish() });
      };
      expect(common()).toBe(true);
      values[elements - 1] = value * 1.01;
      expect(common()).toBe(false);
    }
  });
});
