import { isFailure, isKind, LanyardError } from '../../../../errors.ts';
import { countText } from '../../../../output/humanize.ts';
import { mapConcurrently } from '../../../../wire/concurrently.ts';
import { namedFew } from '../read-secrets.ts';

/** How the work on many secrets ended. */
export interface Ended<Item> {
  readonly done: readonly Item[];
  readonly failed: readonly { readonly item: Item; readonly error: LanyardError }[];
  /** What was not begun: the service cannot be reached, or the user interrupted. */
  readonly left: readonly Item[];
  /** The error that ended it for all. */
  readonly end: LanyardError | undefined;
}

/** The errors after which the others would fail too. */
const endsAll = isKind('interrupted', 'unauthenticated', 'unreachable', 'unavailable', 'usage');

/** Does work for each secret, concurrently; one that is denied or in conflict does not keep the others from it. */
export async function eachSecret<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<Ended<Item>> {
  const done: Item[] = [];
  const failed: { item: Item; error: LanyardError }[] = [];
  const left: Item[] = [];
  let end: LanyardError | undefined;
  await mapConcurrently(items, async (item) => {
    if (end) {
      left.push(item);
      return;
    }
    try {
      await work(item);
      done.push(item);
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      failed.push({ item, error });
      if ([error, error.cause].some((each) => endsAll(each))) end ??= error;
    }
  });
  return { done, failed, left, end };
}

/**
 * The steps of one secret, in order. A failure after the first step leaves a partial change.
 *
 * @param state what a failure leaves, for the message: `secret/a was copied, but not deleted`.
 */
export async function inOrder(steps: readonly (() => Promise<unknown>)[], state: string): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await step();
    } catch (error) {
      if (index === 0 || !isFailure(error) || error.kind === 'unknown') throw error;
      throw new LanyardError('unknown', `${state}: ${error.message}`, { ...error, cause: error });
    }
  }
}

/**
 * @param did `Copied`. @param nameOf the name of an item, for messages.
 * @throws LanyardError if not all of it was done: the error itself if nothing was, else unknown with the counts.
 */
export function requireAll<Item>(
  { done, failed, left, end }: Ended<Item>,
  did: string,
  nameOf: (item: Item) => string,
): void {
  const first = end ?? failed[0]?.error;
  if (first === undefined) return;
  const details = namedFew(failed.map(({ item, error }) => `${nameOf(item)}: ${error.message}`));
  const total = done.length + failed.length + left.length;
  if (done.length === 0 && !failed.some(({ error }) => error.kind === 'unknown'))
    throw total === 1 || end ? first : first.withDetails(details);
  const kind = end?.kind === 'interrupted' ? 'interrupted' : 'unknown';
  throw new LanyardError(
    kind,
    `partially applied: ${did} ${done.length} of ${countText(total, 'secret')}: ${first.message}`,
    {
      service: 'secrets',
      status: first.status,
      details,
      hint: 'Fix the error and run the same command again to continue.',
    },
  );
}
