import { CheckpointError } from '../../../shared/contract/errors';
import { tensorBytes } from '../../../shared/model/shape';
import type { ByteSource } from '../../bytes/byteSource';
import { openFileSource } from '../../bytes/fileSource';
import { largestFirst } from './largestFirst';
import type { SourceGroup } from './sourceGroup';
import type { IncomingFile } from './spool';

/** A file that is cleaned while it comes in. */
export interface Arriving extends Pick<IncomingFile, 'arrived' | 'until'> {
  /** How many bytes it will have: what is made of it counts only when it has so many in the end. */
  readonly bytes: number;
}

/** The file as if it were complete: every read waits until what it reads has come. */
export function openArriving(path: string, { bytes, until }: Arriving): ByteSource {
  const within = async <T>(offset: number, length: number, read: (file: ByteSource) => Promise<T>): Promise<T> => {
    if (offset < 0 || length < 0 || offset + length > bytes) {
      throw new CheckpointError('truncated', `The bytes ${offset} to ${offset + length} are not in the file.`, { place: { file: path, offset } });
    }
    await until(offset + length);
    const file = await openFileSource(path);
    try {
      return await read(file);
    } finally {
      await file.close();
    }
  };
  return {
    length: bytes,
    read: (offset, length) => within(offset, length, (file) => file.read(offset, length)),
    close: async () => {},
  };
}

/**
 * Hands out groups, one for every call: of those that can be read the largest, so that none is left for the end while the other workers have
 * nothing to do. Waits for the next one of a file that comes in.
 */
export function takeGroups(groups: readonly SourceGroup[], arriving: Arriving | undefined): () => Promise<SourceGroup> {
  const left = largestFirst(groups).map((group) => ({ group, end: arriving === undefined ? 0 : endOf(group, arriving.bytes) }));
  return async () => {
    for (;;) {
      const here = left.findIndex(({ end }) => end <= (arriving?.arrived ?? 0));
      const [taken] = here === -1 ? [] : left.splice(here, 1);
      if (taken !== undefined) return taken.group;
      if (left.length === 0) throw new RangeError('There are no more groups');
      await arriving?.until(Math.min(...left.map(({ end }) => end)));
    }
  };
}

/** Bytes of the file that a group needs, from the front. */
function endOf({ plan, dtype, shape }: SourceGroup, whole: number): number {
  if (plan.kind === 'ref' && plan.ref.source.kind === 'memory') return 0;
  const plain = plan.kind === 'ref' && plan.ref.source.kind === 'file' && plan.ref.source.range === undefined && plan.ref.strides === null;
  return plain ? plan.ref.offset + tensorBytes(dtype, shape) : whole;
}
