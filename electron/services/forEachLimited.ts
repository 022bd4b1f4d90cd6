export interface LimitOptions {
  readonly limit: number;
  /** Aborted by the first failure, for work that listens to it. */
  readonly controller?: AbortController;
}

/**
 * Runs `work` for every item, `limit` at a time. After the first failure nothing new is started; it is thrown when everything has ended, so
 * that nothing still runs then.
 */
export async function forEachLimited<T>(items: Iterable<T>, work: (item: T) => Promise<void>, options: LimitOptions): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | null = null;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && failure === null; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
        options.controller?.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: options.limit }, lane));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
}
