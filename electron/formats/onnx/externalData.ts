import { CheckpointError, type ErrorPlace } from '../../../shared/contract/errors';
import type { ReadAhead } from '../../bytes/readAhead';
import type { MessageRange } from '../../encodings/protobuf/scanFields';
import type { ReadOptions, SiblingFile } from '../format';
import { readText } from './readText';
import { visitFields } from './visitFields';

/** `external_data` of a TensorProto (onnx.proto, ExternalData.md): keys that we do not know (checksum, basepath ...) say nothing about the place. */
export interface ExternalData {
  readonly location: string;
  /** As written: decimal digits, when the model is sound. `null`: 0. */
  readonly offset: string | null;
  /** `null`: to the end of the file. */
  readonly length: string | null;
}

/** Entries of `external_data`; the last of several with one key counts. */
export async function readExternalData(ahead: ReadAhead, entries: readonly MessageRange[], place: ErrorPlace): Promise<ExternalData> {
  const values = new Map<string, string>();
  for (const entry of entries) {
    const { key, value } = await readEntry(ahead, entry, place);
    values.set(key, value);
  }
  return { location: values.get('location') ?? '', offset: values.get('offset') ?? null, length: values.get('length') ?? null };
}

/** A StringStringEntryProto. */
async function readEntry(ahead: ReadAhead, message: MessageRange, place: ErrorPlace): Promise<{ readonly key: string; readonly value: string }> {
  const texts = new Map<number, MessageRange>();
  await visitFields(ahead, message, {
    place,
    visit: (field) => {
      if (field.kind === 'bytes') texts.set(field.number, field);
    },
  });
  const text = async (number: number) => {
    const range = texts.get(number);
    return range === undefined ? '' : readText(ahead, range, place);
  };
  return { key: await text(1), value: await text(2) };
}

/** Finds each file once. */
export function siblingFinder({ sibling }: ReadOptions): (location: string) => Promise<SiblingFile> {
  const found = new Map<string, Promise<SiblingFile>>();
  return (location) => {
    const known = found.get(location);
    if (known !== undefined) return known;
    const looking =
      sibling === undefined
        ? Promise.reject(
            new CheckpointError('not-found', `The tensor's values lie outside the model, in the file ${shown(location)}, which was not looked for.`),
          )
        : sibling(location);
    looking.catch(() => {});
    found.set(location, looking);
    return looking;
  };
}

/**
 * Where in its file the tensor's bytes are.
 * @param needs bytes of the tensor
 * @throws CheckpointError malformed, truncated; what finding the file throws. Every sentence names the file, and the sizes where there are any.
 */
export async function locateExternal(
  { location, offset, length }: ExternalData,
  needs: number,
  find: (location: string) => Promise<SiblingFile>,
): Promise<{ readonly file: SiblingFile; readonly offset: number }> {
  const name = shown(location);
  const start = offset === null ? 0 : parseCount('offset', offset, name);
  const given = length === null ? null : parseCount('length', length, name);
  const file = await find(location);
  if (start > file.bytes || (given !== null && start + given > file.bytes)) {
    const range = given === null ? `from ${start} on` : `${start} to ${start + given}`;
    throw new CheckpointError('truncated', `The tensor's values should be the bytes ${range} of ${name}, but that file has ${file.bytes}.`, {
      hint: 'The file may be another one, or not have been copied to its end.',
    });
  }
  const bytes = given ?? file.bytes - start;
  if (bytes !== needs) {
    const what =
      given === null ? `The file ${name} has ${bytes} bytes behind byte ${start}, where the tensor's values begin` : `The tensor has ${given} bytes in ${name}`;
    throw new CheckpointError('malformed', `${what}, but its type and shape need ${needs}.`);
  }
  return { file, offset: start };
}

function parseCount(what: string, text: string, file: string): number {
  const value = /^\d{1,17}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new CheckpointError('malformed', `The tensor's values lie in ${file}, but at the impossible ${what} ${shown(text)}.`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}
