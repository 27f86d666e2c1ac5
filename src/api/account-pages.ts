import { LanyardError } from '../errors.ts';
import { newPageTokens } from '../wire/pages.ts';

export interface Page<Item> {
  readonly items?: readonly Item[] | null | undefined;
  readonly response_type?: string | undefined;
  readonly list_token?: string | null | undefined;
}

/** Reads the page after the one with the token; undefined: the first. */
type ReadPage<Body> = (token: string | undefined) => Promise<{ readonly body: Body }>;

/**
 * The pages of a list of the account service until it is complete.
 *
 * @param since the token of an earlier list: only its changes.
 * @throws LanyardError failure: an incomplete list without a next page.
 */
export async function* accountPages<Body extends Page<unknown>>(
  read: ReadPage<Body>,
  since?: string,
): AsyncGenerator<Body> {
  const isNew = newPageTokens(since);
  for (let token = since; ; ) {
    const { body } = await read(token);
    yield body;
    if (body.response_type !== 'delta') return;
    if (!body.list_token || !isNew(body.list_token))
      throw new LanyardError('failure', 'unexpected response: the list is incomplete, but has no next page', {
        service: 'accounts',
      });
    token = body.list_token;
  }
}

/** The fields of the last page of a list, with the items of all. @throws LanyardError as `accountPages` */
export async function allPages<Item, Body extends Page<Item>>(
  read: ReadPage<Body & Page<Item>>,
): Promise<Omit<Body, 'items'> & { readonly items: readonly Item[] }> {
  const items: Item[] = [];
  let last = {} as Body;
  for await (last of accountPages(read)) items.push(...(last.items ?? []));
  return { ...last, items };
}
