import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { type FieldsByName, map, object, text, texts } from '../filter/fields.ts';
import { type Claims, verifyJwt } from './jwt.ts';
import { type JwtSettings, jwtSettings, type Mappings } from './settings.ts';
import type { AuthMethod } from './state.ts';

/** The identity of a caller, for selectors and bind names of binding rules. */
export type Identity = { readonly [part: string]: { readonly [name: string]: string | readonly string[] } };

/** The identity of a bearer token. @throws HttpError 500: the token is invalid */
export async function identityOf(method: AuthMethod, bearer: string, now: number): Promise<Identity> {
  if (method.Type === 'oidc') {
    throw new HttpError(500, `auth method "${method.Name}" is of type oidc: log in with acl/oidc/auth-url`);
  }
  const settings = jwtSettings(method.Type, method.Config);
  if (method.Type === 'jwt') return identityFromClaims(await verifyJwt(bearer, settings, now), settings);
  try {
    return serviceAccountOf(await verifyJwt(bearer, settings, now, true));
  } catch (error) {
    throw new HttpError(500, `lookup failed: ${messageOf(error)}`);
  }
}

/** The mapped claims, without those that the token lacks. @throws HttpError 500 */
export function identityFromClaims(claims: Claims, { claims: single, listClaims }: JwtSettings): Identity {
  const mapped = <Value>(mappings: Mappings, read: (value: unknown, claim: string) => Value) =>
    Object.fromEntries(
      Object.entries(mappings).flatMap(([claim, name]) => {
        const value = claimAt(claims, claim) ?? undefined;
        return value === undefined ? [] : [[name, read(value, claim)]];
      }),
    );
  return {
    value: mapped(single, claimText),
    list: mapped(listClaims, (value, claim) =>
      (Array.isArray(value) ? value : [value]).map((each) => claimText(each, claim)),
    ),
  };
}

/** The fields of an identity that selectors can name. */
export function identityFields({ Type }: Pick<AuthMethod, 'Type'>): FieldsByName {
  return Type === 'kubernetes'
    ? { serviceaccount: object({ name: text, namespace: text, uid: text }) }
    : { value: map(text), list: map(texts) };
}

/** The variables of bind names; those that an identity lacks are empty. */
export function bindVariables({ Type, Config }: Pick<AuthMethod, 'Type' | 'Config'>): string[] {
  if (Type === 'kubernetes') return ['name', 'namespace', 'uid'].map((each) => `serviceaccount.${each}`);
  return Object.values((Config.ClaimMappings ?? {}) as Mappings).map((name) => `value.${name}`);
}

/** A claim by its name, or by a JSON pointer (RFC 6901). */
function claimAt(claims: Claims, claim: string): unknown {
  if (!claim.startsWith('/')) return ownProperty(claims, claim);
  const names = claim
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(ownProperty, claims);
}

function ownProperty(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Claims)[name];
}

function claimText(value: unknown, claim: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') {
    throw new HttpError(
      500,
      `error validating claims: claim "${claim}" is not a text, a number or a truth value`,
    );
  }
  return String(value);
}

/** The service account of a bound token, or of a legacy one. */
function serviceAccountOf(claims: Claims): Identity {
  const kubernetesClaims = ownProperty(claims, 'kubernetes.io');
  const account = ownProperty(kubernetesClaims, 'serviceaccount');
  const legacyClaim = (name: string) => ownProperty(claims, `kubernetes.io/serviceaccount/${name}`);
  const attributes = {
    name: ownProperty(account, 'name') ?? legacyClaim('service-account.name'),
    namespace: ownProperty(kubernetesClaims, 'namespace') ?? legacyClaim('namespace'),
    uid: ownProperty(account, 'uid') ?? legacyClaim('service-account.uid'),
  };
  if (!Object.values(attributes).every((each) => typeof each === 'string' && each !== '')) {
    throw new Error('the token is not of a service account');
  }
  return { serviceaccount: attributes as Record<keyof typeof attributes, string> };
}
