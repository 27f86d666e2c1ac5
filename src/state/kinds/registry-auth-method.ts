import type { AuthMethod } from '../../api/registry-acl.ts';
import { conflict, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import { compact, isObject } from '../../wire/objects.ts';
import type { JsonObject, Kind, Live } from '../kind.ts';
import { secondsOf, withWireNames } from '../normalize.ts';
import { completeList } from './registry-lists.ts';

const folding = { foldsNames: true } as const;

const leeways = {
  ExpirationLeeway: field.duration('nanoseconds', { description: 'Accepted after the expiration.' }),
  NotBeforeLeeway: field.duration('nanoseconds', { description: 'Accepted before the validity.' }),
  ClockSkewLeeway: field.duration('nanoseconds', { description: 'Accepted difference of clocks.' }),
} as const;

const secrets = {
  OIDCClientSecret: field.secret({ isWriteOnly: true, description: 'Secret of the OIDC client.' }),
  ServiceAccountJWT: field.secret({
    isWriteOnly: true,
    description: 'Token of a service account for the TokenReview API.',
  }),
} as const;

const config = field.object(
  {
    BoundIssuer: field.string({ description: 'Required issuer (default: any).' }),
    BoundAudiences: field.set(field.string(), { description: 'Accepted audiences (default: any).' }),
    JWTSupportedAlgs: field.set(field.string(), {
      default: ['RS256'],
      description: 'Accepted signature algorithms (default RS256).',
    }),
    JWTValidationPubKeys: field.set(field.lines(), { description: 'Public keys in PEM format.' }),
    JWKSURL: field.string(),
    JWKSCACert: field.lines(),
    ...leeways,
    ClaimMappings: field.map(field.string(), { description: 'Names of variables by claim.' }),
    ListClaimMappings: field.map(field.string(), { description: 'Names of variables by list claim.' }),
    OIDCDiscoveryURL: field.string(),
    OIDCDiscoveryCACert: field.lines(),
    OIDCClientID: field.string(),
    OIDCScopes: field.set(),
    OIDCACRValues: field.list(field.string()),
    AllowedRedirectURIs: field.set(),
    VerboseOIDCLogging: field.boolean(),
    Host: field.string({ description: 'Address of the Kubernetes API.' }),
    CACert: field.lines({ description: 'CA certificate of the Kubernetes API in PEM format.' }),
    ...secrets,
    BoundIAMPrincipalARNs: field.set(),
    EnableIAMEntityDetails: field.boolean(),
    IAMEntityTags: field.set(),
    ServerIDHeaderValue: field.string(),
    MaxRetries: field.integer(),
    IAMEndpoint: field.string(),
    STSEndpoint: field.string(),
    AllowedSTSHeaderValues: field.set(),
  },
  { ...folding, isOpen: true, description: 'Settings of the type.' },
);

const schema = field.object(
  {
    Type: field.string({
      isImmutable: true,
      description: 'Type of the method: `jwt`, `oidc`, `kubernetes` or `aws-iam`.',
    }),
    DisplayName: field.string(),
    Description: field.string(),
    MaxTokenTTL: field.duration('text', {
      description: 'Lifetime of the tokens of its logins (default: unlimited).',
    }),
    TokenLocality: field.choice(['local', 'global'], {
      default: 'local',
      description: 'Where the tokens of its logins are valid.',
    }),
    Config: config,
  },
  { ...folding, required: ['Type'] },
);

const configOf = (value: Json | undefined): JsonObject =>
  isObject(value) ? (withWireNames(config, value as JsonObject) as JsonObject) : {};

/** The secrets are never shown: a service returns them to callers who may write them. */
function liveOf(method: AuthMethod): Live {
  const { Name, Type, DisplayName = '', Description = '', MaxTokenTTL, TokenLocality } = method;
  const { CreateIndex = 0, ModifyIndex = 0 } = method;
  const withoutSecrets = Object.entries(configOf(method.Config as JsonObject)).filter(
    ([name]) => !Object.hasOwn(secrets, name),
  );
  return {
    spec: {
      Type,
      DisplayName,
      Description,
      ...compact({ MaxTokenTTL, TokenLocality: TokenLocality || undefined }),
      Config: Object.fromEntries(withoutSecrets),
    },
    version: String(ModifyIndex),
    uid: String(CreateIndex),
    name: Name,
  };
}

function bodyOf(spec: JsonObject, Name: string, stored: JsonObject = {}): JsonObject {
  const { MaxTokenTTL, ...fields } = withWireNames(schema, spec) as JsonObject;
  const settings = configOf(fields.Config);
  const durations = Object.keys(leeways).flatMap((name): [string, Json][] => {
    const seconds = secondsOf('nanoseconds', settings[name] ?? null);
    return seconds === undefined ? [] : [[name, Math.round(seconds * 1e9)]];
  });
  const kept = Object.entries(stored).filter(([name]) => Object.hasOwn(secrets, name));
  return {
    ...fields,
    Name,
    ...(MaxTokenTTL
      ? { MaxTokenTTL: typeof MaxTokenTTL === 'string' ? MaxTokenTTL : `${MaxTokenTTL}s` }
      : {}),
    Config: { ...Object.fromEntries(kept), ...settings, ...Object.fromEntries(durations) },
  };
}

/** An auth method of the registry (docs/protocol/registry.md#login). */
export const registryAuthMethod: Kind = {
  name: 'registry.auth-method',
  service: 'registry',
  description: 'An auth method of the service registry. Deleting it deletes the tokens of its logins.',
  scope: [],
  nameIs: 'name of the auth method, in any case',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 1,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  isProtected: true,
  async list(services) {
    const methods = await (await services.registry()).listAuthMethods({ consistent: '' });
    return ((await completeList(services, 'auth methods', methods)) ?? []).map(({ Name }) => ({
      scope: {},
      key: Name.toLowerCase(),
    }));
  },
  async read(services, { key }) {
    const method = await unlessNotFound((await services.registry()).readAuthMethod({ name: key }));
    return method && liveOf(method);
  },
  async create(services, { identity, name = identity.key, spec }) {
    const registry = await services.registry();
    // The registry would replace an existing one.
    if (await unlessNotFound(registry.readAuthMethod({ name: identity.key })))
      throw conflict(`auth method "${identity.key}" already exists`, { service: 'registry' });
    await registry.createAuthMethod(bodyOf(spec, name));
  },
  async update(services, { identity, spec }) {
    const registry = await services.registry();
    const { body: stored } = await registry.readAuthMethod({ name: identity.key });
    // The registry compares the names in path and body with their case.
    await registry.updateAuthMethod({
      ...bodyOf(spec, stored.Name, configOf(stored.Config as JsonObject)),
      name: stored.Name,
    });
  },
  async remove(services, { key }) {
    await (await services.registry()).deleteAuthMethod({ name: key });
  },
};
