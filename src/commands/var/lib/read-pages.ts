import type { SchedulerClient, VariableMetadata } from '../../../api/scheduler.ts';
import { LanyardError } from '../../../errors.ts';
import { newPageTokens, nextPageToken } from '../../../wire/pages.ts';

interface Page {
  readonly variables: readonly VariableMetadata[];
  /** The token of the next page; undefined: this is the last page. */
  readonly next: string | undefined;
}

/** The page size if all pages are requested without a size. */
const defaultPageSize = 1000;

/**
 * The variables of a list, page by page.
 *
 * @param all all pages, not only the first.
 * @param rejected explains a rejected request.
 * @throws LanyardError failure: the service returns the same page twice.
 */
export async function* readPages(
  scheduler: SchedulerClient,
  requested: Parameters<SchedulerClient['listVariables']>[0],
  all: boolean,
  rejected: (error: unknown) => never = rethrow,
): AsyncGenerator<Page> {
  let query = all ? { per_page: defaultPageSize, ...requested } : requested;
  const isNew = newPageTokens(query.next_token);
  for (;;) {
    const { body, headers } = await scheduler.listVariables(query).catch(rejected);
    const next = nextPageToken(headers);
    yield { variables: body ?? [], next };
    if (!all || next === undefined) return;
    if (!isNew(next))
      throw new LanyardError(
        'failure',
        'unexpected response from the scheduler: the same page was returned twice',
        { service: 'scheduler' },
      );
    query = { ...query, next_token: next };
  }
}

const rethrow = (error: unknown): never => {
  throw error;
};
