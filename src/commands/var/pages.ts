import type { SchedulerClient, VariableMetadata } from '../../api/scheduler.ts';
import { LanyardError } from '../../errors.ts';

interface Page {
  readonly variables: readonly VariableMetadata[];
  /** What asks for the next page; undefined: this is the last one. */
  readonly next: string | undefined;
}

/** Of a page, where every page is wanted and nobody says how long one is. */
const usual = 1000;

/**
 * The variables of a list, a page at a time.
 *
 * @param all every page, not only the first.
 * @param rejected explains a rejected request.
 * @throws LanyardError failure: the service does not come to an end.
 */
export async function* pagesOf(
  scheduler: SchedulerClient,
  asked: Parameters<SchedulerClient['listVariables']>[0],
  all: boolean,
  rejected: (error: unknown) => never = rethrow,
): AsyncGenerator<Page> {
  let query = all ? { per_page: usual, ...asked } : asked;
  for (;;) {
    const { body, headers } = await scheduler.listVariables(query).catch(rejected);
    const next = nextToken(headers);
    yield { variables: body ?? [], next };
    if (!all || next === undefined) return;
    if (next === query.next_token)
      throw new LanyardError('failure', 'the scheduler gives the same page again and again', {
        service: 'scheduler',
      });
    query = { ...query, next_token: next };
  }
}

const rethrow = (error: unknown): never => {
  throw error;
};

/** The header has the prefix of the service or of the product. */
const nextToken = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  Object.entries(headers).find(([name, value]) => name.endsWith('-nexttoken') && value)?.[1];
