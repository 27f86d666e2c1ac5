import * as v from 'valibot';
import { checked } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';
import { secret, optionalText as text, type Wrappable, warnings, written } from './secrets-parts.ts';

const { get, post } = operationBuilders('secrets');

const policies = v.nullish(v.array(v.string()));
const metadata = v.nullish(v.record(v.string(), v.string()));

const authSchema = v.looseObject({
  client_token: v.string(),
  accessor: text,
  policies,
  lease_duration: v.number(),
  renewable: v.optional(v.boolean()),
  token_type: text,
  orphan: v.optional(v.boolean()),
  num_uses: v.optional(v.number()),
  metadata,
});

/** A token that was issued or renewed. */
export type TokenAuth = v.InferOutput<typeof authSchema>;

const wrapSchema = v.looseObject({
  token: v.string(),
  accessor: text,
  ttl: v.number(),
  creation_time: text,
  creation_path: text,
});

/** Where a wrapped response is, instead of the response. */
export type WrapInfo = v.InferOutput<typeof wrapSchema>;

const propertiesSchema = v.looseObject({
  id: text,
  accessor: text,
  display_name: text,
  policies,
  ttl: v.optional(v.number()),
  /** ISO 8601; null: the token does not expire. */
  expire_time: v.nullish(v.string()),
  renewable: v.optional(v.boolean()),
  type: text,
  orphan: v.optional(v.boolean()),
  num_uses: v.optional(v.number()),
  period: v.optional(v.union([v.number(), v.string()])),
  explicit_max_ttl: v.optional(v.union([v.number(), v.string()])),
  meta: metadata,
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

const issued = checked(v.looseObject({ auth: authSchema, warnings }));
const issuedOrWrapped = checked(
  v.looseObject({ auth: v.nullish(authSchema), wrap_info: v.nullish(wrapSchema), warnings }),
);
const looked = checked(v.looseObject({ data: propertiesSchema, warnings }));
const capabilities = checked(secret({}));

// Whether a token whose response was lost was created cannot be verified.
const creation = { accepts: [200], retry: 'once', headers: { 'Wrap-TTL': 'wrapTtl' } } as const;
const renewal = { accepts: [200], retry: 'repeat' } as const;
const question = { accepts: [200], retry: 'read' } as const;

/** Tokens of the secrets service (docs/protocol/secrets.md#tokens). */
export const tokenOperations = {
  createToken: post<TokenRequest & Wrappable>(
    'create token',
    '/v1/auth/token/create',
    creation,
  )(issuedOrWrapped),
  createOrphanToken: post<TokenRequest & Wrappable>(
    'create token',
    '/v1/auth/token/create-orphan',
    creation,
  )(issuedOrWrapped),
  createTokenOfRole: post<TokenRequest & Wrappable & { role: string }>(
    'create token',
    '/v1/auth/token/create/{role}',
    creation,
  )(issuedOrWrapped),
  /** `id` is the token. */
  createTokenWithId: post<TokenRequest & Wrappable & { id: string }>(
    'create token',
    '/v1/auth/token/create',
    {
      ...creation,
      secretBody: 'assumed',
    },
  )(issuedOrWrapped),

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

  ownCapabilities: post<{ paths: readonly string[] }>(
    'read capabilities',
    '/v1/sys/capabilities-self',
    question,
  )(capabilities),
  capabilitiesOfToken: post<{ token: string; paths: readonly string[] }>(
    'read capabilities',
    '/v1/sys/capabilities',
    question,
  )(capabilities),
  capabilitiesOfAccessor: post<{ accessor: string; paths: readonly string[] }>(
    'read capabilities',
    '/v1/sys/capabilities-accessor',
    question,
  )(capabilities),
} as const;
