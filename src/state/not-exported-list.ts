import { isAccessControlOff } from '../api/conditions/any.ts';
import { isFiltered } from '../api/filtered-results.ts';
import type { Api } from '../command/api.ts';
import { isFailure } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One request that shows how many objects of a sort exist. */
export interface List {
  /** In the plural: `jobs`. */
  readonly what: string;
  readonly method: 'GET' | 'LIST';
  /** Below the base of the service, percent-encoded. */
  readonly path: string;
  /** Whether an object counts, by its ID or name and by what the list says of it; default: all. */
  readonly isCounted?: (name: string, info: Fields) => boolean;
}

/** What is counted without a request. */
export interface Counted {
  readonly what: string;
  readonly count: number;
}

export type Caller = Pick<Api, 'call'>;

/** Statuses of services that do not have the path at all, or have no objects. */
const absent = [404, 405, 501];

/** Sends a list. @returns null: the objects cannot be counted, because the token may not list them. */
export async function countOf(api: Caller, service: ServiceName, list: List): Promise<number | null> {
  const { method, path } = list;
  try {
    const { body, headers } = await api.call(service, { method, path, content: undefined });
    return isFiltered(headers) ? null : countItems(body, list);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return isAccessControlOff(error) || absent.includes(error.status ?? 0) ? 0 : null;
  }
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The items of `data.keys`, of `items`, or of a list without a name. */
function countItems(body: unknown, { isCounted = () => true }: List): number {
  const { data, items, response_type: type, est_item_count: estimate } = fieldsOf(body);
  const { keys, key_info: info } = fieldsOf(data);
  const found: unknown = Array.isArray(body) ? body : (keys ?? items);
  if (!Array.isArray(found)) return 0;
  const counted = found.filter((item: unknown) => {
    const fields = fieldsOf(item);
    const name = String(fields.id ?? fields.Name ?? item);
    return isCounted(name, { ...fields, ...fieldsOf(fieldsOf(info)[name]) });
  }).length;
  // The first page of a long list has an estimate of its length.
  return type === 'delta' && typeof estimate === 'number' ? Math.max(counted, estimate) : counted;
}
