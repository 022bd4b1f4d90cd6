/** Index of the next name after `from` that begins with the letter, starting over at the end; `null` when none does. */
export function nextByPrefix(names: readonly string[], letter: string, from: number): number | null {
  const wanted = letter.toLowerCase();
  for (let step = 1; step <= names.length; step++) {
    const index = (from + step) % names.length;
    if (names[index]?.toLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
