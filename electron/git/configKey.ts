/**
 * A configuration key in its normal form: section and variable in lower case, the subsection as it is; `null` when the text
 * is none (git-config(1), "Syntax").
 */
export function configKey(key: string): string | null {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  if (first === -1) return null;
  const section = key.slice(0, first);
  const variable = key.slice(last + 1);
  if (!/^[A-Za-z0-9-]+$/.test(section) || !/^[A-Za-z][A-Za-z0-9-]*$/.test(variable)) return null;
  return `${section.toLowerCase()}${first === last ? '' : key.slice(first, last)}.${variable.toLowerCase()}`;
}

/** Last value of a key, as git takes it; `null` when unset. */
export function lastValue(settings: readonly (readonly [string, string])[], key: string): string | null {
  const wanted = configKey(key);
  return settings.findLast(([name]) => name === wanted)?.[1] ?? null;
}

/** git's words for true (git-config(1), `--type=bool`). */
export function isTrue(value: string | null): boolean {
  return value !== null && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}
