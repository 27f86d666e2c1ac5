import { saying } from './conditions.ts';

/** What the registry says of config entries: part of `conditions.ts`. */

/** A kind of config entry that the registry does not have (Consul 500 on a list, 400 on a write). */
export const isUnknownEntryKind: (error: unknown) => boolean = saying(
  /\b(?:invalid|unsupported) config entry kind: /,
  400,
  500,
);
