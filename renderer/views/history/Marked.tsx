import { markParts } from './markParts';

/** Text with the searched part marked. */
export function Marked({ text, searched }: { readonly text: string; readonly searched: string }) {
  const parts = markParts(text, searched);
  return parts.map(({ start, text: part, isMatch }) => (isMatch ? <mark key={start}>{part}</mark> : part));
}
