import { LanyardError } from '../errors.ts';
import { hasStatus, isUnknownEndpoint, saying } from './conditions.ts';

/** What the registry says of tokens, policies, roles, auth methods and binding rules: part of `conditions.ts`. */

const saysMissing = saying(/^cannot find (policy|role|token|binding rule|auth method)\b/i, 500);
const saysMissingToken = saying(/^token does not exist\b/, 403);

/**
 * A token, policy or role that does not exist (Consul 404 on reads and deletions, 403 for a token, 500 on writes with
 * `cannot find policy ID` and `Cannot find token "ID"`).
 */
export const isMissingAclObject = (error: unknown): error is LanyardError =>
  (error instanceof LanyardError && error.kind === 'not_found') ||
  saysMissing(error) ||
  saysMissingToken(error);

/** Another policy, role or auth method has the name (Consul 500). */
export const isAclNameTaken = saying(/\bwith Name "[^"]*" already exists/i, 500);

/** Another token has the accessor ID or the secret (Consul 500). */
export const isAclTokenTaken = saying(/\b(AccessorID|SecretID) is already in use/i, 500);

/** What a token or role is linked to does not exist: its kind and name (Consul 500), else undefined. */
export function missingLinkOf(error: unknown): { readonly kind: string; readonly name: string } | undefined {
  if (!hasStatus(error, 400, 500)) return undefined;
  const text = error.details.join('\n');
  const template = /templated policy with an invalid templated name: (\S+) for this role/.exec(text)?.[1];
  if (template !== undefined) return { kind: 'templated policy', name: template };
  const pattern = /No such ACL (policy|role|templated policy) with (?:name or ID|name|ID) "([^"]*)"/i;
  const [, kind, name] = pattern.exec(text) ?? [];
  return kind !== undefined && name !== undefined ? { kind, name } : undefined;
}

/** A templated policy is linked without the name that its template requires (Consul 500). */
export const isMissingTemplateName = saying(/^Invalid type\. Expected: object, given: null$/, 500);

const saysMissingTemplate = saying(
  /^Invalid templated policy Name|no such ACL templated policy|^templated policy "[^"]*" does not exist/i,
  400,
);

/** A templated policy that does not exist (Consul 400). */
export const isMissingTemplate = (error: unknown): error is LanyardError =>
  (error instanceof LanyardError && error.kind === 'not_found' && !isUnknownEndpoint(error)) ||
  saysMissingTemplate(error);

/** A resource that the registry has no permissions for: those of another version (Consul 400). */
export const isUnknownResource = saying(/^Invalid ACL resource requested/, 400);

/** Rules that the registry cannot parse (Consul 500). */
export const isInvalidRules = saying(/^(Failed to parse ACL rules|Invalid \w+ (intentions )?policy: )/, 500);

/** A built-in policy or token that cannot be changed or deleted (Consul 500). */
export const isBuiltInAclObject = saying(
  /\bbuilt-?in\b.*not permitted|not permitted on the (built-?in|anonymous)|request's authorization token is not permitted/i,
  500,
);

/** The permission that a token lacks (Consul 403, and 409 of a transaction): `key:write`, and what it is about. */
export function missingPermissionIn(
  error: LanyardError,
): { readonly access: string; readonly name: string | undefined } | undefined {
  const [, access, name] =
    /lacks permission '(\w+:\w+)'(?: on "([^"]*)")?/.exec(error.details.join('\n')) ?? [];
  return access === undefined ? undefined : { access, name };
}
