const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago: `3 days ago`, `yesterday`, `just now`. @param time and `now` in seconds since 1970 */
export function formatAgo(time: number, now: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const distance = time - now;
  for (const [unit, seconds] of STEPS) {
    if (Math.abs(distance) >= seconds) return format.format(Math.trunc(distance / seconds), unit);
  }
  return 'just now';
}
