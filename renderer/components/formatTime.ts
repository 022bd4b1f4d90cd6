const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Made once: it takes longer than all the rest of a row. */
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago: `3 days ago`, `yesterday`, `just now`. @param time and `now` in seconds since 1970 */
export function formatAgo(time: number, now: number): string {
  const distance = time - now;
  for (const [unit, seconds] of STEPS) {
    if (Math.abs(distance) >= seconds) return FORMAT.format(Math.trunc(distance / seconds), unit);
  }
  return 'just now';
}
