/** Seconds for people: `3 s`, `2 min 5 s`, `1 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Time left in seconds when the rest goes as fast as what is done; `null` before that can be told. */
export function secondsLeft(done: number, total: number | null, elapsedMs: number): number | null {
  if (total === null || done <= 0 || total <= 0 || elapsedMs < 1000 || done > total) return null;
  return ((total - done) / done) * (elapsedMs / 1000);
}
