import { openFileSource } from '../../bytes/fileSource';
import { createDigest, type DigestKind } from '../../tensors/digestBytes';
import { openRef } from '../../tensors/openRef';
import { forEachBlock } from './forEachBlock';
import type { TaskContext } from './task';

export interface FileDigestInput {
  readonly file: string;
  readonly kind: DigestKind;
}

export interface FileDigestOutput {
  /** Lowercase hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
}

/** Hashes a whole file. */
export async function fileDigest({ file, kind }: FileDigestInput, context: TaskContext): Promise<FileDigestOutput> {
  const source = await openFileSource(file);
  const bytes = source.length;
  await source.close();
  const ref = { dtype: 'uint8', shape: [bytes], source: { kind: 'file', path: file }, offset: 0, strides: null, bigEndian: false } as const;
  const stream = await openRef(ref, file);
  try {
    const hash = createDigest(kind, bytes);
    await forEachBlock(stream, (block) => void hash.update(block), { context, before: 0, total: bytes });
    return { digest: hash.digest('hex'), bytes };
  } finally {
    await stream.close();
  }
}
