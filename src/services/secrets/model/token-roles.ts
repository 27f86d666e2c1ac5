import * as s from '../../core/schema/types.ts';
import { type RowOf, table } from '../../core/store/table.ts';

export const roleTokenTypes = ['service', 'batch', 'default-service', 'default-batch'] as const;

/** The roles by name. Durations are in seconds; 0: none. */
export const tokenRoles = table('', {
  orphan: s.boolean(),
  renewable: s.boolean(),
  /** Appended to the path of the tokens. */
  pathSuffix: s.string(),
  allowedPolicies: s.list(s.string()),
  disallowedPolicies: s.list(s.string()),
  allowedPoliciesGlob: s.list(s.string()),
  disallowedPoliciesGlob: s.list(s.string()),
  noDefaultPolicy: s.boolean(),
  type: s.oneOf(roleTokenTypes),
  period: s.number(),
  explicitMaxTtl: s.number(),
  /** Maximum number of uses; 0: unlimited. */
  uses: s.number(),
  boundCidrs: s.list(s.string()),
  /** Settings that were made with the older name. */
  olderNames: s.list(s.string()),
});
export type TokenRole = RowOf<typeof tokenRoles>;
