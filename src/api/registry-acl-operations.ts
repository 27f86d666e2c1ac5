import { onlyTrue } from './decode.ts';
import { type InDatacenter, inDatacenter, operationBuilders } from './operation-builders.ts';
import {
  aclPolicies,
  aclPolicy,
  aclRole,
  aclRoles,
  aclToken,
  aclTokens,
  authMethod,
  authMethods,
  authorizations,
  bindingRule,
  bindingRules,
  templatedPolicies,
  templatedPolicy,
} from './registry-acl.ts';

const { get, post, put, remove } = operationBuilders('registry');

// Writes of policies, roles and tokens have no datacenter: the agent forwards them to the primary, except local tokens,
// which are in its own datacenter (Consul ignores `dc` there).

interface WithId extends InDatacenter {
  id: string;
}

interface WithName extends InDatacenter {
  name: string;
}

interface List extends InDatacenter {
  consistent?: '';
}

interface TokenFilter extends List {
  /** ID of a policy. */
  policy?: string;
  /** ID of a role. */
  role?: string;
  authmethod?: string;
}

const authMethodPath = '/v1/acl/auth-method/{name}';
const bindingRulePath = '/v1/acl/binding-rule/{id}';
const list = { query: ['dc', 'consistent'] } as const;

/** Tokens, policies, roles, auth methods and binding rules of the registry (docs/protocol/registry.md#access-control). */
export const aclOperations = {
  listPolicies: get<List>('list policies', '/v1/acl/policies', list)(aclPolicies),
  readPolicy: get<WithId>('read policy', '/v1/acl/policy/{id}', inDatacenter)(aclPolicy),
  readPolicyByName: get<WithName>('read policy', '/v1/acl/policy/name/{+name}', inDatacenter)(aclPolicy),
  createPolicy: put<object>('create policy', '/v1/acl/policy')(aclPolicy),
  updatePolicy: put<{ id: string }>('update policy', '/v1/acl/policy/{id}')(aclPolicy),
  deletePolicy: remove<{ id: string }>('delete policy', '/v1/acl/policy/{id}')(onlyTrue),

  listTokens: get<TokenFilter>('list tokens', '/v1/acl/tokens', {
    query: [...list.query, 'policy', 'role', 'authmethod'],
  })(aclTokens),
  readToken: get<WithId & { expanded?: '' }>('read token', '/v1/acl/token/{id}', {
    query: ['dc', 'expanded'],
  })(aclToken),
  createToken: put<object>('create token', '/v1/acl/token')(aclToken),
  updateToken: put<{ id: string }>('update token', '/v1/acl/token/{id}')(aclToken),
  cloneToken: put<{ id: string }>('clone token', '/v1/acl/token/{id}/clone')(aclToken),
  deleteToken: remove<{ id: string }>('delete token', '/v1/acl/token/{id}')(onlyTrue),
  /** The content is a JSON array of `{ Resource, Segment, Access }`. */
  authorize: post<{ content: string } & InDatacenter>('check permissions', '/v1/internal/acl/authorize', {
    query: ['dc'],
    accepts: [200],
    retry: 'read',
    body: 'content',
    contentType: 'application/json',
  })(authorizations),

  listRoles: get<List>('list roles', '/v1/acl/roles', list)(aclRoles),
  readRole: get<WithId>('read role', '/v1/acl/role/{id}', inDatacenter)(aclRole),
  readRoleByName: get<WithName>('read role', '/v1/acl/role/name/{name}', inDatacenter)(aclRole),
  createRole: put<object>('create role', '/v1/acl/role')(aclRole),
  updateRole: put<{ id: string }>('update role', '/v1/acl/role/{id}')(aclRole),
  deleteRole: remove<{ id: string }>('delete role', '/v1/acl/role/{id}')(onlyTrue),

  listAuthMethods: get<List>('list auth methods', '/v1/acl/auth-methods', list)(authMethods),
  readAuthMethod: get<WithName>('read auth method', authMethodPath, inDatacenter)(authMethod),
  createAuthMethod: put<InDatacenter & { Name?: unknown }>(
    'create auth method',
    '/v1/acl/auth-method',
    inDatacenter,
  )(authMethod),
  updateAuthMethod: put<WithName>('update auth method', authMethodPath, inDatacenter)(authMethod),
  deleteAuthMethod: remove<WithName>('delete auth method', authMethodPath, inDatacenter)(onlyTrue),

  listBindingRules: get<List & { authmethod?: string }>('list binding rules', '/v1/acl/binding-rules', {
    query: [...list.query, 'authmethod'],
  })(bindingRules),
  readBindingRule: get<WithId>('read binding rule', bindingRulePath, inDatacenter)(bindingRule),
  createBindingRule: put<InDatacenter & { AuthMethod?: unknown }>(
    'create binding rule',
    '/v1/acl/binding-rule',
    inDatacenter,
  )(bindingRule),
  updateBindingRule: put<WithId>('update binding rule', bindingRulePath, inDatacenter)(bindingRule),
  deleteBindingRule: remove<WithId>('delete binding rule', bindingRulePath, inDatacenter)(onlyTrue),

  listTemplatedPolicies: get<object>(
    'list templated policies',
    '/v1/acl/templated-policies',
  )(templatedPolicies),
  readTemplatedPolicy: get<{ name: string }>(
    'read templated policy',
    '/v1/acl/templated-policy/name/{+name}',
  )(templatedPolicy),
  previewTemplatedPolicy: post<{ template: string; name?: string }>(
    'preview templated policy',
    '/v1/acl/templated-policy/preview/{+template}',
    { accepts: [200], retry: 'read' },
  )(aclPolicy),
} as const;
