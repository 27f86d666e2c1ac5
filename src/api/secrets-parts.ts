import * as v from 'valibot';
import { checked } from './decode.ts';

/** Below which path the engine is mounted (`ssh` unless told otherwise); may have several segments. */
export interface Mounted {
  mount: string;
}

/** Below `/v1/`, the mount included. */
export interface Anywhere {
  path: string;
}

/** The same, with a query as text. */
export interface Queried extends Anywhere {
  search?: string;
}

export const warnings = v.optional(v.nullable(v.array(v.string())));

/** An answer with these members in its `data` (secrets.md, Generic conventions). */
export const secret = <Data extends v.ObjectEntries>(data: Data) =>
  v.looseObject({ data: v.looseObject(data), warnings });

/** What comes back from a write: nothing, or warnings. */
export const written = checked(v.optional(v.nullable(v.looseObject({ warnings }))));

export const done = [200, 204];
