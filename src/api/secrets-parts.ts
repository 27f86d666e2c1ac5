import * as v from 'valibot';
import type { Envelope } from '../wire/responses/secrets.ts';
import { checked, noContentOr, shown, someFields, texts } from './decode.ts';

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

/** The fields around the data of a response (docs/protocol/secrets.md#response-envelope). */
export const envelope = {
  ...shown<Envelope>(),
  /** What the service warns about. */
  warnings: texts,
};

/** A response with these fields in its `data` (docs/protocol/secrets.md#response-envelope). */
export const secret = <Data extends v.ObjectEntries>(data: Data) =>
  v.looseObject({ ...envelope, data: v.looseObject(data) });

const warned = checked(
  v.looseObject({ ...envelope, ...shown<{ data?: Readonly<Record<string, unknown>> | null }>() }),
);

/** The response to a write: 204, or an object that may have warnings. */
export const written = noContentOr((body) => {
  someFields(body);
  return warned(body);
});
