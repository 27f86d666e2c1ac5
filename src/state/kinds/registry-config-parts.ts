import { field, type ObjectSchema } from '../../objects/schema.ts';

/** Parts that config entries of several kinds have in common. */

const { string, integer, boolean, list, map } = field;

export const object = (
  properties: ObjectSchema['properties'],
  options: { default?: Record<string, string> } = {},
) => field.object(properties, { foldsNames: true, isOpen: true, ...options });
export const duration = field.duration('nanoseconds');
/** Upper and lower case are the same. */
export const name = string({ form: 'name' });
/** 0 differs from no value. */
export const optional = integer({ default: null });

export const headerEdits = object({ Add: map(), Set: map(), Remove: list(string()) });
export const edits = { RequestHeaders: headerEdits, ResponseHeaders: headerEdits } as const;
export const limits = {
  MaxConnections: integer(),
  MaxPendingRequests: integer(),
  MaxConcurrentRequests: integer(),
};

export const passiveHealthCheck = object({
  Interval: duration,
  MaxFailures: integer(),
  EnforcingConsecutive5xx: optional,
  MaxEjectionPercent: optional,
  BaseEjectionTime: field.duration('nanoseconds', { default: null }),
});

export const valueMatch = {
  Name: string(),
  Present: boolean(),
  Exact: string(),
  Prefix: string(),
  Suffix: string(),
  Contains: string(),
  Regex: string(),
  Invert: boolean(),
  IgnoreCase: boolean(),
} as const;
export const httpMatch = {
  PathExact: string(),
  PathPrefix: string(),
  PathRegex: string(),
  Header: list(object(valueMatch)),
  Methods: list(name),
} as const;

export const jwtRequirement = object({
  Providers: list(
    object({ Name: string(), VerifyClaims: list(object({ Path: list(string()), Value: string() })) }),
  ),
});
