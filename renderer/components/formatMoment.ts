import type { Signature } from '../../shared/model/commit';

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A commit's time as its author's clock showed it: `Mon, 3 February 2025 at 14:05 +01:00`. */
export function formatMoment({ time, offset }: Pick<Signature, 'time' | 'offset'>): string {
  const local = new Date((time + offset * 60) * 1000);
  if (Number.isNaN(local.getTime())) return 'Unknown date';
  const minutes = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return `${FORMAT.format(local)} ${zone}`;
}
