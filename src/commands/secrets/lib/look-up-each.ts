import { isForbidden } from '../../../errors.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';

/** What the service shows of an accessor; `properties` undefined: the token may not look it up. */
export interface LookedUp<Properties> {
  readonly accessor: string;
  readonly properties: Properties | undefined;
}

/**
 * Looks up each accessor of a list, some at a time. What is gone since the list was read is left out; after the first
 * lookup that is forbidden no other is sent.
 */
export async function lookUpEach<Properties>(
  accessors: readonly string[],
  lookUp: (accessor: string) => Promise<Properties>,
  isGone: (error: unknown) => boolean,
): Promise<readonly LookedUp<Properties>[]> {
  let isDenied = false;
  const found = await mapConcurrently(accessors, async (accessor) => {
    if (isDenied) return { accessor, properties: undefined };
    try {
      return { accessor, properties: await lookUp(accessor) };
    } catch (error) {
      if (isGone(error)) return undefined;
      if (!isForbidden(error)) throw error;
      isDenied = true;
      return { accessor, properties: undefined };
    }
  });
  return found.filter((each) => each !== undefined);
}

/** How many could not be looked up. */
export const countUnread = (all: readonly LookedUp<unknown>[]): number =>
  all.filter(({ properties }) => properties === undefined).length;
