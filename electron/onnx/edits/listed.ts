const SHOWN = 6;

/** `a, b and c`; of many, the first some and how many more there are. */
export function listed(items: readonly string[]): string {
  const shown = items.length > SHOWN ? [...items.slice(0, SHOWN), `${items.length - SHOWN} more`] : items;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** `1 use`, `3 uses`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
