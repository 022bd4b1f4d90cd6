const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes for people, decimal units, three significant digits: `999 B`, `1.02 kB`, `416 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '–';
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  let value = bytes;
  let unit = 0;
  // 999.5 would round to 1000 of the smaller unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${UNITS[unit]}`;
}

/** Whole numbers with thin thousands: `1 234 567`. */
export function formatCount(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
