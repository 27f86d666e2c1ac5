import type { Json, JsonObject } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import * as s from '../../core/schema/types.ts';
import { tokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import type { InputOf } from '../resource.ts';
import { showTokenParams } from '../views.ts';
import type { Claims } from './jwt-verify.ts';
import { newTokenParams, olderTokenFields, shownTokenParams, tokenParamFields } from './token-params.ts';

export const jwtRole = s.object({
  audiences: s.list(s.string()),
  subject: s.string(),
  /** Each claim must have one of the values, a value or a list as in the request. */
  claims: s.map(s.json()),
  userClaim: s.string(),
  /** Claim to name in the metadata of the token and the alias. */
  mappings: s.map(s.string()),
  /** Allowed clock skew in seconds. */
  skew: s.number(),
  terms: tokenParams,
});
export type JwtRole = s.Stored<typeof jwtRole>;

/** Restrictions that are not enforced must not be accepted. */
const restrictions = ['user_claim_json_pointer', 'max_age', 'groups_claim'] as const;

const claimFields = {
  role_type: s.string('Must be `jwt`.', { default: 'jwt' }),
  bound_audiences: s.list(s.string(), 'Audiences; a JWT must have at least one of them.'),
  bound_subject: s.string('Required subject of a JWT.'),
  bound_claims: s.optional(
    s.json('Required claims of a JWT: an object, each with a value or an array of values.'),
  ),
  bound_claims_type: s.string('Must be `string`.', { default: 'string' }),
  user_claim: s.required(s.string('The claim that names the caller.')),
  claim_mappings: s.map(s.string(), 'Claims to copy into the metadata: claim to metadata key.'),
  clock_skew_leeway: s.duration('Allowed clock skew (default 60 seconds).'),
};
export const jwtRoleFields = {
  ...claimFields,
  ...s.each(restrictions, s.optional(s.json('Not supported.'))),
  ...tokenParamFields,
  ...olderTokenFields,
};

const defaultSkewSeconds = 60;

/** The role that a write describes, which replaces the existing one. @throws SecretsError 400 */
export function newJwtRole(input: InputOf<typeof jwtRoleFields>): JwtRole {
  if (input.role_type !== 'jwt')
    throw badRequest('role_type must be "jwt": logins through a browser are not supported');
  if (input.bound_claims_type !== 'string') throw badRequest('bound_claims_type must be "string"');
  for (const name of restrictions) if (input[name]) throw badRequest(`${name} is not supported`);
  if (input.user_claim === '') throw badRequest('a user claim must be defined on the role');
  const role: JwtRole = {
    audiences: input.bound_audiences,
    subject: input.bound_subject,
    claims: boundClaims(input.bound_claims),
    userClaim: input.user_claim,
    mappings: input.claim_mappings,
    skew: input.clock_skew_leeway || defaultSkewSeconds,
    terms: newTokenParams(input),
  };
  if (role.audiences.length === 0 && role.subject === '' && Object.keys(role.claims).length === 0)
    throw badRequest('must have at least one bound constraint when creating/updating a role');
  return role;
}

function boundClaims(value: Json | undefined): Record<string, Json> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequest('bound_claims must be an object');
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const values = Array.isArray(each) ? each : [each];
      if (values.length === 0 || values.some((item) => typeof item === 'object'))
        throw badRequest(`bound_claims: "${name}" must be a value or an array of values`);
      return [name, each];
    }),
  );
}

export const shownJwtRole = s.named(
  'JwtRole',
  s.object({ ...claimFields, bound_claims: s.map(s.json()), ...shownTokenParams }),
);

export function showRole(role: JwtRole): JsonObject {
  return {
    role_type: 'jwt',
    bound_audiences: [...role.audiences],
    bound_subject: role.subject,
    bound_claims: { ...role.claims },
    bound_claims_type: 'string',
    user_claim: role.userClaim,
    claim_mappings: { ...role.mappings },
    clock_skew_leeway: role.skew,
    ...showTokenParams(role.terms),
  };
}

/** Checks verified claims against a role: the caller and its metadata. @throws Error that names the claim that failed */
export function callerFromClaims(claims: Claims, role: JwtRole, issuer: string, now: number) {
  checkTimes(claims, role.skew, now);
  if (issuer !== '' && claims.iss !== issuer) throw new Error('invalid issuer (iss) claim');
  if (role.subject !== '' && claims.sub !== role.subject) throw new Error('invalid subject (sub) claim');
  const audiences = valuesOf(claims.aud);
  if (role.audiences.length === 0 && audiences.length > 0)
    throw new Error('audience claim found in JWT but no audiences bound to the role');
  if (role.audiences.length > 0 && !role.audiences.some((each) => audiences.includes(each)))
    throw new Error('invalid audience (aud) claim: audience claim does not match any bound audience');
  for (const [name, bound] of Object.entries(role.claims)) {
    const allowed = valuesOf(bound);
    const claimValues = valuesOf(claimOf(claims, name));
    if (claimValues.length === 0) throw new Error(`claim "${name}" is missing`);
    if (!allowed.some((each) => claimValues.includes(each)))
      throw new Error(`claim "${name}" does not match any associated bound claim values`);
  }
  const name = claimOf(claims, role.userClaim);
  if (name === undefined) throw new Error(`claim "${role.userClaim}" not found in token`);
  // The name becomes part of display names and key IDs, which are logged.
  if (typeof name !== 'string' || name === '' || /\p{Cc}/u.test(name))
    throw new Error(`claim "${role.userClaim}" is not a string`);
  const metadata = Object.entries(role.mappings).flatMap(([claim, metadataName]) => {
    const value = claimOf(claims, claim);
    return value === undefined || value === null || typeof value === 'object'
      ? []
      : [[metadataName, String(value)] as const];
  });
  return { name, metadata: Object.fromEntries(metadata) };
}

/** A claim by its name, or by a path of names that starts with a slash (`/a/b`). */
function claimOf(claims: Claims, name: string): Json | undefined {
  if (!name.startsWith('/')) return Object.hasOwn(claims, name) ? claims[name] : undefined;
  let at: Json | undefined = claims;
  for (const key of name.slice(1).split('/')) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function valuesOf(value: Json | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) =>
    each === undefined || each === null || typeof each === 'object' ? [] : [String(each)],
  );
}

function checkTimes(claims: Claims, skew: number, now: number): void {
  const [issued, notBefore, expires] = ['iat', 'nbf', 'exp'].map((name) => timeOf(claims, name));
  if (issued === undefined && notBefore === undefined && expires === undefined)
    throw new Error('one of exp, nbf, iat must be set');
  if (expires !== undefined && now >= expires + skew) throw new Error('token is expired');
  if (notBefore !== undefined && now < notBefore - skew) throw new Error('token is not yet valid');
  if (issued !== undefined && now < issued - skew) throw new Error('token was issued in the future');
  // A token without `exp` is only valid for a limited time.
  if (expires === undefined && now >= (issued ?? notBefore ?? 0) + defaultValiditySeconds + skew)
    throw new Error('token is expired');
}

/** Validity in seconds of a token without `exp`. */
const defaultValiditySeconds = 150;

function timeOf(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined) return undefined;
  const time = Number(value);
  if ((typeof value !== 'number' && typeof value !== 'bigint') || !Number.isFinite(time))
    throw new Error(`claim "${name}" is not a time`);
  return time;
}
