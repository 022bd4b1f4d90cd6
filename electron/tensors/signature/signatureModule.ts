/** How one signature finds its block of the pool, and the order inside it. */
export interface Projection {
  /** XORed with the low 30 bits of the block number. */
  readonly low: number;
  /** XORed with the position in the block. */
  readonly swap: number;
}

/** Layout of the kernel's memory in bytes. */
export const LAYOUT = { pool: 0, sums: 80_000, highParts: 80_128, values: 81_920, pages: 3 } as const;
/** Elements that fit behind `LAYOUT.values`; 16 kB, so that both passes over them stay in the first cache. */
export const KERNEL_VALUES = 2048;

const BLOCK = 16;
const POOL_BLOCKS = 625;
/** Projections whose sums are in registers at a time. */
const SIDE_BY_SIDE = 8;

const I32 = 0x7f;
const F64 = 0x7c;

/** Locals: three parameters, a walking copy of each, eight block addresses, the element, eight sums. */
const FIRST_COPY = 3;
const FIRST_BASE = 6;
const ELEMENT = FIRST_BASE + SIDE_BY_SIDE;
const FIRST_SUM = ELEMENT + 1;

/**
 * Assembles the WebAssembly module of the signature's inner loop, unrolled for these projections, so that no address is computed but the
 * block's and nothing is checked: about twice as fast as the same loop in JavaScript. WebAssembly never fuses a product and a sum, so the bits are the same.
 * Exports `memory` and `project(values: i32, blocks: i32, low: i32)`: whole aligned blocks of 16 doubles, from the block number `low` on.
 */
export function assembleSignatureModule(projections: readonly Projection[]): Uint8Array<ArrayBuffer> {
  const body = [...declarations()];
  for (let first = 0; first < projections.length; first += SIDE_BY_SIDE) body.push(...pass(projections.slice(first, first + SIDE_BY_SIDE), first));
  body.push(0x0b);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, LAYOUT.pages]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('project'), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ]);
}

function declarations(): number[] {
  return [3, FIRST_BASE - FIRST_COPY + SIDE_BY_SIDE, I32, 1, F64, SIDE_BY_SIDE, F64];
}

/** One pass over all blocks for up to eight projections. */
function pass(projections: readonly Projection[], first: number): number[] {
  const sums = projections.map((_, s) => LAYOUT.sums + 8 * (first + s));
  return [
    ...[0, 1, 2].flatMap((parameter) => [...get(parameter), ...set(FIRST_COPY + parameter)]),
    ...sums.flatMap((address, s) => [...constant(0), ...loadF64(address), ...set(FIRST_SUM + s)]),
    // loop
    ...[0x03, 0x40],
    ...projections.flatMap((projection, s) => blockAddress(projection, { local: FIRST_BASE + s, highPart: LAYOUT.highParts + 4 * (first + s) })),
    ...Array.from({ length: BLOCK }, (_, position) => elementSums(projections, position)).flat(),
    ...advance(FIRST_COPY, 8 * BLOCK),
    ...advance(FIRST_COPY + 2, 1),
    ...advance(FIRST_COPY + 1, -1),
    // br_if loop, end
    ...[...get(FIRST_COPY + 1), 0x0d, 0, 0x0b],
    ...sums.flatMap((address, s) => [...constant(0), ...get(FIRST_SUM + s), ...storeF64(address)]),
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

/** For one element of the block: every sum += element * pool[block + (position ^ swap)]. */
function elementSums(projections: readonly Projection[], position: number): number[] {
  return [
    ...[...get(FIRST_COPY), ...loadF64(8 * position), ...set(ELEMENT)],
    ...projections.flatMap(({ swap }, s) => [
      ...get(FIRST_SUM + s),
      ...get(ELEMENT),
      ...[...get(FIRST_BASE + s), ...loadF64(LAYOUT.pool + 8 * (position ^ swap))],
      // f64.mul, f64.add
      ...[0xa2, 0xa0],
      ...set(FIRST_SUM + s),
    ]),
  ];
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

function loadF64(offset: number): number[] {
  return [0x2b, 3, ...unsigned(offset)];
}

function storeF64(offset: number): number[] {
  return [0x39, 3, ...unsigned(offset)];
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
