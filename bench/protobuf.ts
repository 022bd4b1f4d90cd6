/** A small writer of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/), independent of the program's own. */

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function encode(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** A message, or bytes. */
export function field(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([...encode(number * 8 + 2), ...encode(content.byteLength)]), content]);
}

export function text(number: number, content: string): Uint8Array {
  return field(number, Buffer.from(content));
}

export function varint(number: number, value: number): Uint8Array {
  return Buffer.from([...encode(number * 8), ...encode(value)]);
}
