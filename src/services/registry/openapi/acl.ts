import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { call, commonQuery, read } from './parameters.ts';

const tag = 'ACL';
const nullableText = s.nullable(s.text());
const isTrue = s.boolean(undefined, { const: true });
const rules = { type: 'text/plain', schema: s.text('Rules.') };

interface Resource {
  /** As in operation IDs and schemas. */
  readonly name: string;
  readonly noun: string;
  readonly path: string;
}

/** The operations by ID that policies and roles have. */
function byId({ name, noun, path }: Resource): Operations {
  const schema = s.ref(name);
  const body = { schema: s.ref(`${name}Input`) };
  return {
    [`PUT ${path}`]: call(tag, `create${name}`, `Create a ${noun}`, schema, { body }),
    [`GET ${path}/:id`]: read(tag, `get${name}`, `Read a ${noun}`, schema, { errors: [400, 404] }),
    [`GET ${path}/name/:name`]: read(tag, `get${name}ByName`, `Read a ${noun} by its name`, schema, {
      errors: [400, 404],
    }),
    [`PUT ${path}/:id`]: call(tag, `update${name}`, `Update a ${noun}`, schema, { body, errors: [404] }),
    [`DELETE ${path}/:id`]: call(tag, `delete${name}`, `Delete a ${noun}`, isTrue, { errors: [400, 404] }),
  };
}

const tokenBody: Partial<OperationDescription> = { body: { schema: s.ref('TokenInput') }, errors: [404] };

export const aclOperations: Operations = {
  'PUT v1/acl/bootstrap': call(
    tag,
    'bootstrapAcl',
    'Enable access control and create the first management token',
    s.ref('BootstrapToken'),
    {
      isUnauthenticated: true,
      body: {
        isOptional: true,
        schema: s.input({
          BootstrapSecret: s.nullable(s.text('The secret of the token, a UUID; default: random.')),
        }),
      },
      // 403: access control is on already.
      errors: [403],
    },
  ),
  'PUT v1/acl/create': call(
    tag,
    'createLegacyToken',
    'Create a token with rules',
    s.object({ ID: s.text() }),
    {
      description: 'Deprecated: a token of the earlier ACL system.',
      body: {
        schema: s.input({
          Name: nullableText,
          Type: s.nullable(s.text('`client` (default) or `management`.')),
          Rules: s.nullable(s.text('Rules in the legacy syntax.')),
        }),
      },
    },
  ),
  'POST v1/acl/rules/translate': {
    ...call(tag, 'translateRules', 'Translate legacy rules into the current syntax', undefined),
    body: rules,
    responses: { 200: { ...rules, headers: 'all' } },
  },
  'GET v1/acl/rules/translate/:accessor': {
    ...call(tag, 'translateTokenRules', 'Translate the rules of a legacy token', undefined),
    responses: { 200: { ...rules, headers: 'all' } },
  },
  'PUT v1/acl/token': call(tag, 'createToken', 'Create a token', s.ref('Token'), tokenBody),
  'GET v1/acl/token/self': read(tag, 'getSelfToken', 'Read the token of the request', s.ref('Token'), {
    description: 'Without a token, it is an error.',
    errors: [400],
  }),
  'GET v1/acl/token/:id': read(tag, 'getToken', 'Read a token', s.ref('TokenDetails'), {
    query: { expanded: s.boolean('Also its roles and policies.', { allowEmptyValue: true }) },
    errors: [400, 404],
  }),
  'PUT v1/acl/token/:id': call(tag, 'updateToken', 'Update a token', s.ref('Token'), tokenBody),
  'DELETE v1/acl/token/:id': call(tag, 'deleteToken', 'Delete a token', isTrue, { errors: [400, 404] }),
  'PUT v1/acl/token/:id/clone': call(
    tag,
    'cloneToken',
    'Create a token with the grants of another',
    s.ref('Token'),
    {
      body: {
        schema: s.input({ Description: nullableText, AccessorID: nullableText, SecretID: nullableText }),
      },
      errors: [404],
    },
  ),
  'GET v1/acl/tokens': read(tag, 'listTokens', 'List tokens', s.array(s.ref('Token')), {
    description: 'At most one of the parameters that select tokens.',
    query: {
      policy: s.text('Only tokens with this policy ID.'),
      role: s.text('Only tokens with this role ID.'),
      authmethod: s.text('Only tokens of this auth method.'),
      servicename: s.text('Only tokens with an identity of this service.'),
    },
  }),
  ...byId({ name: 'Role', noun: 'role', path: 'v1/acl/role' }),
  'GET v1/acl/roles': read(tag, 'listRoles', 'List roles', s.array(s.ref('Role')), {
    query: { policy: s.text('Only roles with this policy ID.') },
  }),
  'GET v1/acl/templated-policies': call(
    tag,
    'listTemplatedPolicies',
    'List the templates of policies by name',
    s.map(s.ref('TemplatedPolicy')),
  ),
  'GET v1/acl/templated-policy/name/:name': call(
    tag,
    'getTemplatedPolicy',
    'Read a template of policies',
    s.ref('TemplatedPolicy'),
  ),
  'POST v1/acl/templated-policy/preview/:name': call(
    tag,
    'previewTemplatedPolicy',
    'Show the policy of a template with variables',
    s.ref('Policy'),
    { body: { schema: s.input({ Name: nullableText }) } },
  ),
  'POST v1/internal/acl/authorize': call(
    tag,
    'authorize',
    'Report what the caller may do',
    s.array(s.ref('Authorization')),
    { body: { schema: s.nullable(s.array(s.ref('AuthorizationRequest'))) }, query: commonQuery },
  ),
};
