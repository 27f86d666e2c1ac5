import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { goRulesFor, toSignedSeconds } from '../../core/schema/go-rules.ts';
import { type ReadingRules, read } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { loopbackUrl } from './loopback.ts';

export const methodTypes = ['jwt', 'kubernetes', 'oidc'] as const;
export type MethodType = (typeof methodTypes)[number];

export type KeySource =
  | { readonly from: 'config'; readonly keys: readonly KeyObject[] }
  | { readonly from: 'keys' | 'discovery'; readonly url: URL };

export type JwtSettings = ReturnType<typeof jwtSettings>;
export type OidcSettings = ReturnType<typeof oidcSettings>;
export type Mappings = { readonly [claim: string]: string };

const supportedAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512', 'EdDSA'],
];

const strings = (description?: string) => s.list(s.string(), description);

const JWTValidationPubKeys = s.optional(strings('Public keys in PEM format.'));
const issuerUrl = { OIDCDiscoveryURL: s.optional(s.string('URL of the issuer, on this machine.')) };
const keySettings = {
  JWTValidationPubKeys,
  JWKSURL: s.optional(s.string('URL of the keys, on this machine.')),
  ...issuerUrl,
};
const leeway = (seconds: number) =>
  s.nonEmpty(
    s.converted(
      s.duration(`Default ${seconds}s: a duration such as \`5s\`, or nanoseconds.`),
      toSignedSeconds,
    ),
  );
const commonSettings = {
  BoundAudiences: strings(),
  JWTSupportedAlgs: strings('Default: RS256.'),
  ExpirationLeeway: leeway(150),
  NotBeforeLeeway: leeway(150),
  ClockSkewLeeway: leeway(60),
};
const mapping = s.map(s.string(), 'Variable names by claim.');
const mappings = { ClaimMappings: mapping, ListClaimMappings: mapping };

/** The settings of each type of auth methods. */
const settings = {
  jwt: { ...keySettings, BoundIssuer: s.string(), ...commonSettings, ...mappings },
  kubernetes: { JWTValidationPubKeys, BoundIssuer: s.string(), ...commonSettings },
  oidc: {
    ...issuerUrl,
    ...s.each(['OIDCClientID', 'OIDCClientSecret'], s.string()),
    ...s.each(['OIDCScopes', 'OIDCACRValues', 'AllowedRedirectURIs'], strings()),
    ...commonSettings,
    ...mappings,
  },
} as const satisfies Record<MethodType, s.Fields>;

export const authMethodConfig = s.named(
  'AuthMethodConfig',
  s.object(
    { ...settings.jwt, ...settings.oidc },
    'Settings of the type. Types jwt and kubernetes need keys, type oidc the client.',
  ),
);
type Settings = s.Input<typeof authMethodConfig>;
type Config = { readonly [member: string]: Json };

const clusterSettings = ['Host', 'CACert', 'ServiceAccountJWT'];

/**
 * Reads the Config of an auth method of type `jwt` or `kubernetes`. A kubernetes method has the keys of the cluster's
 * service accounts in `JWTValidationPubKeys`: tokens are verified with those, not by a TokenReview.
 *
 * @throws FieldError
 */
export function jwtSettings(type: 'jwt' | 'kubernetes', config: Config) {
  const found = readSettings(type, config);
  return {
    ...verificationOf(found),
    keys: type === 'jwt' ? readKeySource(found) : readConfiguredKeys(found),
  };
}

/** Reads the Config of an auth method of type `oidc`. @throws FieldError */
export function oidcSettings(config: Config) {
  const found = readSettings('oidc', config);
  const provider = loopbackUrl(required(found, 'OIDCDiscoveryURL'), 'OIDCDiscoveryURL');
  const redirects = found.AllowedRedirectURIs;
  if (redirects.length === 0) throw new FieldError('AllowedRedirectURIs must name one at least');
  const invalid = redirects.find((each) => !URL.canParse(each));
  if (invalid !== undefined) throw new FieldError(`AllowedRedirectURIs: "${invalid}" is not a URL`);
  return {
    ...verificationOf(found),
    keys: { from: 'discovery', url: provider } as KeySource,
    provider,
    clientId: required(found, 'OIDCClientID'),
    clientSecret: required(found, 'OIDCClientSecret'),
    scopes: found.OIDCScopes,
    acrValues: found.OIDCACRValues,
    redirects,
  };
}

/** Only validates a Config. @throws FieldError */
export function checkConfig(type: MethodType, config: Config): void {
  if (type === 'oidc') oidcSettings(config);
  else jwtSettings(type, config);
}

/** The settings of a type; settings of other types are left out. @throws FieldError */
function readSettings(type: MethodType, config: Config): Settings {
  const rules: ReadingRules = {
    ...goRulesFor('Config'),
    unknown(_path, [name = '']) {
      throw new FieldError(
        type === 'kubernetes' && clusterSettings.includes(name)
          ? `${name} is not supported: the embedded services make no outbound call; ` +
              "put the public keys of the cluster's service accounts in JWTValidationPubKeys"
          : `${name} is not supported in the Config of a method of type ${type}`,
      );
    },
  };
  return read(s.object(settings[type]), config, rules) as Settings;
}

function required(found: Settings, name: 'OIDCDiscoveryURL' | 'OIDCClientID' | 'OIDCClientSecret'): string {
  const text = found[name];
  if (!text) throw new FieldError(`${name} is required`);
  return text;
}

function verificationOf(found: Settings) {
  const { JWTSupportedAlgs: algorithms } = found;
  const unknown = algorithms.find((each) => !supportedAlgorithms.includes(each));
  if (unknown !== undefined) {
    throw new FieldError(`JWTSupportedAlgs: "${unknown}" is not one of ${supportedAlgorithms.join(', ')}`);
  }
  return {
    algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    /** Empty: any. */
    issuer: found.BoundIssuer ?? '',
    /** Any of these; empty: any. */
    audiences: found.BoundAudiences,
    /** Seconds. */
    leeway: {
      expiration: leewayOf(found.ExpirationLeeway, 150),
      notBefore: leewayOf(found.NotBeforeLeeway, 150),
      clockSkew: leewayOf(found.ClockSkewLeeway, 60),
    },
    /** Variable names of claims, for single values and for lists. */
    claims: checkedMappings(found, 'ClaimMappings'),
    listClaims: checkedMappings(found, 'ListClaimMappings'),
  };
}

/** Negative: no leeway. */
const leewayOf = (seconds: number | undefined, defaultSeconds: number): number =>
  Math.max(seconds ?? defaultSeconds, 0);

function checkedMappings(found: Settings, name: keyof typeof mappings): Mappings {
  const { [name]: claimNames = {} } = found;
  const names = Object.values(claimNames);
  const invalid = names.find((each) => !/^[A-Za-z_]\w*$/.test(each));
  if (invalid !== undefined)
    throw new FieldError(`${name}: "${invalid}" is not a name of letters, digits and _`);
  if (new Set(names).size < names.length) throw new FieldError(`${name} gives one name to two claims`);
  return claimNames;
}

const keySources = Object.keys(keySettings) as readonly (keyof typeof keySettings)[];

function readKeySource(found: Settings): KeySource {
  const [source, secondSource] = keySources.filter((name) => found[name] !== undefined);
  if (source === undefined || secondSource !== undefined) {
    throw new FieldError(`Config must have exactly one of ${keySources.join(', ')}`);
  }
  if (source === 'JWTValidationPubKeys') return readConfiguredKeys(found);
  const url = loopbackUrl(found[source] ?? '', source);
  return { from: source === 'JWKSURL' ? 'keys' : 'discovery', url };
}

const maxKeys = 32;

function readConfiguredKeys({ JWTValidationPubKeys: texts = [] }: Settings): KeySource {
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
