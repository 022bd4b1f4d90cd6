/** The ways in which PyTorch checkpoints are kept: a zip (since 1.6), pickles and storages in one file (0.1.10 to 1.5), a tar (before); or some other pickle. */
export type Container = 'zip' | 'legacy' | 'tar' | 'pickle';

/** `_get_legacy`'s magic number 0x1950a86a20f9469cfc6c as LONG1 has it: little-endian (torch/serialization.py MAGIC_NUMBER). */
const MAGIC = Buffer.of(0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19);
/** Where the magic number stands: behind PROTO and LONG1, and FRAME from protocol 4 on. */
const MAGIC_WITHIN = 32;

/** Entries that torch's zips start with, whatever their root folder; TorchScript's have code and constants. */
const FIRST_ENTRY =
  /^[^/]*\/(?:$|data\.pkl$|version$|byteorder$|\.format_version$|\.storage_alignment$|constants\.pkl$|model\.json$|(?:\.?data|code|constants|extra|tensors)\/)/;
const TAR_MEMBER = /^(?:\.\/)?(?:sys_info|pickle|storages|tensors)$/;

/** Tells the container from the first bytes (4 KiB are plenty); `null` when it is none of PyTorch's. */
export function recognise(head: Uint8Array): Container | null {
  const latin1 = (start: number, end: number) => Buffer.from(head.subarray(start, end)).toString('latin1');
  if (latin1(0, 4) === 'PK\x03\x04' && head.byteLength >= 30) {
    const nameLength = (head[26] ?? 0) + 256 * (head[27] ?? 0);
    const name = latin1(30, 30 + nameLength);
    return FIRST_ENTRY.test(name) && !name.endsWith('.npy') ? 'zip' : null;
  }
  if (head[0] === 0x80) {
    const protocol = head[1] ?? 255;
    const instruction = head[2] ?? 0;
    if (Buffer.from(head.subarray(0, MAGIC_WITHIN)).includes(MAGIC)) return 'legacy';
    // A safetensors header starts with its length in 8 bytes, which may look like a pickle, and a brace.
    if (latin1(5, 9) === '\0\0\0{') return null;
    return protocol >= 2 && protocol <= 5 && '}](c)NXUKMJGIK\x95\x8a\x88\x89\x8c\x8f'.includes(String.fromCharCode(instruction)) ? 'pickle' : null;
  }
  if (latin1(257, 262) === 'ustar' && TAR_MEMBER.test(latin1(0, 100).replace(/\0.*$/s, ''))) return 'tar';
  return null;
}
