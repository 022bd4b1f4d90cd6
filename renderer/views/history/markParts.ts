export interface TextPart {
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Cuts a text where the searched words stand, whatever their case; what is put together again is the text. */
export function markParts(text: string, searched: string): TextPart[] {
  const wanted = searched.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Where lower case has another length (İ), places in one are not places in the other.
  if (wanted === '' || lower.length !== text.length) return text === '' ? [] : [{ start: 0, text, isMatch: false }];
  const parts: TextPart[] = [];
  let end = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, end)) {
    if (at > end) parts.push({ start: end, text: text.slice(end, at), isMatch: false });
    end = at + wanted.length;
    parts.push({ start: at, text: text.slice(at, end), isMatch: true });
  }
  if (end < text.length) parts.push({ start: end, text: text.slice(end), isMatch: false });
  return parts;
}
