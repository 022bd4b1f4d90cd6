import type { ByteSource } from '../../bytes/byteSource';
import type { Placed } from '../format';
import type { FileTemplate } from './fileTemplate';
import { PlannedFile } from './plannedFile';

/** The file of a template with zeros for everything that depends on values: its headers read as those of the file. */
export function templateSource({ bytes, segments, literals }: FileTemplate): ByteSource {
  const pieces: Placed[] = [];
  let offset = 0;
  let literal = 0;
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      pieces.push({ offset, bytes: literals.subarray(literal, literal + segment.bytes) });
      literal += segment.bytes;
    }
    offset += segment.bytes;
  }
  return new PlannedFile(bytes, pieces);
}
