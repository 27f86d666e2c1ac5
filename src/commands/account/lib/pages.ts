import { LanyardError } from '../../../errors.ts';
import { newPageTokens } from '../../../wire/pages.ts';

interface Page<Item> {
  readonly items?: readonly Item[] | null | undefined;
  readonly response_type?: string | undefined;
  readonly list_token?: string | null | undefined;
}

/** The fields of a page, with the items of all pages. */
type WholeList<Item, Read> = {
  readonly [Name in keyof Read as Name extends 'items' ? never : Name]: Read[Name];
} & {
  readonly items: readonly Item[];
};

/** The error for a list whose pages end before it is complete. */
export const incompleteListError = (): LanyardError =>
  new LanyardError('failure', 'unexpected response: the list is incomplete, but has no next page', {
    service: 'accounts',
  });

/**
 * Reads the pages of a list until it is complete.
 *
 * @param read the page after the one with the token; undefined: the first.
 * @returns the fields of the last page, with the items of all.
 * @throws LanyardError failure: an incomplete list without a next page.
 */
export async function allPages<Item, Read extends Page<Item>>(
  read: (token: string | undefined) => Promise<{ readonly body: Read & Page<Item> }>,
): Promise<WholeList<Item, Read>> {
  const items: Item[] = [];
  const isNew = newPageTokens();
  for (let token: string | undefined; ; ) {
    const { body } = await read(token);
    items.push(...(body.items ?? []));
    if (body.response_type !== 'delta') return { ...body, items };
    if (!body.list_token || !isNew(body.list_token)) throw incompleteListError();
    token = body.list_token;
  }
}
