/**
 * Elements of `size` bytes whose bits differ, between equally many. A loop for each kind of array: one that sees several kinds takes many
 * times as long.
 */
export function countChanged(before: Uint8Array, after: Uint8Array, size: number): number {
  if (size === 1) return countBytes(before, after);
  if (size === 2) return countHalves(halves(before), halves(after));
  return size === 4 ? countWords(words(before), words(after)) : countWide(words(before), words(after), size / 4);
}

function countBytes(a: Uint8Array, b: Uint8Array): number {
  let changed = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) changed++;
  return changed;
}

function countHalves(a: Uint16Array, b: Uint16Array): number {
  let changed = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) changed++;
  return changed;
}

function countWords(a: Uint32Array, b: Uint32Array): number {
  let changed = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) changed++;
  return changed;
}

function countWide(a: Uint32Array, b: Uint32Array, wide: number): number {
  let changed = 0;
  for (let i = 0; i < a.length; i += wide) {
    let differs = false;
    for (let word = i; word < i + wide; word++) differs ||= a[word] !== b[word];
    if (differs) changed++;
  }
  return changed;
}

function words(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function halves(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}
