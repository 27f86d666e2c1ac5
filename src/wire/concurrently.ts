/**
 * The results of `work` for each item, in the order of the items; at most `limit` run at once. After an error no further
 * item is begun.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  limit = 8,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
