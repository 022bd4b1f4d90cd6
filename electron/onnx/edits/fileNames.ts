import type { OnnxModel, OnnxTensor } from '../model/onnxModel';
import { allTensors } from './allTensors';
import { shownName } from './places';

const MAX_NAME_BYTES = 255;

/**
 * Why a file of external data cannot have a name, in a sentence; `null` when it can. Names are of one folder, the model's own
 * (https://github.com/onnx/onnx/blob/main/docs/ExternalData.md).
 * @param modelFile name of the model's own file, where it is known
 */
export function refusedFileName(model: OnnxModel, name: string, modelFile: string | null): string | null {
  const shown = shownName(name);
  if (name === '') return 'The file of external data has no name.';
  if (/[/\\:]/.test(name)) return `The file of external data must lie beside the model: ${shown} names a folder.`;
  if (name.startsWith('..') || name === '.') return `A file of external data cannot be called ${shown}.`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(name)) return `The name ${shown} holds characters that no file should have.`;
  if (/[. ]$/.test(name)) return `The name ${shown} ends in a dot or a space, which Windows does not keep.`;
  if (Buffer.byteLength(name, 'utf8') > MAX_NAME_BYTES) return `The name of the file of external data is longer than ${MAX_NAME_BYTES} bytes.`;
  if (modelFile !== null && sameFile(name, modelFile)) return `${shown} is the model itself.`;
  const owner = locations(model).get(name.toLowerCase());
  return owner === undefined ? null : `${shown} holds values of the model already (${shownName(owner)}) and is never written in place: choose another name.`;
}

/** A name for the values of one tensor that no other tensor's file has. */
export function freeFileName(model: OnnxModel, tensorName: string, modelFile: string | null): string {
  const stem =
    tensorName
      .replaceAll(/[^\w.-]+/g, '_')
      .replace(/^[._]+/, '')
      .slice(0, 100) || 'values';
  for (let count = 0; ; count++) {
    const name = `${stem}${count === 0 ? '' : `_${count}`}.data`;
    if (refusedFileName(model, name, modelFile) === null) return name;
  }
}

/** Disks of Windows and macOS take names that differ in case only for the same. */
function sameFile(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function locations(model: OnnxModel): Map<string, string> {
  const found = new Map<string, string>();
  for (const { tensor } of allTensors(model)) {
    if (tensor.external !== null) found.set(plain(tensor.external.location).toLowerCase(), nameOf(tensor));
  }
  return found;
}

function plain(location: string): string {
  return location.replace(/^(?:\.\/)+/, '');
}

function nameOf({ name }: OnnxTensor): string {
  return name === '' ? 'a tensor without a name' : name;
}
