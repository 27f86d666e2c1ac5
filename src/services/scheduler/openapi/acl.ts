import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { blockingQuery, commonQuery, prefix, readQuery } from './parameters.ts';

const tag = 'ACL';
const policyNames = s.array(s.text(), 'Names of policies.');
const tokenType = s.oneOf(['client', 'management'], 'Management tokens are not restricted.');

const token = {
  AccessorID: s.text('Public ID.'),
  Name: s.text(),
  Type: tokenType,
  Policies: s.nullable(policyNames),
  Roles: { type: 'null', description: 'Roles are not supported.' },
  Global: s.boolean(),
  Hash: s.nullable(s.text()),
  CreateTime: s.time(),
  ExpirationTime: s.nullable(s.time()),
  CreateIndex: s.integer(),
  ModifyIndex: s.integer(),
};

const policy = {
  Name: s.text(),
  Description: s.text(),
  Hash: s.text(),
  CreateIndex: s.integer(),
  ModifyIndex: s.integer(),
};

export const aclSchemas: s.Schemas = {
  Token: s.object({
    ...token,
    SecretID: s.text('The token itself.'),
    ExpirationTTL: s.text('A duration; empty if the token was created without one.'),
  }),
  TokenMetadata: s.object(token, 'A token without its secret.'),
  TokenInput: s.input({
    AccessorID: s.text('Of an existing token, to update it. Must be that of the path.'),
    SecretID: s.text('With an unknown accessor: create the client token with these IDs (UUIDs).'),
    Name: s.text('At most 256 characters.'),
    'Type!': tokenType,
    Policies: s.nullable(policyNames),
    Global: s.boolean(),
    Roles: s.nullable(s.array(s.anyObject(), 'Must be empty: roles are not supported.')),
    ExpirationTTL: {
      description: 'Time until the token expires, 1m to 24h: a duration, or nanoseconds.',
      anyOf: [{ type: 'string' }, { type: 'integer' }],
    },
    ExpirationTime: s.nullable(s.text('When the token expires, RFC 3339; instead of `ExpirationTTL`.')),
  }),
  Policy: s.object({ ...policy, Rules: s.text('Rules in HCL or JSON.') }),
  PolicyMetadata: s.object(policy, 'A policy without its rules.'),
  PolicyInput: s.input({
    Name: s.text('Must be that of the path; default: that of the path.'),
    Description: s.text('At most 256 characters.'),
    Rules: s.text('Rules in HCL or JSON.'),
  }),
};

const putToken: OperationDescription = {
  id: 'putToken',
  tag,
  summary: 'Create or update a token',
  description: 'The type, the expiration and the secret of an existing token cannot be changed.',
  query: readQuery,
  body: { schema: s.ref('TokenInput') },
  responses: { 200: { schema: s.ref('Token'), headers: 'write' } },
};

/** All but the bootstrap are 400 until access control is bootstrapped. */
const read = (
  id: string,
  summary: string,
  schema: s.Schema,
  query: s.Schemas = {},
): OperationDescription => ({
  id,
  tag,
  summary,
  query: { ...query, ...blockingQuery },
  responses: { 200: { schema, headers: 'query' } },
  errors: [400],
});

const remove = (id: string, summary: string, errors: readonly number[]): OperationDescription => ({
  id,
  tag,
  summary,
  query: commonQuery,
  responses: { 200: { headers: 'write' } },
  errors,
});

export const aclOperations: Operations = {
  'PUT|POST v1/acl/bootstrap': {
    id: 'bootstrapAcl',
    tag,
    summary: 'Enable access control and create the first management token',
    isUnauthenticated: true,
    query: readQuery,
    body: {
      isOptional: true,
      schema: s.input({ BootstrapSecret: s.text('The secret of the token, a UUID; default: random.') }),
    },
    responses: { 200: { schema: s.ref('Token'), headers: 'write' } },
  },
  'PUT|POST v1/acl/token': putToken,
  'GET v1/acl/token/self': read('getSelfToken', 'Read the token of the request', s.ref('Token')),
  'GET v1/acl/token/:id': { ...read('getToken', 'Read a token', s.ref('Token')), errors: [400, 404] },
  'PUT|POST v1/acl/token/:id': { ...putToken, id: 'updateToken', summary: 'Update a token' },
  'DELETE v1/acl/token/:id': remove('deleteToken', 'Delete a token', [400]),
  'GET v1/acl/tokens': read(
    'listTokens',
    'List tokens, without their secrets',
    s.array(s.ref('TokenMetadata')),
    {
      prefix,
    },
  ),
  'GET v1/acl/policies': read(
    'listPolicies',
    'List policies, without their rules',
    s.array(s.ref('PolicyMetadata')),
    { prefix },
  ),
  'GET v1/acl/policy/:name': { ...read('getPolicy', 'Read a policy', s.ref('Policy')), errors: [400, 404] },
  'PUT|POST v1/acl/policy/:name': {
    id: 'putPolicy',
    tag,
    summary: 'Create or replace a policy',
    query: commonQuery,
    body: { schema: s.ref('PolicyInput') },
    responses: { 200: { headers: 'write' } },
  },
  'DELETE v1/acl/policy/:name': remove('deletePolicy', 'Delete a policy', [400, 404]),
};
