import { forEachLimited, type LimitOptions } from './forEachLimited';

/** What `work` gives for every item, in their order, `limit` at a time; fails as `forEachLimited` does. */
export async function mapLimited<T, R>(items: readonly T[], work: (item: T) => Promise<R>, options: LimitOptions): Promise<R[]> {
  const results = new Array<R>(items.length);
  await forEachLimited(
    items.entries(),
    async ([index, item]) => {
      results[index] = await work(item);
    },
    options,
  );
  return results;
}
