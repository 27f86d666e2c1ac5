import * as s from '../core/schema/types.ts';

export const pageFields = s.partial({
  after: s.string('Return the names after this one, which need not exist (default: from the first).'),
  limit: s.integer('Maximum number of names (default: all).'),
});

/** The part of a list that a request asks for: names after `after`, at most `limit`. */
interface Page {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** How many names a request asks for. */
export const limitOf = ({ limit = 0 }: Page): number => (limit > 0 ? limit : Number.POSITIVE_INFINITY);

/** The names of sorted ones that a request asks for. */
export function pageOf(names: string[], page: Page): string[] {
  const { after = '' } = page;
  const following = after === '' ? names : names.filter((name) => name > after);
  return following.length > limitOf(page) ? following.slice(0, limitOf(page)) : following;
}
