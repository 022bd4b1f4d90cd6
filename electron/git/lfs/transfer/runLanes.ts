/** Runs `work` on what `next` gives until it gives `null`, `lanes` at a time. When one fails, no more is started; the first failure is thrown when all have ended. */
export async function runLanes<T>(lanes: number, next: () => Promise<T | null>, work: (item: T) => Promise<void>): Promise<void> {
  let failure: { readonly error: unknown } | null = null;
  const lane = async () => {
    while (failure === null) {
      try {
        const item = await next();
        if (item === null) return;
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
}
