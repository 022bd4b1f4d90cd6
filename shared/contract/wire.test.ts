import { decode as referenceDecode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { isCheckpointError } from './errors';
import { decodeFrame, encodeFrame } from './wire';

const roundTrip = (value: unknown) => decodeFrame(encodeFrame(value));

describe('frames as bytes', () => {
  it.each([
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ])('carry %o with its type, bit for bit', (Type) => {
    // Odd lengths before it, so that the payload stands unaligned in the message.
    const bytes = new Uint8Array(24).map((_, index) => 0xf1 + index * 7);
    const array = new Type(bytes.buffer);
    const back = roundTrip({ pad: 'x', array });
    const received: unknown = Object.getOwnPropertyDescriptor(back, 'array')?.value;
    expect(received).toBeInstanceOf(Type);
    if (!(received instanceof Type)) return;
    expect(received.byteOffset % Type.BYTES_PER_ELEMENT).toBe(0);
    expect([...new Uint8Array(received.buffer, received.byteOffset, received.byteLength)]).toEqual([...bytes]);
  });

  it('carry only the view of an array, not its whole buffer', () => {
    const whole = Float64Array.of(1, 2, 3, 4, 5);
    expect(roundTrip(whole.subarray(1, 3))).toEqual(Float64Array.of(2, 3));
    expect(encodeFrame(new Float64Array(100_000).subarray(5, 6)).length).toBeLessThan(32);
  });

  it('carry empty arrays', () => {
    expect(roundTrip(new Float32Array(0))).toEqual(new Float32Array(0));
    expect(roundTrip([])).toEqual([]);
  });

  it('do not copy arrays into one another when two frames are held', () => {
    const first = encodeFrame({ values: Float32Array.of(1, 2) });
    const second = encodeFrame({ values: Float32Array.of(3, 4) });
    expect(decodeFrame(first)).toEqual({ values: Float32Array.of(1, 2) });
    expect(decodeFrame(second)).toEqual({ values: Float32Array.of(3, 4) });
  });

  it.each([
    0,
    1,
    -1,
    2 ** 31,
    -(2 ** 31),
    2 ** 32,
    2 ** 53 - 1,
    -(2 ** 53 - 1),
    0.1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.MIN_VALUE,
    1.7e308,
  ])('carry the number %s', (value) => {
    expect(roundTrip([value])).toEqual([value]);
  });

  it('keep undefined, null and a missing entry apart', () => {
    expect(roundTrip({ a: undefined, b: null })).toStrictEqual({ a: undefined, b: null });
  });

  it('are MessagePack as another implementation reads it', () => {
    const frame = { kind: 'call', id: 7, method: 'app/describe', input: { names: ['模型', 'ä'], deep: [[1, [2.5]]], none: null } };
    expect(referenceDecode(encodeFrame(frame))).toEqual(frame);
  });

  it('read the heartbeat as null', () => {
    expect(decodeFrame(new Uint8Array(0))).toBeNull();
  });

  it('cannot reach the prototype of what is decoded', () => {
    const bytes = encodeFrame(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    const back = decodeFrame(bytes);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['cut off', encodeFrame({ kind: 'call', values: new Float64Array(10) }).subarray(0, 40)],
    ['with bytes left over', Uint8Array.from([...encodeFrame({ a: 1 }), 1, 2])],
    ['declaring 4 GiB', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['declaring 4 GiB of binary', Uint8Array.of(0xc6, 0xff, 0xff, 0xff, 0xff, 1)],
    ['declaring 4 GiB of extension', Uint8Array.of(0xc9, 0xff, 0xff, 0xff, 0xff, 0x74, 8)],
    ['of an unknown extension', Uint8Array.of(0xd4, 0x33, 0)],
    ['of a reserved byte', Uint8Array.of(0xc1, 0xc1)],
    ['nested a million deep', new Uint8Array(1_000_000).fill(0x91)],
    ['with half an element', Uint8Array.of(0xc7, 4, 0x74, 8, 1, 2, 3)],
  ])('that are %s are refused as malformed', (_name, bytes) => {
    let thrown: unknown;
    try {
      decodeFrame(bytes);
    } catch (error) {
      thrown = error;
    }
    expect(isCheckpointError(thrown, 'malformed')).toBe(true);
  });
});

describe('texts with lone surrogates, as names from files that are no UTF-8 have', () => {
  it.each([
    ['a short one', 'g\udcfcn'],
    ['high and low apart', '\udc80\ud83d x'],
    ['beside a pair', '\u{1f600}\udc80'],
    ['a long one', `${'a'.repeat(500)}\udcff`],
  ])('%s comes through', (_, text) => {
    const frame = { kind: 'result', id: 1, result: { names: ['plain', text, ''], deep: [{ key: text }], bytes: new Uint8Array([1, 2]), none: undefined } };
    expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
  });
});
