import { HttpRefusal } from '../../http/service.ts';
import type { Authority, Resource, Right } from '../acl/authority.ts';

/** @throws HttpRefusal 403: the caller may not */
export function demand(authority: Authority, permission: `${Resource}:${Right}`, name: string): void {
  if (!authority.may(permission, name)) throw new HttpRefusal(403, authority.denial(permission, name));
}

/** What a caller may see of a list, and whether that is less than all. */
export function visible<Item>(
  items: readonly Item[],
  may: (item: Item) => boolean,
): { readonly items: Item[]; readonly filtered: boolean } {
  const seen = items.filter(may);
  return { items: seen, filtered: seen.length < items.length };
}
