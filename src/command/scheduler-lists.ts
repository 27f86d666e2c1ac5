import type { SchedulerClient } from '../api/scheduler.ts';
import { insteadOf, isFailure, LanyardError } from '../errors.ts';
import { newPageTokens, nextPageToken } from '../wire/pages.ts';
import { accessControlOffAccessor, isAnonymousAccessor } from '../wire/services.ts';
import type { Context } from './context.ts';

/** The page size where all pages are requested. */
export const schedulerPageSize = 1000;

interface Response<Item> {
  readonly body: readonly Item[] | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A page of a list of the scheduler. */
export interface SchedulerPage<Item> {
  readonly items: readonly Item[];
  /** The token of the next page; undefined: this is the last page. */
  readonly next: string | undefined;
}

/**
 * The pages of a list of the scheduler.
 *
 * @param read requests the page with a token; undefined: the first one.
 * @param first the token of the first page, if it has one.
 * @throws LanyardError failure: the service returns the same page twice.
 */
export async function* schedulerPages<Item>(
  read: (token: string | undefined) => Promise<Response<Item>>,
  first?: string,
): AsyncGenerator<SchedulerPage<Item>> {
  const isNew = newPageTokens(first);
  for (let token = first; ; ) {
    const { body, headers } = await read(token);
    const next = nextPageToken(headers);
    yield { items: body ?? [], next };
    if (next === undefined) return;
    if (!isNew(next))
      throw new LanyardError(
        'failure',
        'unexpected response from the scheduler: the same page was returned twice',
        { service: 'scheduler' },
      );
    token = next;
  }
}

/**
 * Warns if a list of the scheduler may be incomplete: it leaves out what the caller may not list, without a word.
 *
 * @param what the objects: `variables`.
 * @param count of the objects that were found.
 * @throws LanyardError unauthenticated: no token was sent, and nothing was found.
 */
export async function warnOfLimits(
  scheduler: SchedulerClient,
  what: string,
  count: number,
  { output }: Pick<Context, 'output'>,
): Promise<void> {
  const own = await scheduler.readOwnToken({}).catch(insteadOf(isFailure, undefined));
  const { Type, AccessorID = '' } = own?.body ?? {};
  if (!own || Type === 'management' || AccessorID === accessControlOffAccessor) return;
  const isAnonymous = isAnonymousAccessor(AccessorID);
  const caller = isAnonymous ? 'an anonymous caller' : 'the token, which is not a management token,';
  const message = `${what} that ${caller} may not list are missing`;
  if (isAnonymous && count === 0)
    throw new LanyardError('unauthenticated', `cannot list ${what}: no token was sent, and ${message}`, {
      service: 'scheduler',
    });
  output.warn(message);
}
