/** A commit's time to the minute, in UTC: `2023-11-15 02:13 UTC`. @param time seconds since 1970, from a commit that may say anything */
export function formatMinute(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? 'Unknown date' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
