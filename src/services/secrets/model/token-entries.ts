import * as s from '../../core/schema/types.ts';
import { type RowOf, table } from '../../core/store/table.ts';

export const startUpIndexKey = 'start-up';
export const childIndexKey = (parent: string): string => `child/${parent}`;

/** A stored token, without the token itself. Times are unix seconds. */
export const tokenEntries = table('entry/', {
  /** Keyed digest of the token, hex. */
  digest: s.string(),
  accessor: s.string(),
  policies: s.list(s.string()),
  path: s.string(),
  displayName: s.string(),
  meta: s.nullable(s.map(s.string())),
  /** Uses left; 0: unlimited. */
  uses: s.number(),
  /** Digest of the parent token, with which it is revoked. */
  parent: s.nullable(s.string()),
  created: s.number(),
  renewed: s.nullable(s.number()),
  /** Time to live in seconds; 0: does not expire. */
  ttl: s.number(),
  expires: s.nullable(s.number()),
  /** Maximum lifetime in seconds, renewals included; 0: the mount's maximum. */
  maxTtl: s.number(),
  /** The limit of the role that it was created with, in seconds; it does not apply to a period. */
  roleMaxTtl: s.optional(s.number()),
  /** Lifetime in seconds that each renewal sets; missing: not periodic. */
  period: s.optional(s.number()),
  renewable: s.boolean(),
  /** Whether it is the startup token; at most one is. */
  startUp: s.optional(s.boolean()),
  /** Path of its namespace, with a trailing slash; missing: the root namespace. */
  namespace: s.optional(s.string()),
  entityId: s.optional(s.string()),
  role: s.optional(s.string()),
  /** Addresses and CIDR blocks that may use it; missing: all. */
  boundCidrs: s.optional(s.list(s.string())),
  /** Missing: a service token; batch tokens are not stored. */
  type: s.optional(s.oneOf(['batch'])),
}).with({
  lookups: ({ accessor, digest }) => [{ key: `accessor/${accessor}`, value: digest }],
  index: ({ parent, startUp }) => [
    ...(parent === null ? [] : [childIndexKey(parent)]),
    ...(startUp ? [startUpIndexKey] : []),
  ],
  expires: ({ expires }) => expires,
});
export type TokenEntry = RowOf<typeof tokenEntries>;
