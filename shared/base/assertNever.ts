/** Ends a switch over a discriminated union: the compiler fails when an alternative was forgotten. */
export function assertNever(value: never): never {
  throw new TypeError(`Unhandled alternative: ${String(value)}`);
}
