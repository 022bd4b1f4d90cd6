/** Offers a file to the user: the browser saves it where its downloads go, the desktop asks where. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  // Some browsers follow only links that are in the document.
  document.body.append(link);
  link.click();
  link.remove();
  // The download takes the content over before the next turn; a minute is for slow ones.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Longer names are refused by file systems once a folder's path is added. */
const LONGEST = 120;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name that every file system takes, from text that may hold anything: `fc1.weight histogram` becomes `fc1.weight-histogram.csv`. */
export function safeFileName(stem: string, extension: string): string {
  const plain = stem
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s/\\:*?"<>|]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  // By characters, not by halves of them; the end tells more than the middle.
  const characters = [...plain];
  const short = characters.length <= LONGEST ? plain : `${characters.slice(0, LONGEST - 41).join('')}…${characters.slice(-40).join('')}`;
  const name = short === '' ? 'export' : RESERVED.test(short) ? `_${short}` : short;
  return `${name}.${extension}`;
}
