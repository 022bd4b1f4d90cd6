import type { ErrorPlace } from '../../../shared/contract/errors';
import type { MetadataEntry } from '../../../shared/model/checkpoint';
import type { ReadAhead } from '../../bytes/readAhead';
import { type MessageRange, type ScalarField, scanFields } from '../../encodings/protobuf/scanFields';
import { readLongText, readText } from './readText';

const NUMBERS: ReadonlyMap<number, string> = new Map([
  [1, 'ir_version'],
  [5, 'model_version'],
]);
const TEXTS: ReadonlyMap<number, string> = new Map([
  [2, 'producer_name'],
  [3, 'producer_version'],
  [4, 'domain'],
  [6, 'doc_string'],
]);
const OPSET_IMPORT = 8;
const METADATA_PROPS = 14;
/** The empty domain of an operator set has this name too (onnx.proto). */
const DEFAULT_DOMAIN = 'ai.onnx';

/** What a field of ModelProto says about the model; empty for the others. */
export async function readModelMetadata(ahead: ReadAhead, field: ScalarField, place: ErrorPlace): Promise<MetadataEntry[]> {
  const number = NUMBERS.get(field.number);
  if (number !== undefined && field.kind === 'varint') return [{ key: number, value: String(BigInt.asIntN(64, field.value)) }];
  if (field.kind !== 'bytes') return [];
  const text = TEXTS.get(field.number);
  if (text !== undefined) {
    const value = await readLongText(ahead, field);
    return value === '' ? [] : [{ key: text, value }];
  }
  if (field.number === OPSET_IMPORT) return [await readOpset(ahead, field, place)];
  if (field.number === METADATA_PROPS) return [await readProperty(ahead, field, place)];
  return [];
}

async function readOpset(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<MetadataEntry> {
  let domain = '';
  let version = 0n;
  for await (const field of scanFields(ahead, message, place)) {
    if (field.number === 1 && field.kind === 'bytes') domain = await readText(ahead, field, place);
    else if (field.number === 2 && field.kind === 'varint') version = field.value;
  }
  return { key: `opset ${domain === '' ? DEFAULT_DOMAIN : domain}`, value: String(BigInt.asIntN(64, version)) };
}

/** A StringStringEntryProto. */
async function readProperty(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<MetadataEntry> {
  let key = '';
  let value = '';
  for await (const field of scanFields(ahead, message, place)) {
    if (field.kind !== 'bytes') continue;
    if (field.number === 1) key = await readText(ahead, field, place);
    else if (field.number === 2) value = await readLongText(ahead, field);
  }
  return { key, value };
}
