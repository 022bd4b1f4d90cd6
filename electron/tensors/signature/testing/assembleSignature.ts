import { LAYOUT } from '../signatureModule';

/** How one signature finds its block of the pool, and the order inside it. */
export interface Projection {
  /** XORed with the low 30 bits of the block number. */
  readonly low: number;
  /** XORed with the position in the block. */
  readonly swap: number;
}

const BLOCK = 16;
const POOL_BLOCKS = 625;
/** Projections whose sums are in registers at a time, two in each; with more, addresses no longer fit into registers. */
const SIDE_BY_SIDE = 4;

const I32 = 0x7f;
const V128 = 0x7b;

/** Locals: three parameters, a walking copy of each, block addresses, two elements, products of two projections, sums. */
const FIRST_COPY = 3;
const FIRST_BASE = 6;
const ELEMENTS = FIRST_BASE + SIDE_BY_SIDE;
const PAIRS = ELEMENTS + 2;
const FIRST_SUM = PAIRS + 2;

/**
 * Assembles the WebAssembly module of the signature's inner loop, unrolled for these projections, so that no address is computed but the
 * block's and nothing is checked. Two sums are in one vector; every product and every sum is still rounded by itself and in the same order,
 * and WebAssembly never fuses them, so the bits are those of the same loop in JavaScript.
 * Exports `memory`; `project(values: i32, blocks: i32, low: i32)`: whole aligned blocks of 16 doubles, from the block number `low` on; and
 * `widen(floats: i32, blocks: i32, values: i32)`: as many floats as doubles.
 */
export function assembleSignatureModule(projections: readonly Projection[]): Uint8Array<ArrayBuffer> {
  const project = [...declarations()];
  for (let first = 0; first < projections.length; first += SIDE_BY_SIDE) project.push(...pass(projections.slice(first, first + SIDE_BY_SIDE), first));
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 0, LAYOUT.pages]),
    ...section(7, [3, ...name('memory'), 2, 0, ...name('project'), 0, 0, ...name('widen'), 0, 1]),
    ...section(10, [2, ...sized([...project, 0x0b]), ...sized([0, ...widenBlocks(), 0x0b])]),
  ]);
}

function declarations(): number[] {
  return [2, FIRST_BASE - FIRST_COPY + SIDE_BY_SIDE, I32, 4 + SIDE_BY_SIDE / 2, V128];
}

/** One pass over all blocks for some projections, an even number of them. */
function pass(projections: readonly Projection[], first: number): number[] {
  const sums = Array.from({ length: projections.length / 2 }, (_, pair) => LAYOUT.sums + 8 * first + 16 * pair);
  return [
    ...[0, 1, 2].flatMap((parameter) => [...get(parameter), ...set(FIRST_COPY + parameter)]),
    ...sums.flatMap((address, pair) => [...constant(0), ...loadV128(address), ...set(FIRST_SUM + pair)]),
    // loop
    ...[0x03, 0x40],
    ...projections.flatMap((projection, s) => blockAddress(projection, { local: FIRST_BASE + s, highPart: LAYOUT.highParts + 4 * (first + s) })),
    ...Array.from({ length: BLOCK / 2 }, (_, half) => twoElements(projections, 2 * half)).flat(),
    ...advance(FIRST_COPY, 8 * BLOCK),
    ...advance(FIRST_COPY + 2, 1),
    ...advance(FIRST_COPY + 1, -1),
    // br_if loop, end
    ...[...get(FIRST_COPY + 1), 0x0d, 0, 0x0b],
    ...sums.flatMap((address, pair) => [...constant(0), ...get(FIRST_SUM + pair), ...storeV128(address)]),
  ];
}

/** Two floats at a time: v128.load64_zero, f64x2.promote_low_f32x4. */
function widenBlocks(): number[] {
  const two = (half: number) => [...get(2), ...get(0), ...simd(0x5d), 3, ...unsigned(8 * half), ...simd(0x5f), ...storeV128(16 * half)];
  return [
    // loop
    ...[0x03, 0x40],
    ...Array.from({ length: BLOCK / 2 }, (_, half) => two(half)).flat(),
    ...advance(0, 4 * BLOCK),
    ...advance(2, 8 * BLOCK),
    ...advance(1, -1),
    // br_if loop, end
    ...[...get(1), 0x0d, 0, 0x0b],
  ];
}

/** `local = ((low ^ projection.low) % 625 + highPart) % 625 * 128`, the second remainder by a comparison: both terms are below 625. */
function blockAddress(projection: Projection, at: { readonly local: number; readonly highPart: number }): number[] {
  return [
    ...get(FIRST_COPY + 2),
    ...constant(projection.low),
    // i32.xor, i32.rem_u, i32.load, i32.add
    ...[0x73, ...constant(POOL_BLOCKS), 0x70],
    ...[...constant(0), 0x28, 2, ...unsigned(at.highPart), 0x6a],
    ...[0x22, at.local],
    ...constant(POOL_BLOCKS),
    // i32.sub, then select by i32.ge_u
    0x6b,
    ...get(at.local),
    ...get(at.local),
    ...constant(POOL_BLOCKS),
    ...[0x4f, 0x1b],
    // i32.mul
    ...[...constant(8 * BLOCK), 0x6c],
    ...set(at.local),
  ];
}

/**
 * For two neighbouring elements of the block: every sum += element * pool[block + (position ^ swap)], first for the one, then for the
 * other. Their deviates are neighbours in the pool too, in either order; those of two projections are exchanged to have one vector for each element.
 */
function twoElements(projections: readonly Projection[], position: number): number[] {
  // v128.load64_splat
  const element = (i: number) => [...get(FIRST_COPY), ...simd(0x0a), 3, ...unsigned(8 * (position + i)), ...set(ELEMENTS + i)];
  const code = [...element(0), ...element(1)];
  for (let s = 0; s < projections.length; s += 2) {
    const swaps = [projections[s]?.swap ?? 0, projections[s + 1]?.swap ?? 0] as const;
    for (const [i, swap] of swaps.entries()) code.push(...get(FIRST_BASE + s + i), ...loadV128(LAYOUT.pool + 8 * ((position ^ swap) & ~1)), ...set(PAIRS + i));
    for (const i of [0, 1]) {
      const sum = FIRST_SUM + s / 2;
      const lanes = swaps.map((swap, from) => 8 * ((swap & 1) ^ i) + 16 * from);
      code.push(...get(sum), ...get(ELEMENTS + i), ...get(PAIRS), ...get(PAIRS + 1));
      // i8x16.shuffle
      code.push(...simd(0x0d), ...lanes.flatMap((lane) => [0, 1, 2, 3, 4, 5, 6, 7].map((byte) => lane + byte)));
      // f64x2.mul, f64x2.add
      code.push(...simd(0xf2), ...simd(0xf0), ...set(sum));
    }
  }
  return code;
}

function get(local: number): number[] {
  return [0x20, local];
}

function set(local: number): number[] {
  return [0x21, local];
}

function constant(value: number): number[] {
  return [0x41, ...signed(value)];
}

/** A vector instruction by its number. */
function simd(instruction: number): number[] {
  return [0xfd, ...unsigned(instruction)];
}

function loadV128(offset: number): number[] {
  return [...simd(0x00), 3, ...unsigned(offset)];
}

function storeV128(offset: number): number[] {
  return [...simd(0x0b), 3, ...unsigned(offset)];
}

function advance(local: number, by: number): number[] {
  return [...get(local), ...constant(by), 0x6a, ...set(local)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -64 || rest > 63) {
    bytes.push((rest & 127) | 128);
    rest >>= 7;
  }
  return [...bytes, rest & 127];
}
