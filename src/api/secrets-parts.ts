import * as v from 'valibot';
import { checked, noContentOr, someFields } from './decode.ts';

/** The mount path of the engine; may have several segments. */
export interface Mounted {
  mount: string;
}

/** A path below `/v1/`, including the mount. */
export interface Anywhere {
  path: string;
}

/** The same, with a query as text. */
export interface Queried extends Anywhere {
  search?: string;
}

/** A response that can be wrapped: the lifetime of its wrapping token, as a duration. */
export interface Wrappable {
  wrapTtl?: string;
}

export const optionalText = v.optional(v.string());
export const warnings = v.nullish(v.array(v.string()));

/** A response with these fields in its `data` (docs/protocol/secrets.md#response-envelope). */
export const secret = <Data extends v.ObjectEntries>(data: Data) =>
  v.looseObject({ data: v.looseObject(data), warnings });

const warned = checked(v.looseObject({ warnings }));

/** The response to a write: 204, or an object that may have warnings. */
export const written = noContentOr((body) => {
  someFields(body);
  return warned(body);
});
