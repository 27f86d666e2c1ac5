import * as v from 'valibot';
import type { SecretsPolicyFields } from '../objects/secrets-policy.ts';
import type { AnyResponse, Namespace } from '../wire/responses/secrets.ts';
import { checked, flag, objectOrText, pairs, shown, text } from './decode.ts';
import type { Decoder } from './operation.ts';
import { operationBuilders } from './operation-builders.ts';
import { envelope, secret, written } from './secrets-parts.ts';

const { get, list, patch, post, remove, scan } = operationBuilders('secrets');

interface Named {
  name: string;
}

interface Lease {
  lease_id: string;
}

interface LeasePrefix {
  prefix: string;
}

interface PolicyGuard {
  /** OpenBao: the version that is replaced; -1: the policy must not exist. Other products ignore it. */
  cas?: number;
}

const names = checked(secret({ keys: v.nullable(v.array(v.string())) }));
const policy = checked(secret({ name: v.string(), policy: v.string(), version: v.optional(v.number()) }));

const leaseSchema = v.looseObject({
  ...shown<{ /** The path that created the lease. */ path?: string }>(),
  id: v.string(),
  /** Remaining lifetime in seconds. */
  ttl: v.number(),
  renewable: flag,
  /** RFC 3339. */
  issue_time: text,
  /** RFC 3339; null: the lease does not expire. */
  expire_time: v.nullish(v.string()),
  /** RFC 3339; null: the lease was not renewed. */
  last_renewal: v.nullish(v.string()),
});
/** A lease of credentials. */
export type LeaseProperties = v.InferOutput<typeof leaseSchema>;

const namespaceSchema = v.looseObject({
  ...shown<Namespace>(),
  id: text,
  /** Ends with a slash. */
  path: v.string(),
  custom_metadata: pairs,
});
/** A namespace below another one. */
export type NamespaceProperties = v.InferOutput<typeof namespaceSchema>;

const namespace = checked(v.looseObject({ data: namespaceSchema }));
const namespaces = checked(
  secret({
    keys: v.nullable(v.array(v.string())),
    key_info: v.nullish(v.record(v.string(), namespaceSchema)),
  }),
);

/** An object, or a text that is not JSON: JSON under another content type is not from the service. */
const unwrapped: Decoder<AnyResponse> = (body) => {
  if (typeof body === 'string' && /^\s*[{[]/.test(body)) throw new Error('the body: expected an object');
  return objectOrText(body);
};

const policyPath = '/v1/sys/policies/acl/{name}';
const namespacePath = '/v1/sys/namespaces/{name}';

/** Policies, leases, namespaces and wrapped responses of the secrets service (docs/protocol/secrets.md#policies). */
export const sysOperations = {
  listPolicies: list<object>('list policies', '/v1/sys/policies/acl')(names),
  readPolicy: get<Named>('read policy', policyPath)(policy),
  writePolicy: post<Named & SecretsPolicyFields & PolicyGuard>('write policy', policyPath)(written),
  deletePolicy: remove<Named>('delete policy', policyPath)(written),

  listLeases: list<object>('list leases', '/v1/sys/leases/lookup')(names),
  listLeasesBelow: list<LeasePrefix>('list leases', '/v1/sys/leases/lookup/{+prefix}')(names),
  lookUpLease: post<Lease>('look up lease', '/v1/sys/leases/lookup', { accepts: [200], retry: 'read' })(
    checked(v.looseObject({ data: leaseSchema })),
  ),
  renewLease: post<Lease & { increment?: string }>('renew lease', '/v1/sys/leases/renew', {
    retry: 'repeat',
  })(
    checked(
      v.looseObject({
        ...envelope,
        lease_id: v.string(),
        /** Seconds. */
        lease_duration: v.number(),
        renewable: flag,
      }),
    ),
  ),
  revokeLease: post<Lease & { sync?: boolean }>('revoke lease', '/v1/sys/leases/revoke', { retry: 'repeat' })(
    written,
  ),
  revokeLeases: post<LeasePrefix & { sync?: boolean }>(
    'revoke leases',
    '/v1/sys/leases/revoke-prefix/{+prefix}',
    { retry: 'repeat' },
  )(written),
  /** Also forgets leases that the engine fails to revoke. */
  forceRevokeLeases: post<LeasePrefix>('revoke leases', '/v1/sys/leases/revoke-force/{+prefix}', {
    retry: 'repeat',
  })(written),

  listNamespaces: list<object>('list namespaces', '/v1/sys/namespaces')(namespaces),
  /** All below, with their paths (OpenBao). */
  scanNamespaces: scan<object>('list namespaces', '/v1/sys/namespaces')(namespaces),
  readNamespace: get<Named>('read namespace', namespacePath)(namespace),
  createNamespace: post<Named & { custom_metadata?: Readonly<Record<string, string>> }>(
    'create namespace',
    namespacePath,
  )(namespace),
  /** Null removes a key of the metadata. */
  patchNamespace: patch<Named & { custom_metadata: Readonly<Record<string, string | null>> }>(
    'update namespace',
    namespacePath,
    { contentType: 'application/merge-patch+json' },
  )(namespace),
  deleteNamespace: remove<Named>('delete namespace', namespacePath)(written),

  /** The wrapping token is the token of the request. What it wraps is returned once. */
  unwrap: post<object>('unwrap', '/v1/sys/wrapping/unwrap', {
    retry: 'once',
    body: undefined,
    token: 'required',
  })(unwrapped),
} as const;
