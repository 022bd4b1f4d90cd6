import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { dtypeBytes } from '../../../shared/model/dtype';
import { openRegular } from '../../bytes/openRegular';
import { repeatedElement } from '../../tensors/repeatedElement';
import { isPlan, type OpenedGroup } from '../checkpoints/openedCheckpoint';
import { asFileTensor } from '../checkpoints/sameBytes';

/** Bytes read at each of the places, and the places: beginning, thirds, end. */
const PIECE_BYTES = 1024;
const PIECES = 4;

/** Smaller values are read whole: a worker would take longer to be asked. */
const MAX_WHOLE_BYTES = 64 * 1024;

export interface Sample {
  /** Other ones for one dtype and shape mean other values. */
  readonly hash: string;
  /** Whether it is the SHA-256 of the whole value. */
  readonly isWhole: boolean;
  /** All the elements that were looked at have the same bits. */
  readonly isConstant: boolean;
}

export interface Sampler {
  /**
   * A hash over a few bytes of the value, or all of a small one. `null` where it takes more than reading some bytes: chains of updates, other
   * layouts, files that cannot be read.
   */
  sample(group: OpenedGroup): Promise<Sample | null>;
  close(): Promise<void>;
}

/** Looks into files, each opened once. */
export function createSampler(): Sampler {
  const handles = new Map<string, Promise<FileHandle>>();
  const open = (path: string) => {
    const handle = handles.get(path) ?? openRegular(path).then((opened) => opened.handle);
    handles.set(path, handle);
    return handle;
  };
  return {
    async sample({ plan, group }) {
      const place = isPlan(plan) && plan.kind === 'ref' && !plan.ref.bigEndian ? asFileTensor(plan.ref) : null;
      if (place === null) return null;
      try {
        const handle = await open(place.path);
        const hash = createHash('sha256');
        const isWhole = group.bytes <= MAX_WHOLE_BYTES;
        const piece = Buffer.alloc(isWhole ? group.bytes : PIECE_BYTES);
        const last = group.bytes - piece.byteLength;
        const elements = new Set<string | null>();
        for (let i = 0; i < (isWhole ? 1 : PIECES); i++) {
          const offset = Math.floor((last * i) / (PIECES - 1));
          const { bytesRead } = await handle.read(piece, 0, piece.byteLength, place.start + offset);
          if (bytesRead !== piece.byteLength) return null;
          hash.update(piece);
          elements.add(repeatedElement(piece, dtypeBytes(group.dtype), offset));
        }
        return { hash: hash.digest('hex'), isWhole, isConstant: elements.size === 1 && !elements.has(null) };
      } catch {
        return null;
      }
    },
    async close() {
      await Promise.all([...handles.values()].map((handle) => handle.then((opened) => opened.close()).catch(() => {})));
    },
  };
}
