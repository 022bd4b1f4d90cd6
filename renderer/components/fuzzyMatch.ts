/**
 * Prepares a query; the result tells how well a text answers it, greater is better, `null` when it does not. Every word of the query
 * must occur: as a whole, best at the start of a word, or with its letters in order. Short texts win over long ones.
 */
export function fuzzyMatcher(query: string): (text: string) => number | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (text) => {
    const lower = text.toLowerCase();
    let score = -Math.min(text.length, 400) / 400;
    for (const word of words) {
      const part = matchWord(lower, word);
      if (part === null) return null;
      score += part;
    }
    return score;
  };
}

function matchWord(text: string, word: string): number | null {
  const whole = text.indexOf(word);
  if (whole === 0) return 4;
  if (whole > 0) return hasStart(text, word) ? 3 : 2;
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    from = at + letter.length;
  }
  return 1;
}

/** Whether the word begins where a word of the text does. */
function hasStart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (/[\s/._:-]/.test(text.charAt(at - 1))) return true;
  }
  return false;
}
