import { CheckpointError, isCheckpointError } from '../../../shared/contract/errors';
import type { BlobContent } from '../gitRepository';
import { wrongType } from '../objectErrors';
import { CatFileParser } from './catFileParser';
import { type GitCommand, streamGit } from './gitProcess';
import { BLOB_LIMIT, readNativeBlob } from './nativeBlob';
import type { NativeObjects } from './nativeObjects';

interface BlobsReader {
  readonly command: GitCommand;
  readonly objects: NativeObjects;
}

interface BlobsOptions {
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Many blobs in their order: sizes in one pass of `cat-file --batch-check`, then the contents of those within the limit in one pass of
 * `cat-file --batch`, of which one is held at a time. A damaged object ends git; what is left is then read one by one.
 */
export async function* readNativeBlobs(reader: BlobsReader, oids: readonly string[], options: BlobsOptions): AsyncGenerator<BlobContent> {
  const sizes = await sizesOf(reader.command, oids, options.signal);
  let done = 0;
  /** Those before the next one that is in the stream: too large, or not there. */
  const others = async function* (until: (oid: string) => boolean): AsyncGenerator<BlobContent> {
    for (let oid = oids[done]; oid !== undefined && !until(oid); oid = oids[done]) {
      done++;
      yield await alone(reader, oid, { ...options, size: sizes.get(oid) ?? null });
    }
  };
  const streamed = (oid: string) => (sizes.get(oid) ?? Number.POSITIVE_INFINITY) <= options.limit;
  try {
    for await (const { oid, bytes } of stream(reader.command, oids.filter(streamed), options.signal)) {
      yield* others(streamed);
      done++;
      yield { oid, size: bytes.length, bytes, error: null };
    }
  } catch (error) {
    if (options.signal?.aborted === true || isCheckpointError(error, 'cancelled')) throw error;
  }
  yield* others(() => false);
}

/** Sizes of those that are here and blobs. */
async function sizesOf(command: GitCommand, oids: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (oids.length === 0) return sizes;
  const input = [...new Set(oids)].map((oid) => `${oid}\n`).join('');
  let rest = '';
  for await (const chunk of streamGit(command, ['cat-file', '--batch-check', '--buffer'], { what: 'look for blobs', input, signal })) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, oid, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
      if (oid !== undefined) sizes.set(oid, Number(size));
    }
  }
  return sizes;
}

async function* stream(command: GitCommand, oids: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<{ oid: string; bytes: Uint8Array }> {
  if (oids.length === 0) return;
  let answered = 0;
  const parser = new CatFileParser('contents', () => {
    const spec = oids[answered];
    return spec === undefined ? null : { spec, limit: Number.POSITIVE_INFINITY };
  });
  const input = oids.map((oid) => `${oid}\n`).join('');
  for await (const chunk of streamGit(command, ['cat-file', '--batch', '--buffer'], { what: 'read blobs', input, signal })) {
    for (const reply of parser.push(chunk)) {
      const oid = oids[answered++] ?? '';
      // Seen a moment ago, so this is no usual case: asked for alone, git says why.
      if (reply.kind !== 'object') throw new CheckpointError('missing-object', `git did not give the blob ${oid}.`, { place: { oid } });
      yield { oid, bytes: reply.bytes };
    }
  }
}

/** One that is no part of the stream. */
async function alone({ command, objects }: BlobsReader, oid: string, options: BlobsOptions & { readonly size: number | null }): Promise<BlobContent> {
  const { limit, size } = options;
  if (size !== null && size > limit) return { oid, size, bytes: null, error: null };
  try {
    const found = await objects.find(oid, options.signal);
    if (found === null) throw await objects.whyMissing(oid);
    if (found.type !== 'blob') throw wrongType(oid, found.type, 'blob');
    if (found.size > limit) return { oid, size: found.size, bytes: null, error: null };
    const bytes = await readNativeBlob(command, objects, { oid, limit: Math.min(limit, BLOB_LIMIT) });
    return { oid, size: bytes.length, bytes, error: null };
  } catch (error) {
    if (options.signal?.aborted === true || isCheckpointError(error, 'cancelled')) throw error;
    return { oid, size: null, bytes: null, error: CheckpointError.from(error) };
  }
}
