import type { JsonObject } from '../core/http/fields.ts';
import { integerField, textField } from './fields.ts';
import { integer, text } from './help/field.ts';

/** The part of a list that is returned. */
export const pageFields = {
  after: text('Return the names after this one, which need not exist (default: from the first).'),
  limit: integer('Maximum number of names (default: all).'),
};

/** The part of a list that a request asks for: names after `after`, at most `limit`. */
export function readPage(data: JsonObject): { readonly after: string; readonly limit: number } {
  const limit = integerField(data, 'limit') ?? 0;
  return { after: textField(data, 'after') ?? '', limit: limit > 0 ? limit : Number.POSITIVE_INFINITY };
}

/** The names of sorted ones that a request asks for. */
export function pageOf(names: string[], data: JsonObject): string[] {
  const { after, limit } = readPage(data);
  const following = after === '' ? names : names.filter((name) => name > after);
  return following.length > limit ? following.slice(0, limit) : following;
}
