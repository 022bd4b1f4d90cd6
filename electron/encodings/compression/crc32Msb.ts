let table: Uint32Array | undefined;

/** CRC-32 with the polynomial 0x04c11db7, most significant bit first, as bzip2 computes it (zip's is the mirrored one). */
export function crc32Msb(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
    return value;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum << 8) ^ (table[(sum >>> 24) ^ byte] ?? 0);
  return ~sum >>> 0;
}
