/** Whether names match a pattern in which `*` stands for any text, `/` included, and `?` for one character; `null`: all do. */
export function groupPattern(pattern: string | null): (name: string) => boolean {
  if (pattern === null) return () => true;
  const source = pattern
    .replaceAll(/\*+/g, '*')
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'su');
  return (name) => expression.test(name);
}
