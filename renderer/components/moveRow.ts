/** Row that a key leads to; `null` when the key is not for moving. */
export function moveRow(key: string, from: number | null, { count, page }: { readonly count: number; readonly page: number }): number | null {
  if (count === 0) return null;
  const clamp = (row: number) => Math.max(0, Math.min(count - 1, row));
  switch (key) {
    case 'ArrowDown':
      return from === null ? 0 : clamp(from + 1);
    case 'ArrowUp':
      return from === null ? 0 : clamp(from - 1);
    case 'PageDown':
      return clamp((from ?? 0) + page);
    case 'PageUp':
      return clamp((from ?? 0) - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
