import type { SchedulerClient, VariableMetadata } from '../../../api/scheduler.ts';
import { LanyardError } from '../../../errors.ts';

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
  for (;;) {
    const { body, headers } = await scheduler.listVariables(query).catch(rejected);
    const next = nextToken(headers);
    yield { variables: body ?? [], next };
    if (!all || next === undefined) return;
    if (next === query.next_token)
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

/** The token in the header, whose prefix is that of the service or of the product. */
const nextToken = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.entries(headers).find(([name, value]) => name.endsWith('-nexttoken') && value)?.[1];
