import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { Change } from '../../../output/diff.ts';
import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { compact, isObject } from '../../../wire/objects.ts';
import { type Fields, writableFields } from './fields.ts';

const types = ['jwt', 'oidc', 'kubernetes', 'aws-iam'] as const;

/** Maximum size of a file with a key or certificate in bytes. */
const maxBytes = 1024 * 1024;

export const methodFlags = {
  type: flag.choice(types, 'type (required for a new method; cannot be changed)'),
  displayName: flag.text('TEXT', 'name for user interfaces'),
  description: flag.text('TEXT', 'description'),
  maxTokenTtl: flag.duration('maximum lifetime of tokens of logins'),
  tokenLocality: flag.choice(['local', 'global'], 'where tokens of logins are valid (default local)'),
  config: flag.file('FILE|-', 'settings of the type (Config) as JSON or YAML, replacing the existing ones'),
  in: flag.file('FILE|-', 'all fields as JSON or YAML, as "acl auth-method get -o json" prints them'),
  jwtValidationPubKey: flag.texts('@FILE', 'jwt: public key in PEM form; repeatable', {
    completes: 'file',
  }),
  jwksUrl: flag.text('URL', 'jwt: URL of the public keys'),
  oidcDiscoveryUrl: flag.text('URL', 'jwt, oidc: URL of the issuer'),
  boundIssuer: flag.text('ISSUER', 'jwt: issuer that tokens must have'),
  boundAudience: flag.list('AUDIENCE', 'jwt, oidc: allowed audience; repeatable', {
    aliases: ['bound-audiences'],
  }),
  jwtSupportedAlg: flag.list('ALG', 'jwt, oidc: allowed signature algorithm (default RS256); repeatable', {
    aliases: ['jwt-supported-algs'],
  }),
  claimMapping: flag.map('CLAIM=NAME', 'jwt, oidc: claim that selectors know as value.NAME; repeatable'),
  listClaimMapping: flag.map('CLAIM=NAME', 'jwt, oidc: claim that selectors know as list.NAME; repeatable'),
  oidcClientId: flag.text('ID', 'oidc: client ID'),
  oidcClientSecret: flag.source('oidc: source of the client secret'),
  allowedRedirectUri: flag.list('URI', 'oidc: allowed redirect URI; repeatable', {
    aliases: ['allowed-redirect-uris'],
  }),
  kubernetesHost: flag.text('URL', 'kubernetes: address of the API server'),
  kubernetesCaCert: flag.text('@FILE', 'kubernetes: CA certificate of the API server in PEM form', {
    completes: 'file',
  }),
  kubernetesServiceAccountJwt: flag.source('kubernetes: source of the JWT for token reviews'),
} as const;

const { jwtValidationPubKey: _key, config: _config, in: _in, ...others } = methodFlags;
const { oidcClientSecret: _secret, kubernetesServiceAccountJwt: _jwt, ...resettable } = others;
/** The flags that `--unset` resets: without files and secrets. */
export const resettableFlags = resettable;

type MethodFlags = Values<typeof methodFlags>;

/** What files and flags give. */
interface GivenFields {
  /** Of the file, then of flags. */
  readonly fields: Fields;
  /** Undefined: the existing Config is kept. */
  readonly config: Fields | undefined;
  /** Fields of Config that flags change. */
  readonly configChange: Fields;
}

/** Reads files and flags; flags override the file. @throws LanyardError usage */
export async function readMethodFields(flags: MethodFlags, ctx: Context): Promise<GivenFields> {
  const file = flags.in === undefined ? {} : writableFields(await readObject(flags.in, ctx));
  const { Config, ...fields } = file;
  return {
    fields: {
      ...fields,
      ...compact({
        Type: flags.type,
        DisplayName: flags.displayName,
        Description: flags.description,
        MaxTokenTTL: flags.maxTokenTtl,
        TokenLocality: flags.tokenLocality,
      }),
    },
    config:
      flags.config !== undefined
        ? await readObject(flags.config, ctx)
        : isObject(Config)
          ? (Config as Fields)
          : undefined,
    configChange: await configFields(flags, ctx),
  };
}

/** The fields of a method after the change. */
export function changedMethod(before: Fields, { fields, config, configChange }: GivenFields): Fields {
  const { MaxTokenTTL: existing } = before;
  const { MaxTokenTTL: given } = fields;
  // The service returns 1h as 1h0m0s.
  const isSameTtl =
    typeof existing === 'string' &&
    typeof given === 'string' &&
    parseDuration(existing) === parseDuration(given);
  return {
    ...fields,
    ...(isSameTtl ? { MaxTokenTTL: existing } : {}),
    ...(typeof given === 'string' && parseDuration(given) === 0 ? { MaxTokenTTL: null } : {}),
    Config: withoutUnset({ ...(config ?? objectOf(before.Config)), ...configChange }, configChange),
  };
}

/** The fields without those that a change sets to an empty value. */
const withoutUnset = (fields: Fields, change: Fields): Fields => {
  const set = writableFields(change);
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !Object.hasOwn(change, name) || Object.hasOwn(set, name)),
  );
};

const objectOf = (value: Json | undefined): Fields => (isObject(value) ? (value as Fields) : {});

async function readObject(file: string, ctx: Context): Promise<Fields> {
  const { name, definitions } = await ctx.input.readDefinitions(file);
  const [definition, ...others] = definitions;
  if (isObject(definition?.value) && others.length === 0) return definition.value as Fields;
  throw usage(`invalid auth method in ${name}: expected one object`);
}

async function configFields(flags: MethodFlags, ctx: Context): Promise<Fields> {
  const keys = await Promise.all(flags.jwtValidationPubKey.map((source) => readPem(source, ctx)));
  const secret = (source: string | undefined, what: string) =>
    source === undefined ? undefined : ctx.input.readSecret(source, what);
  return compact({
    JWTValidationPubKeys: keys.length === 0 ? undefined : keys,
    JWKSURL: flags.jwksUrl,
    OIDCDiscoveryURL: flags.oidcDiscoveryUrl,
    BoundIssuer: flags.boundIssuer,
    BoundAudiences: flags.boundAudience && [...flags.boundAudience],
    JWTSupportedAlgs: flags.jwtSupportedAlg && [...flags.jwtSupportedAlg],
    ClaimMappings: flags.claimMapping && { ...flags.claimMapping },
    ListClaimMappings: flags.listClaimMapping && { ...flags.listClaimMapping },
    OIDCClientID: flags.oidcClientId,
    OIDCClientSecret: await secret(flags.oidcClientSecret, 'client secret'),
    AllowedRedirectURIs: flags.allowedRedirectUri && [...flags.allowedRedirectUri],
    Host: flags.kubernetesHost,
    CACert: flags.kubernetesCaCert === undefined ? undefined : await readPem(flags.kubernetesCaCert, ctx),
    ServiceAccountJWT: await secret(flags.kubernetesServiceAccountJwt, 'service account JWT'),
  });
}

/** A key or certificate, as text or in a file. */
async function readPem(source: string, { files }: Pick<Context, 'files'>): Promise<string> {
  if (!source.startsWith('@')) return source;
  return new TextDecoder().decode(await files.readBytes(source.slice(1), 'the file', maxBytes));
}

/** Fields of Config that are secrets. */
const secretFields = ['oidcclientsecret', 'oidcclientassertion', 'serviceaccountjwt'];
const isSecret = (name: string): boolean => secretFields.includes(name.toLowerCase());

/** A method for output, without its secrets. */
export const withoutSecrets = <Method extends { readonly Config?: unknown }>(method: Method): Method =>
  isObject(method.Config)
    ? {
        ...method,
        Config: Object.fromEntries(
          Object.entries(method.Config).map(([name, value]) => [
            name,
            isSecret(name) && value ? '<redacted>' : value,
          ]),
        ),
      }
    : method;

/** Changes for output, without secrets. */
export const hideSecrets = (changes: readonly Change[]): readonly Change[] =>
  changes.map((change) =>
    change.path.some(isSecret)
      ? { ...change, before: change.before && '<redacted>', after: change.after && '<redacted>' }
      : {
          ...change,
          before: hideWithin(change.path, change.before),
          after: hideWithin(change.path, change.after),
        },
  );

const hideWithin = (path: readonly string[], value: unknown): unknown =>
  path[0] === 'Config' && path.length === 1 && isObject(value)
    ? withoutSecrets({ Config: value }).Config
    : value;
