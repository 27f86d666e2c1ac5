import { createPublicKey, type KeyObject } from 'node:crypto';
import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { FieldError, Fields } from '../../http/fields.ts';
import { loopbackUrl } from './loopback.ts';
import type { MethodType } from './state.ts';

/** Where the keys are that tokens are verified with. */
export type KeySource =
  | { readonly from: 'config'; readonly keys: readonly KeyObject[] }
  | { readonly from: 'keys' | 'discovery'; readonly url: URL };

/** How a JWT is verified. Leeways are seconds. */
export interface JwtSettings {
  readonly keys: KeySource;
  readonly algorithms: readonly string[];
  /** Empty: any. */
  readonly issuer: string;
  /** One of these; empty: any. */
  readonly audiences: readonly string[];
  readonly leeway: { readonly expiration: number; readonly notBefore: number; readonly clockSkew: number };
  /** Names that single claims go by, and those of lists, by claim. */
  readonly claims: Mappings;
  readonly listClaims: Mappings;
}

export type Mappings = { readonly [claim: string]: string };

/** How a person is sent to a provider, and from where back. */
export interface OidcSettings extends JwtSettings {
  readonly provider: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly acrValues: readonly string[];
  readonly redirects: readonly string[];
}

type Config = { readonly [member: string]: Json };

const supported = [
  ...['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

const common = ['BoundIssuer', 'BoundAudiences', 'JWTSupportedAlgs'];
const leeways = ['ExpirationLeeway', 'NotBeforeLeeway', 'ClockSkewLeeway'];
const mappings = ['ClaimMappings', 'ListClaimMappings'];
const known: Readonly<Record<MethodType, readonly string[]>> = {
  jwt: ['JWTValidationPubKeys', 'JWKSURL', 'OIDCDiscoveryURL', ...common, ...leeways, ...mappings],
  kubernetes: ['JWTValidationPubKeys', ...common, ...leeways],
  oidc: [
    ...['OIDCDiscoveryURL', 'OIDCClientID', 'OIDCClientSecret', 'OIDCScopes', 'OIDCACRValues'],
    ...['AllowedRedirectURIs', 'BoundAudiences', 'JWTSupportedAlgs', ...leeways, ...mappings],
  ],
};

/** Settings that would have the embedded service ask a cluster of which it knows only what it is told. */
const ofTheCluster = ['Host', 'CACert', 'ServiceAccountJWT'];

/**
 * Reads the Config of an auth method of type `jwt` or `kubernetes`. A kubernetes method has the keys of the cluster's
 * service accounts in `JWTValidationPubKeys`: their tokens are verified with those, not by a TokenReview.
 *
 * @throws FieldError
 */
export function jwtSettings(type: 'jwt' | 'kubernetes', config: Config): JwtSettings {
  const fields = fieldsOf(type, config);
  return { ...verification(fields), keys: type === 'jwt' ? keySource(fields) : configuredKeys(fields) };
}

/** Reads the Config of an auth method of type `oidc`. @throws FieldError */
export function oidcSettings(config: Config): OidcSettings {
  const fields = fieldsOf('oidc', config);
  const provider = loopbackUrl(required(fields, 'OIDCDiscoveryURL'), 'OIDCDiscoveryURL');
  const redirects = fields.texts('AllowedRedirectURIs');
  if (redirects.length === 0) throw new FieldError('AllowedRedirectURIs must name one at least');
  const odd = redirects.find((each) => !URL.canParse(each));
  if (odd !== undefined) throw new FieldError(`AllowedRedirectURIs: "${odd}" is not a URL`);
  return {
    ...verification(fields),
    keys: { from: 'discovery', url: provider },
    provider,
    clientId: required(fields, 'OIDCClientID'),
    clientSecret: required(fields, 'OIDCClientSecret'),
    scopes: fields.texts('OIDCScopes'),
    acrValues: fields.texts('OIDCACRValues'),
    redirects,
  };
}

/** Reads a Config for its faults alone. @throws FieldError */
export function checkConfig(type: MethodType, config: Config): void {
  if (type === 'oidc') oidcSettings(config);
  else jwtSettings(type, config);
}

function fieldsOf(type: MethodType, config: Config): Fields {
  for (const name of Object.keys(config)) {
    if (known[type].some((each) => each.toLowerCase() === name.toLowerCase())) continue;
    if (type === 'kubernetes' && ofTheCluster.includes(name)) {
      throw new FieldError(
        `${name} is not supported: the embedded services make no outbound call; ` +
          "put the public keys of the cluster's service accounts in JWTValidationPubKeys",
      );
    }
    throw new FieldError(`${name} is not supported in the Config of a method of type ${type}`);
  }
  return new Fields(config, 'Config');
}

function required(fields: Fields, name: string): string {
  const text = fields.text(name);
  if (text === '') throw new FieldError(`${name} is required`);
  return text;
}

function verification(fields: Fields): Omit<JwtSettings, 'keys'> {
  const algorithms = fields.texts('JWTSupportedAlgs');
  const unknown = algorithms.find((each) => !supported.includes(each));
  if (unknown !== undefined) {
    throw new FieldError(`JWTSupportedAlgs: "${unknown}" is not one of ${supported.join(', ')}`);
  }
  return {
    algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    issuer: fields.text('BoundIssuer'),
    audiences: fields.texts('BoundAudiences'),
    leeway: {
      expiration: leeway(fields, 'ExpirationLeeway', 150),
      notBefore: leeway(fields, 'NotBeforeLeeway', 150),
      clockSkew: leeway(fields, 'ClockSkewLeeway', 60),
    },
    claims: mappingsOf(fields, 'ClaimMappings'),
    listClaims: mappingsOf(fields, 'ListClaimMappings'),
  };
}

/** 0 is the default; a negative one, none. */
function leeway(fields: Fields, name: string, usual: number): number {
  const value = fields.get(name) ?? 0;
  const seconds =
    typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`${name} must be a duration`);
  return seconds < 0 ? 0 : seconds || usual;
}

function mappingsOf(fields: Fields, name: string): Mappings {
  const found = fields.textMap(name) ?? {};
  const names = Object.values(found);
  const odd = names.find((each) => !/^[A-Za-z_]\w*$/.test(each));
  if (odd !== undefined) throw new FieldError(`${name}: "${odd}" is not a name of letters, digits and _`);
  if (new Set(names).size < names.length) throw new FieldError(`${name} gives one name to two claims`);
  return found;
}

function keySource(fields: Fields): KeySource {
  const sources = ['JWTValidationPubKeys', 'JWKSURL', 'OIDCDiscoveryURL'];
  const [source, another] = sources.filter((name) => fields.has(name));
  if (source === undefined || another !== undefined) {
    throw new FieldError(`Config must have exactly one of ${sources.join(', ')}`);
  }
  if (source === 'JWTValidationPubKeys') return configuredKeys(fields);
  const url = loopbackUrl(fields.text(source), source);
  return { from: source === 'JWKSURL' ? 'keys' : 'discovery', url };
}

const mostKeys = 32;

function configuredKeys(fields: Fields): KeySource {
  const texts = fields.texts('JWTValidationPubKeys');
  if (texts.length === 0 || texts.length > mostKeys) {
    throw new FieldError(`JWTValidationPubKeys must be one to ${mostKeys} public keys in PEM form`);
  }
  return { from: 'config', keys: texts.map(publicKey) };
}

function publicKey(pem: string, index: number): KeyObject {
  const what = `JWTValidationPubKeys[${index}]`;
  if (pem.includes('PRIVATE KEY')) throw new FieldError(`${what} is a private key: give the public one`);
  try {
    return createPublicKey(pem);
  } catch {
    throw new FieldError(`${what} is not a public key in PEM form`);
  }
}
