import * as v from 'valibot';
import type {
  ReturnedSchedulerPolicy,
  ReturnedSchedulerRole,
  ReturnedSchedulerToken,
} from '../objects/scheduler-acl.ts';
import type * as wire from '../wire/responses/scheduler.ts';
import { checked, checkedList, flag, noBody, shown, text, texts } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';

const { get, put, remove } = operationBuilders('scheduler');

const job = v.nullish(v.looseObject({ Namespace: text, JobID: text, Group: text, Task: text }));

const policyMetadata = v.looseObject({
  ...shown<Pick<ReturnedSchedulerPolicy, 'Description'> & wire.Hashed>({ Description: text }),
  Name: v.string(),
  /** The job that has the policy by its workload identity. */
  JobACL: job,
});

const policy = v.looseObject({
  ...shown<ReturnedSchedulerPolicy & wire.Policy>({ Description: text, Rules: text, JobACL: job }),
  Name: v.string(),
  JobACL: job,
});

const role = v.looseObject({
  ...shown<ReturnedSchedulerRole & wire.Hashed>({ Description: text }),
  ID: v.string(),
  Name: v.string(),
  Policies: v.nullish(v.array(v.looseObject({ Name: v.string() }))),
});

const listedToken = {
  ...shown<Omit<ReturnedSchedulerToken, 'ExpirationTime' | 'ExpirationTTL'> & wire.Hashed>({
    Name: text,
    Type: text,
    Global: flag,
  }),
  /** RFC 3339. */
  ExpirationTime: v.nullish(v.string()),
  /** Identifies the token without being a secret. */
  AccessorID: v.string(),
  Policies: texts,
  Roles: v.nullish(v.array(v.looseObject({ ID: text, Name: text }))),
  /** RFC 3339. */
  CreateTime: text,
};

const tokenMetadata = v.looseObject(listedToken);

const token = v.looseObject({
  ...listedToken,
  /** The token itself. */
  SecretID: v.string(),
  /** A duration; empty: the token was created without one. */
  ExpirationTTL: text,
});

/** The token of a request; a service in between may leave fields out. */
const ownToken = v.looseObject({ ...listedToken, AccessorID: text, SecretID: text, ExpirationTTL: text });

export type SchedulerPolicyMetadata = v.InferOutput<typeof policyMetadata>;
export type SchedulerPolicy = v.InferOutput<typeof policy>;
export type SchedulerRole = v.InferOutput<typeof role>;
export type SchedulerTokenMetadata = v.InferOutput<typeof tokenMetadata>;
export type SchedulerToken = v.InferOutput<typeof token>;
export type OwnSchedulerToken = v.InferOutput<typeof ownToken>;

interface Page {
  per_page?: number;
  next_token?: string;
}

const bootstrapPath = '/v1/acl/bootstrap';
const withoutToken = { token: 'none' } as const;
const policyPath = '/v1/acl/policy/{name}';
const tokenPath = '/v1/acl/token/{accessor}';
const rolePath = '/v1/acl/role/{id}';

/** Tokens, policies and roles of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerAclOperations = {
  bootstrapAcl: put<object>('bootstrap access control', bootstrapPath, {
    ...withoutToken,
    retry: 'once',
    body: undefined,
  })(checked(token)),
  bootstrapAclWith: put<{ BootstrapSecret: string }>(
    'bootstrap access control',
    bootstrapPath,
    withoutToken,
  )(checked(token)),

  listPolicies: get<object>('list policies', '/v1/acl/policies')(checkedList(policyMetadata)),
  readPolicy: get<{ name: string }>('read policy', policyPath)(checked(policy)),
  writePolicy: put<{ name: string; Name: string }>('write policy', policyPath)(noBody),
  deletePolicy: remove<{ name: string }>('delete policy', policyPath)(noBody),

  listTokens: get<Page>('list tokens', '/v1/acl/tokens', { query: ['per_page', 'next_token'] })(
    checkedList(tokenMetadata),
  ),
  readToken: get<{ accessor: string }>('read token', tokenPath)(checked(token)),
  /** The token of the request: the anonymous one without a token. */
  readOwnToken: get<object>('read own token', '/v1/acl/token/self')(checked(ownToken)),
  createToken: put<object>('create token', '/v1/acl/token')(checked(token)),
  updateToken: put<{ accessor: string; AccessorID: string }>('update token', tokenPath)(checked(token)),
  deleteToken: remove<{ accessor: string }>('delete token', tokenPath)(noBody),

  listRoles: get<object>('list roles', '/v1/acl/roles')(checkedList(role)),
  readRole: get<{ id: string }>('read role', rolePath)(checked(role)),
  readRoleByName: get<{ name: string }>('read role', '/v1/acl/role/name/{name}')(checked(role)),
  createRole: put<{ Name: string }>('create role', '/v1/acl/role')(checked(role)),
  updateRole: put<{ id: string; ID: string }>('update role', rolePath)(checked(role)),
  deleteRole: remove<{ id: string }>('delete role', rolePath)(noBody),
} as const;
