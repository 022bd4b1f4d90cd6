/**
 * Runs `work` for every item, `limit` at a time. The first failure aborts `controller`, which `work` listens to; it is thrown when
 * everything has ended, so that nothing still runs then.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  options: { readonly limit: number; readonly controller: AbortController },
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | null = null;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && failure === null; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
        options.controller.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: options.limit }, lane));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
}
