import { CheckpointError } from '../../shared/contract/errors';

/** Longest name of a file on every file system that matters, in bytes of UTF-8. */
const MOST_BYTES = 255;
/** Names that Windows takes for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/**
 * The name of the file in the query of an upload: the last part of a path and nothing else.
 * @throws CheckpointError `invalid-request` for whatever could mean another place or cannot be a name
 */
export function uploadName(query: string, platform: NodeJS.Platform = process.platform): string {
  const parameters = new URLSearchParams(query);
  const names = parameters.getAll('name');
  const [name] = names;
  if (name === undefined || names.length !== 1 || [...parameters.keys()].length !== 1) throw refused('An upload names exactly one file.');
  if (name === '' || name === '.' || name === '..') throw refused('An upload needs the name of a file.');
  if (/[/\\]/.test(name)) throw refused('The name of an uploaded file is not a path.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f\ufffd]/.test(name)) throw refused('The name of the file has characters that no name should have.');
  if (Buffer.byteLength(name) > MOST_BYTES) throw refused(`The name of the file is longer than ${MOST_BYTES} bytes.`);
  if (platform === 'win32' && (/[<>:"|?*]|[. ]$/.test(name) || DEVICE.test(name))) throw refused('Windows takes no file of this name.');
  return name;
}

function refused(sentence: string): CheckpointError {
  return new CheckpointError('invalid-request', sentence, { hint: 'Rename the file and send it again.' });
}
