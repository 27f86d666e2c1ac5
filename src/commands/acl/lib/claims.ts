import type { AuthMethod, BindingRule } from '../../../api/registry-acl.ts';
import { usage } from '../../../errors.ts';
import type { CompilePattern } from '../../../io/patterns.ts';
import { isObject } from '../../../wire/objects.ts';
import { type Identity, parseSelector, type Selector, SelectorError } from './selector.ts';

type Claims = Readonly<Record<string, unknown>>;

/** From claim (a name, or a JSON pointer such as `/user/id`) to variable. */
export type ClaimMappings = Readonly<Record<string, string>>;

/** The claims in a JWT; the signature is not verified. @throws LanyardError usage */
export function claimsOfJwt(jwt: string): Claims {
  const [, payload = ''] = jwt.trim().split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (isObject(claims)) return claims;
  } catch {
    // Reported below: the text may be a secret and is not repeated.
  }
  throw usage('invalid bearer token: expected a JWT');
}

/**
 * What selectors and bind names see of a caller, as Consul derives it from claims: mapped claims as text, lists as
 * lists, and what the claims lack as empty.
 *
 * @throws LanyardError usage: a claim cannot be a text or a list of texts
 */
export function identityOf(
  claims: Claims,
  { values, lists }: { readonly values: ClaimMappings; readonly lists: ClaimMappings },
): Identity {
  const mapped = <Value>(mappings: ClaimMappings, convert: (claim: string, value: unknown) => Value) =>
    Object.fromEntries(
      Object.entries(mappings).map(([claim, variable]) => [variable, convert(claim, claimAt(claims, claim))]),
    );
  return { value: mapped(values, textClaim), list: mapped(lists, listClaim) };
}

/** The fields of a Kubernetes service account. */
export function kubernetesIdentity(claims: Claims): Identity {
  const account = isObject(claims.serviceaccount) ? claims.serviceaccount : {};
  const kubernetes = isObject(claims['kubernetes.io']) ? claims['kubernetes.io'] : {};
  const inToken = isObject(kubernetes.serviceaccount) ? kubernetes.serviceaccount : {};
  const text = (...values: readonly unknown[]): string =>
    values.find((value): value is string => typeof value === 'string') ?? '';
  return {
    serviceaccount: {
      namespace: text(account.namespace, kubernetes.namespace),
      name: text(account.name, inToken.name),
      uid: text(account.uid, inToken.uid),
    },
  };
}

/** The mappings of an auth method. */
export function mappingsOf({ Config }: Pick<AuthMethod, 'Config'>) {
  const mappings = (name: string): ClaimMappings =>
    isObject(Config?.[name]) ? (Config[name] as ClaimMappings) : {};
  return { values: mappings('ClaimMappings'), lists: mappings('ListClaimMappings') };
}

function claimAt(claims: Claims, claim: string): unknown {
  const path = claim.startsWith('/') ? claim.slice(1).split('/') : [claim];
  return path.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(name)];
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, claims);
}

function textClaim(claim: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return String(typeof value === 'number' ? Math.trunc(value) : value);
  throw usage(`invalid claim "${claim}": expected a string, a number or a boolean`, {
    hint: 'Map it with ListClaimMappings if it is a list.',
  });
}

function listClaim(claim: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => textClaim(claim, item)).filter((item) => item !== '');
}

/** The outcome of a binding rule for an identity. */
export interface Evaluated {
  readonly matches: boolean;
  /** What the caller gets, with variables filled in; undefined if the rule does not match. */
  readonly bindName?: string;
  /** Whether the rule matches and `bindName` is invalid: the registry then rejects the login, whatever else matches. */
  readonly isRejected?: true;
  /** Why the rule cannot be evaluated, or rejects the login, or which of its fields have no claim. */
  readonly problem?: string;
}

type Rule = Pick<BindingRule, 'Selector' | 'BindName' | 'BindType'>;

const identityName = /^[a-z\d]([a-z\d_-]{0,254}[a-z\d])?$/;

/** The names that the registry accepts for what a rule binds. */
const validNames: Readonly<Record<string, RegExp>> = {
  service: identityName,
  node: identityName,
  role: /^[\w-]{1,256}$/,
  policy: /^[\w-]+(\/[\w-]*)?$/,
};

/** Evaluates a rule as the registry does at a login. */
export function evaluate(rule: Rule, identity: Identity, compile: CompilePattern): Evaluated {
  const { Selector: source = '', BindType, BindName = '' } = rule;
  try {
    const { fields, matches } =
      source.trim() === '' ? { fields: [], matches: () => true } : parseSelector(source, compile);
    const isMatch = matches(identity);
    const unmapped = fields
      .filter(([group = '', name]) => name !== undefined && identity[group]?.[name] === undefined)
      .map((field) => field.join('.'));
    const bindName = interpolate(BindName, identity);
    if (isMatch && BindName !== '' && validNames[BindType]?.test(bindName) === false)
      return {
        matches: true,
        bindName,
        isRejected: true,
        problem: `invalid ${BindType} name "${bindName}": the login fails`,
      };
    return {
      matches: isMatch,
      ...(isMatch ? { bindName } : {}),
      ...(unmapped.length === 0 ? {} : { problem: `no claim is mapped to ${unmapped.join(', ')}` }),
    };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { matches: false, problem: `selector, column ${error.column}: ${error.message}` };
  }
}

/** Fills in `${value.name}`; what is unknown becomes empty. */
const interpolate = (text: string, identity: Identity): string =>
  text.replaceAll(/\$\{\s*([^{}]*?)\s*\}/g, (_match, variable: string) => {
    const [group = '', name = ''] = variable.split('.');
    const value = identity[group]?.[name];
    return typeof value === 'string' ? value : '';
  });

/** A selector with a valid syntax. @throws LanyardError usage, with the column */
export function checkSelector(source: string, compile: CompilePattern): Selector | undefined {
  if (source.trim() === '') return undefined;
  try {
    return parseSelector(source, compile);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw usage(`invalid selector: column ${error.column}: ${error.message}`, {
      details: [source, `${' '.repeat(error.column - 1)}^`],
      hint: 'Nothing was sent.',
    });
  }
}
