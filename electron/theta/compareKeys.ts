/** Order of names in a metadata file: level by level, each by its code points, as Python compares tuples of strings. */
export function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (let level = 0; level < Math.min(a.length, b.length); level++) {
    const order = compareCodePoints(a[level] ?? '', b[level] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** JavaScript compares UTF-16 units, which puts what lies beyond U+FFFF before the end of the basic plane. */
function compareCodePoints(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done === true || y.done === true) return (x.done === true ? 0 : 1) - (y.done === true ? 0 : 1);
    const order = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
}
