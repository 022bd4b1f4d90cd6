/** Order of names in which numbers count as numbers: `layer2` before `layer10`. By code units otherwise, the same on every machine. */
export function compareNatural(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(j)];
    if (isDigit(x) && isDigit(y)) {
      const [endA, endB] = [digitsEnd(a, i), digitsEnd(b, j)];
      const difference = compareDigits(a.slice(i, endA), b.slice(j, endB));
      if (difference !== 0) return difference;
      [i, j] = [endA, endB];
    } else if (x === y) {
      i++;
      j++;
    } else return x - y;
  }
  return a.length - i - (b.length - j) || (a < b ? -1 : a > b ? 1 : 0);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Of any length: without leading zeros the longer number is the larger one. */
function compareDigits(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0);
}
