export interface LfsPointer {
  /** SHA-256 of the content, 64 lowercase hexadecimal digits. */
  readonly oid: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** Pointer files are shorter than this (git-lfs docs/spec.md, "The Pointer"). */
export const LFS_POINTER_LIMIT = 1024;

const VERSIONS = new Set(['https://git-lfs.github.com/spec/v1', 'https://hawser.github.com/spec/v1']);

/**
 * A Git LFS pointer, or `null` when the bytes are none. Strict, as the specification has it: UTF-8 lines `key value`, each
 * ended by LF, `version` first and the rest in alphabetical order, keys of `[a-z0-9.-]`, one `oid sha256:` and one `size`;
 * `ext-N-NAME` lines are the only others that git-lfs writes. A pointer with extensions has the oid of the stored object.
 */
export function parseLfsPointer(bytes: Uint8Array): LfsPointer | null {
  if (bytes.length === 0 || bytes.length >= LFS_POINTER_LIMIT) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!text.startsWith('version ') || !text.endsWith('\n')) return null;
  const lines = text.slice(0, -1).split('\n');
  const values = new Map<string, string>();
  let previous = '';
  for (const [i, line] of lines.entries()) {
    const match = /^([a-z0-9.-]+) ([^\r\n]+)$/.exec(line);
    if (match === null) return null;
    const [, key = '', value = ''] = match;
    if (i > 0 && (key <= previous || !/^(?:oid|size|ext-\d-[a-z0-9.-]+)$/.test(key))) return null;
    previous = i === 0 ? '' : key;
    values.set(key, value);
  }
  const oid = /^sha256:([0-9a-f]{64})$/.exec(values.get('oid') ?? '')?.[1];
  const size = /^(?:0|[1-9]\d{0,15})$/.test(values.get('size') ?? '') ? Number(values.get('size')) : Number.NaN;
  if (!VERSIONS.has(values.get('version') ?? '') || oid === undefined || !Number.isSafeInteger(size)) return null;
  return { oid, size };
}
