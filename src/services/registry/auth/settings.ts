import { createPublicKey, type KeyObject } from 'node:crypto';
import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { FieldError, Fields } from '../../core/http/fields.ts';
import { loopbackUrl } from './loopback.ts';
import type { MethodType } from './state.ts';

export type KeySource =
  | { readonly from: 'config'; readonly keys: readonly KeyObject[] }
  | { readonly from: 'keys' | 'discovery'; readonly url: URL };

export type JwtSettings = ReturnType<typeof jwtSettings>;
export type OidcSettings = ReturnType<typeof oidcSettings>;
export type Mappings = { readonly [claim: string]: string };

type Config = { readonly [member: string]: Json };

const supportedAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

const keySettings = ['JWTValidationPubKeys', 'JWKSURL', 'OIDCDiscoveryURL'];
const commonSettings = ['BoundIssuer', 'BoundAudiences', 'JWTSupportedAlgs'];
const leewaySettings = ['ExpirationLeeway', 'NotBeforeLeeway', 'ClockSkewLeeway'];
const mappingSettings = ['ClaimMappings', 'ListClaimMappings'];
const knownSettings: Readonly<Record<MethodType, readonly string[]>> = {
  jwt: [...keySettings, ...commonSettings, ...leewaySettings, ...mappingSettings],
  kubernetes: ['JWTValidationPubKeys', ...commonSettings, ...leewaySettings],
  oidc: [
    ...['OIDCDiscoveryURL', 'OIDCClientID', 'OIDCClientSecret', 'OIDCScopes', 'OIDCACRValues'],
    ...['AllowedRedirectURIs', 'BoundAudiences', 'JWTSupportedAlgs', ...leewaySettings, ...mappingSettings],
  ],
};

const clusterSettings = ['Host', 'CACert', 'ServiceAccountJWT'];

/**
 * Reads the Config of an auth method of type `jwt` or `kubernetes`. A kubernetes method has the keys of the cluster's
 * service accounts in `JWTValidationPubKeys`: tokens are verified with those, not by a TokenReview.
 *
 * @throws FieldError
 */
export function jwtSettings(type: 'jwt' | 'kubernetes', config: Config) {
  const fields = configFields(type, config);
  return {
    ...readVerification(fields),
    keys: type === 'jwt' ? readKeySource(fields) : readConfiguredKeys(fields),
  };
}

/** Reads the Config of an auth method of type `oidc`. @throws FieldError */
export function oidcSettings(config: Config) {
  const fields = configFields('oidc', config);
  const provider = loopbackUrl(requiredString(fields, 'OIDCDiscoveryURL'), 'OIDCDiscoveryURL');
  const redirects = fields.strings('AllowedRedirectURIs');
  if (redirects.length === 0) throw new FieldError('AllowedRedirectURIs must name one at least');
  const invalid = redirects.find((each) => !URL.canParse(each));
  if (invalid !== undefined) throw new FieldError(`AllowedRedirectURIs: "${invalid}" is not a URL`);
  return {
    ...readVerification(fields),
    keys: { from: 'discovery', url: provider } as KeySource,
    provider,
    clientId: requiredString(fields, 'OIDCClientID'),
    clientSecret: requiredString(fields, 'OIDCClientSecret'),
    scopes: fields.strings('OIDCScopes'),
    acrValues: fields.strings('OIDCACRValues'),
    redirects,
  };
}

/** Only validates a Config. @throws FieldError */
export function checkConfig(type: MethodType, config: Config): void {
  if (type === 'oidc') oidcSettings(config);
  else jwtSettings(type, config);
}

function configFields(type: MethodType, config: Config): Fields {
  for (const name of Object.keys(config)) {
    if (knownSettings[type].some((each) => each.toLowerCase() === name.toLowerCase())) continue;
    if (type === 'kubernetes' && clusterSettings.includes(name)) {
      throw new FieldError(
        `${name} is not supported: the embedded services make no outbound call; ` +
          "put the public keys of the cluster's service accounts in JWTValidationPubKeys",
      );
    }
    throw new FieldError(`${name} is not supported in the Config of a method of type ${type}`);
  }
  return new Fields(config, 'Config');
}

function requiredString(fields: Fields, name: string): string {
  const text = fields.string(name);
  if (text === '') throw new FieldError(`${name} is required`);
  return text;
}

function readVerification(fields: Fields) {
  const algorithms = fields.strings('JWTSupportedAlgs');
  const unknown = algorithms.find((each) => !supportedAlgorithms.includes(each));
  if (unknown !== undefined) {
    throw new FieldError(`JWTSupportedAlgs: "${unknown}" is not one of ${supportedAlgorithms.join(', ')}`);
  }
  return {
    algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    /** Empty: any. */
    issuer: fields.string('BoundIssuer'),
    /** Any of these; empty: any. */
    audiences: fields.strings('BoundAudiences'),
    /** Seconds. */
    leeway: {
      expiration: readLeeway(fields, 'ExpirationLeeway', 150),
      notBefore: readLeeway(fields, 'NotBeforeLeeway', 150),
      clockSkew: readLeeway(fields, 'ClockSkewLeeway', 60),
    },
    /** Variable names of claims, for single values and for lists. */
    claims: readMappings(fields, 'ClaimMappings'),
    listClaims: readMappings(fields, 'ListClaimMappings'),
  };
}

/** 0 is the default; negative: no leeway. */
function readLeeway(fields: Fields, name: string, defaultSeconds: number): number {
  const value = fields.get(name) ?? 0;
  const seconds =
    typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`${name} must be a duration`);
  return seconds < 0 ? 0 : seconds || defaultSeconds;
}

function readMappings(fields: Fields, name: string): Mappings {
  const claimNames = fields.stringMap(name) ?? {};
  const names = Object.values(claimNames);
  const invalid = names.find((each) => !/^[A-Za-z_]\w*$/.test(each));
  if (invalid !== undefined)
    throw new FieldError(`${name}: "${invalid}" is not a name of letters, digits and _`);
  if (new Set(names).size < names.length) throw new FieldError(`${name} gives one name to two claims`);
  return claimNames;
}

function readKeySource(fields: Fields): KeySource {
  const [source, secondSource] = keySettings.filter((name) => fields.has(name));
  if (source === undefined || secondSource !== undefined) {
    throw new FieldError(`Config must have exactly one of ${keySettings.join(', ')}`);
  }
  if (source === 'JWTValidationPubKeys') return readConfiguredKeys(fields);
  const url = loopbackUrl(fields.string(source), source);
  return { from: source === 'JWKSURL' ? 'keys' : 'discovery', url };
}

const maxKeys = 32;

function readConfiguredKeys(fields: Fields): KeySource {
  const texts = fields.strings('JWTValidationPubKeys');
  if (texts.length === 0 || texts.length > maxKeys) {
    throw new FieldError(`JWTValidationPubKeys must be one to ${maxKeys} public keys in PEM form`);
  }
  return { from: 'config', keys: texts.map(readPublicKey) };
}

function readPublicKey(pem: string, index: number): KeyObject {
  const setting = `JWTValidationPubKeys[${index}]`;
  if (pem.includes('PRIVATE KEY')) throw new FieldError(`${setting} is a private key: give the public one`);
  try {
    return createPublicKey(pem);
  } catch {
    throw new FieldError(`${setting} is not a public key in PEM form`);
  }
}
