import { badRequest } from '../errors.ts';
import type { TokenRole } from '../model/token-roles.ts';
import { wrappingPolicy } from '../model/wrapped-responses.ts';

interface PolicyInput {
  readonly policies?: readonly string[] | undefined;
  readonly no_default_policy?: boolean | undefined;
}

interface PolicySources {
  readonly parentPolicies: readonly string[];
  readonly sudo: boolean;
  /** Whether the parent is a token of another namespace. */
  readonly isOtherNamespace: boolean;
  readonly role: TokenRole | undefined;
}

/** By the lists of the role, the request, or the parent (docs/protocol/secrets.md#token-roles). @throws SecretsError 400 */
export function newTokenPolicies(input: PolicyInput, sources: PolicySources): string[] {
  const { parentPolicies, sudo, isOtherNamespace, role } = sources;
  const { policies: requested = [], no_default_policy: noDefault = false } = input;
  let policies: string[];
  if (role && hasLists(role)) policies = policiesOfRole(role, requested, parentPolicies, noDefault);
  else if (isOtherNamespace) policies = sanitizePolicies(requested, !noDefault);
  else if (requested.length === 0) policies = sanitizePolicies(parentPolicies);
  else if (sudo) policies = sanitizePolicies(requested, !noDefault);
  else {
    const parents = sanitizePolicies(parentPolicies);
    if (sanitizePolicies(requested).some((name) => !parents.includes(name)))
      throw badRequest('child policies must be subset of parent');
    policies = sanitizePolicies(requested, !noDefault && parents.includes('default'));
  }
  if (noDefault) policies = policies.filter((name) => name !== 'default');
  if (policies.includes(wrappingPolicy.name))
    throw badRequest(`cannot assign policy "${wrappingPolicy.name}"`);
  return policies;
}

/** Names in lower case, in order, once; `root` replaces all others. */
export function sanitizePolicies(names: readonly string[], addDefault = false): string[] {
  const policies = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
  if (policies.has('root')) return ['root'];
  if (addDefault) policies.add('default');
  return [...policies].sort();
}

function hasLists(role: TokenRole): boolean {
  const { allowedPolicies, disallowedPolicies, allowedPoliciesGlob, disallowedPoliciesGlob } = role;
  return [allowedPolicies, disallowedPolicies, allowedPoliciesGlob, disallowedPoliciesGlob].flat().length > 0;
}

function policiesOfRole(
  role: TokenRole,
  requested: readonly string[],
  parentPolicies: readonly string[],
  noDefault: boolean,
): string[] {
  const isDisallowed = (name: string) =>
    role.disallowedPolicies.includes(name) || matchesGlob(role.disallowedPoliciesGlob, name);
  const addDefault = !noDefault && !role.noDefaultPolicy && !isDisallowed('default');
  const hasAllowed = role.allowedPolicies.length > 0 || role.allowedPoliciesGlob.length > 0;
  const allowed = sanitizePolicies(role.allowedPolicies, addDefault);
  const policies =
    requested.length > 0
      ? sanitizePolicies(requested, addDefault)
      : hasAllowed
        ? allowed
        : sanitizePolicies(parentPolicies, addDefault);
  const isAllowed = (name: string) => allowed.includes(name) || matchesGlob(role.allowedPoliciesGlob, name);
  if (hasAllowed && !policies.every(isAllowed)) {
    const [wanted, names, globs] = [policies, allowed, role.allowedPoliciesGlob].map(quotedList);
    throw badRequest(
      `token policies (${wanted}) must be subset of the role's allowed policies (${names}) or glob policies (${globs})`,
    );
  }
  const disallowed = policies.find(isDisallowed);
  if (disallowed !== undefined) throw badRequest(`token policy "${disallowed}" is disallowed by this role`);
  return policies;
}

const quotedList = (names: readonly string[]): string => `[${names.map((name) => `"${name}"`).join(' ')}]`;

/** Whether a name matches one of the globs: `*` matches any characters. */
function matchesGlob(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => {
    const [first = '', ...rest] = glob.split('*');
    const last = rest.pop();
    if (last === undefined) return glob === name;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at + last.length <= name.length;
  });
}
