import type { BlobContent, GitRepository } from '../../git/gitRepository';

/** Blobs of a list in their order from one stream of git; what was skipped, or is asked for again, is read by itself. */
export interface BlobFeed {
  get(oid: string): Promise<BlobContent>;
  close(): Promise<void>;
}

export function createBlobFeed(git: Pick<GitRepository, 'blobs'>, oids: readonly string[], options: { limit: number; signal: AbortSignal }): BlobFeed {
  /** Started when the first one is asked for. */
  let stream: AsyncIterator<BlobContent> | null = null;
  const ahead = new Map<string, number>();
  for (const oid of oids) ahead.set(oid, (ahead.get(oid) ?? 0) + 1);
  const alone = async (oid: string): Promise<BlobContent> => {
    for await (const content of git.blobs([oid], options)) return content;
    throw new TypeError(`no answer for blob ${oid}`);
  };
  return {
    async get(oid) {
      while ((ahead.get(oid) ?? 0) > 0) {
        stream ??= git.blobs(oids, options)[Symbol.asyncIterator]();
        const next = await stream.next();
        if (next.done === true) break;
        ahead.set(next.value.oid, (ahead.get(next.value.oid) ?? 1) - 1);
        if (next.value.oid === oid) return next.value;
      }
      return alone(oid);
    },
    async close() {
      await stream?.return?.();
    },
  };
}
