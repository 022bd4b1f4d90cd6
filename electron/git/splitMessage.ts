/**
 * Title: the first paragraph on one line, as git's `%s`; body: what follows, without the blank lines between and at the end.
 * A message may start with blank lines and may be empty.
 */
export function splitMessage(message: string): { readonly title: string; readonly body: string } {
  const lines = message.split('\n').map((line) => line.trimEnd());
  let start = 0;
  while (start < lines.length && lines[start] === '') start++;
  let end = start;
  while (end < lines.length && lines[end] !== '') end++;
  let rest = end;
  while (rest < lines.length && lines[rest] === '') rest++;
  return { title: lines.slice(start, end).join(' '), body: lines.slice(rest).join('\n').trimEnd() };
}
