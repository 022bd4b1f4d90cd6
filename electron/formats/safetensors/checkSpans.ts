import { CheckpointError } from '../../../shared/contract/errors';
import { sameShape } from '../../../shared/model/shape';
import type { SafetensorsEntry } from './parseEntry';

export interface DataPlace {
  readonly file: string;
  /** Offset of the first tensor byte in the file. */
  readonly dataOffset: number;
  readonly dataBytes: number;
}

/**
 * Checks that the tensors cover the data exactly, as the reference's `validate` does, except that tensors of one type and shape may
 * share one whole span: writers outside the reference do that with tied weights, and nothing about it is ambiguous.
 * @returns for each tensor that shares a span, the name that came first in the header.
 * @throws CheckpointError truncated, malformed
 */
export function checkSpans(entries: readonly SafetensorsEntry[], { file, dataOffset, dataBytes }: DataPlace): Map<string, string> {
  const ties = new Map<string, string>();
  // The sort keeps the header's order among equals, so the first of a tie is the first in the header.
  const sorted = entries.toSorted((a, b) => a.begin - b.begin || a.end - b.end);
  let start = 0;
  let before: SafetensorsEntry | null = null;
  for (const entry of sorted) {
    const { name, begin, end } = entry;
    const place = { file, group: name, offset: dataOffset + begin };
    if (end > dataBytes) {
      throw new CheckpointError('truncated', `The tensor should end at byte ${dataOffset + end}, but the file ends at byte ${dataOffset + dataBytes}.`, {
        place,
      });
    }
    if (before !== null && end > begin && begin === before.begin && isTie(before, entry)) {
      ties.set(name, before.name);
      continue;
    }
    if (begin < start) throw new CheckpointError('malformed', `The tensor overlaps the tensor ${JSON.stringify(before?.name)}.`, { place });
    if (begin > start)
      throw new CheckpointError('malformed', `The ${begin - start} bytes before the tensor belong to no tensor.`, {
        place: { ...place, offset: dataOffset + start },
      });
    start = end;
    before = entry;
  }
  if (start !== dataBytes) {
    throw new CheckpointError('malformed', `The last ${dataBytes - start} bytes of the file belong to no tensor.`, {
      place: { file, offset: dataOffset + start },
    });
  }
  return ties;
}

function isTie(a: SafetensorsEntry, b: SafetensorsEntry): boolean {
  return a.end === b.end && sameShape(a.shape, b.shape) && a.type.dtype !== null && a.type.dtype === b.type.dtype;
}
