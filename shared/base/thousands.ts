/** `54,400`. `toLocaleString` costs tens of milliseconds when it is first used, which a command waits for. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
