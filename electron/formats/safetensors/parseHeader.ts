import { CheckpointError } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import { isJsonObject, type JsonValue, parseJson } from '../../encodings/json/parseJson';
import { type Declaration, parseDeclaration } from './parseEntry';

/** The one member of the header that is no tensor. */
export const METADATA = '__metadata__';

export interface ParsedHeader {
  /** In the order of the file. */
  readonly tensors: ReadonlyMap<string, Declaration>;
  readonly metadata: readonly MetadataEntry[];
}

/**
 * The header as JSON, with names once and `__metadata__` from text to text.
 * @param start offset of the text in the file, for places.
 * @throws CheckpointError malformed
 */
export function parseHeader(text: string, { file, start }: { readonly file: string; readonly start: number }): ParsedHeader {
  let value: JsonValue;
  try {
    value = parseJson(text, file);
  } catch (error) {
    // The parser counts characters of the header; a place counts bytes of the file.
    const known = CheckpointError.from(error);
    const offset = start + Buffer.byteLength(text.slice(0, known.place.offset ?? 0));
    throw new CheckpointError(known.code, `The header cannot be read. ${known.message}`, { place: { file, offset }, cause: error });
  }
  if (!isJsonObject(value)) throw new CheckpointError('malformed', 'The header is no JSON object.', { place: { file, offset: start } });
  const tensors = new Map<string, Declaration>();
  let metadata: readonly MetadataEntry[] = [];
  for (const [name, member] of value) {
    if (name === METADATA) metadata = parseMetadata(member, file);
    else tensors.set(name, parseDeclaration(name, member, file));
  }
  return { tensors, metadata };
}

function parseMetadata(value: JsonValue, file: string): MetadataEntry[] {
  // The reference takes null for absent.
  if (value === null) return [];
  if (!isJsonObject(value)) throw new CheckpointError('malformed', `${METADATA} is no JSON object.`, { place: { file } });
  const result: MetadataEntry[] = [];
  for (const [key, text] of value) {
    if (typeof text !== 'string') {
      throw new CheckpointError('malformed', `${METADATA} has the key ${JSON.stringify(key)}, whose value is no text.`, { place: { file } });
    }
    result.push({ key, value: text });
  }
  return result;
}
