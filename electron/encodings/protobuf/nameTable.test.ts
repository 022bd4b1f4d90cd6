import { describe, expect, it } from 'vitest';
import { decodeName } from './names';
import { NameTable } from './nameTable';

/** All names one after the other, read twice each, as the table gives them. */
function readTwice(names: readonly Uint8Array[]): string[][] {
  const bytes = new Uint8Array(Buffer.concat([...names, ...names]));
  const table = new NameTable(bytes);
  let at = 0;
  const read = ({ byteLength }: Uint8Array) => {
    at += byteLength;
    return table.read(at - byteLength, at);
  };
  return [names.map(read), names.map(read)];
}

const encoded = (text: string) => new Uint8Array(Buffer.from(text));

const step = (hash: number, byte: number) => Math.imul(hash ^ byte, 0x01000193);

/** Two endings of four bytes that lead from one state of FNV-1a to one other (A. Joux, Multicollisions in iterated hash functions, 2004). */
function colliding(from: number): { readonly endings: readonly Uint8Array[]; readonly to: number } {
  const seen = new Map<number, number>();
  const ending = (i: number) => Uint8Array.of(i & 0x7f, (i >>> 7) & 0x7f, (i >>> 14) & 0x7f, (Math.imul(i, 37) >>> 3) & 0x7f);
  for (let i = 0; ; i++) {
    const to = step(step(step(step(from, i & 0x7f), (i >>> 7) & 0x7f), (i >>> 14) & 0x7f), (Math.imul(i, 37) >>> 3) & 0x7f);
    const other = seen.get(to);
    if (other !== undefined) return { endings: [ending(other), ending(i)], to };
    seen.set(to, i);
  }
}

describe('names that are read once for all', () => {
  it('are what they are read each by itself, whether text or not, short, empty or long', () => {
    const names = [
      ...Array.from({ length: 3000 }, (_, i) => encoded(`/model/layers.${i % 1500}/mlp/MatMul_output_0`)),
      encoded(''),
      encoded('größe'),
      Uint8Array.of(0x61, 0xff),
      Uint8Array.of(0x61, 0xfe),
      encoded('x'.repeat(256)),
      encoded('x'.repeat(257)),
      encoded('x'.repeat(5000)),
    ];
    const expected = names.map(decodeName);
    expect(readTwice(names)).toEqual([expected, expected]);
  });

  it('are told apart when they are made to have one hash', () => {
    let names: Uint8Array[] = [new Uint8Array(0)];
    let state = 0x811c9dc5;
    for (let stage = 0; stage < 6; stage++) {
      const { endings, to } = colliding(state);
      names = names.flatMap((name) => endings.map((ending) => new Uint8Array(Buffer.concat([name, ending]))));
      state = to;
    }
    expect(new Set(names.map((name) => name.reduce(step, 0x811c9dc5))).size).toBe(1);
    const expected = names.map((name) => Buffer.from(name).toString('latin1'));
    expect(new Set(expected).size).toBe(64);
    expect(readTwice(names)).toEqual([expected, expected]);
  });
});
