import * as v from 'valibot';
import type { Auth, Token, Wrap } from '../wire/responses/secrets.ts';
import { checked, flag, pairs, shown, text, texts } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { envelope, secret, type Wrappable, written } from './secrets-parts.ts';

const { get, list, post } = operationBuilders('secrets');

const policies = texts;
const metadata = pairs;

const authSchema = v.looseObject({
  ...shown<Auth>({
    accessor: text,
    policies,
    renewable: flag,
    token_type: text,
    orphan: flag,
    num_uses: v.optional(v.number()),
    metadata,
  }),
  /** The token. */
  client_token: v.string(),
  /** Lifetime in seconds; 0: unlimited. */
  lease_duration: v.number(),
});

/** A token that was issued or renewed. */
export type TokenAuth = v.InferOutput<typeof authSchema>;

/** Where a wrapped response is. */
export const wrapSchema = v.looseObject({
  ...shown<Wrap>({
    accessor: text,
    creation_time: text,
    creation_path: text,
  }),
  /** The wrapping token, for `secrets unwrap`. */
  token: v.string(),
  /** Lifetime in seconds. */
  ttl: v.number(),
});

/** Where a wrapped response is, instead of the response. */
export type WrapInfo = v.InferOutput<typeof wrapSchema>;

const propertiesSchema = v.looseObject({
  ...shown<Token>({
    id: text,
    accessor: text,
    display_name: text,
    policies,
    ttl: v.optional(v.number()),
    renewable: flag,
    type: text,
    orphan: flag,
    num_uses: v.optional(v.number()),
    meta: metadata,
  }),
  /** RFC 3339; null: the token does not expire. */
  expire_time: v.nullish(v.string()),
  /** Seconds, or a duration: a renewal sets the lifetime to it. */
  period: v.optional(v.union([v.number(), v.string()])),
  /** Seconds, or a duration; 0: unlimited. */
  explicit_max_ttl: v.optional(v.union([v.number(), v.string()])),
});

/** What the service shows of a token. */
export type TokenProperties = v.InferOutput<typeof propertiesSchema>;

/** The body of a token creation; durations as texts. */
export interface TokenRequest {
  policies?: readonly string[];
  ttl?: string;
  period?: string;
  explicit_max_ttl?: string;
  num_uses?: number;
  no_default_policy?: boolean;
  no_parent?: boolean;
  renewable?: boolean;
  type?: 'service' | 'batch';
  display_name?: string;
  meta?: Readonly<Record<string, string>>;
  entity_alias?: string;
}

interface Increment {
  increment?: string;
}

const issued = checked(v.looseObject({ ...envelope, auth: authSchema }));
const issuedOrWrapped = checked(
  v.looseObject({ ...envelope, auth: v.nullish(authSchema), wrap_info: v.nullish(wrapSchema) }),
);
const looked = checked(v.looseObject({ ...envelope, data: propertiesSchema }));
const capabilities = checked(secret({}));

// Whether a token whose response was lost was created cannot be verified.
const creation = { retry: 'once', headers: { 'Wrap-TTL': 'wrapTtl' } } as const;
const renewal = { retry: 'repeat' } as const;
const question = { accepts: [200], retry: 'read' } as const;

const create = <Input>(path: string) =>
  post<TokenRequest & Wrappable & Input>('create token', path, creation)(issuedOrWrapped);
const readCapabilities = <Input extends object>(path: string) =>
  post<Input>('read capabilities', path, question)(capabilities);

/** Tokens of the secrets service (docs/protocol/secrets.md#tokens). */
export const tokenOperations = {
  createToken: create<object>('/v1/auth/token/create'),
  createOrphanToken: create<object>('/v1/auth/token/create-orphan'),
  createTokenOfRole: create<{ role: string }>('/v1/auth/token/create/{role}'),
  /** `id` is the token. */
  createTokenWithId: post<TokenRequest & Wrappable & { id: string }>(
    'create token',
    '/v1/auth/token/create',
    { ...creation, secretBody: 'assumed' },
  )(issuedOrWrapped),

  listAccessors: list<object>(
    'list tokens',
    '/v1/auth/token/accessors',
  )(checked(secret({ keys: v.nullable(v.array(v.string())) }))),
  lookupSelf: get<object>('look up own token', '/v1/auth/token/lookup-self')(looked),
  lookUpToken: post<{ token: string }>('look up token', '/v1/auth/token/lookup', question)(looked),
  lookUpAccessor: post<{ accessor: string }>(
    'look up token',
    '/v1/auth/token/lookup-accessor',
    question,
  )(looked),

  renewSelf: post<Increment>('renew own token', '/v1/auth/token/renew-self', renewal)(issued),
  renewToken: post<Increment & { token: string }>('renew token', '/v1/auth/token/renew', renewal)(issued),
  renewAccessor: post<Increment & { accessor: string }>(
    'renew token',
    '/v1/auth/token/renew-accessor',
    renewal,
  )(issued),

  revokeToken: post<{ token: string }>('revoke token', '/v1/auth/token/revoke')(written),
  revokeOrphan: post<{ token: string }>('revoke token', '/v1/auth/token/revoke-orphan')(written),
  revokeAccessor: post<{ accessor: string }>('revoke token', '/v1/auth/token/revoke-accessor')(written),

  ownCapabilities: readCapabilities<{ paths: readonly string[] }>('/v1/sys/capabilities-self'),
  capabilitiesOfToken: readCapabilities<{ token: string; paths: readonly string[] }>('/v1/sys/capabilities'),
  capabilitiesOfAccessor: readCapabilities<{ accessor: string; paths: readonly string[] }>(
    '/v1/sys/capabilities-accessor',
  ),
} as const;
