import * as s from '../../core/openapi/schema.ts';
import { duration } from './shapes.ts';

const indexes = { CreateIndex: s.integer(), ModifyIndex: s.integer() };
const nullableText = s.nullable(s.text());
const datacenters = s.array(s.text(), 'Where it applies; missing: everywhere.');
const link = s.object({ ID: s.text(), Name: s.text() });
const links = s.array(link);

/** What tokens and roles grant. */
const grants = {
  'Policies?': links,
  'ServiceIdentities?': s.array(s.object({ ServiceName: s.text(), 'Datacenters?': datacenters })),
  'NodeIdentities?': s.array(s.object({ NodeName: s.text(), Datacenter: s.text() })),
  'TemplatedPolicies?': s.array(
    s.object({
      TemplateID: s.text(),
      TemplateName: s.text(),
      'TemplateVariables?': s.object({ 'name?': s.text() }),
      'Datacenters?': datacenters,
    }),
  ),
};

const token = {
  AccessorID: s.text('Public ID.'),
  SecretID: s.text('The token itself; `<hidden>` without permission to write tokens.'),
  Description: s.text(),
  ...grants,
  'Roles?': links,
  'Rules?': s.text('Rules of a legacy token.'),
  Local: s.boolean('Only in the datacenter where it was created.'),
  'AuthMethod?': s.text('The auth method of the login that created it.'),
  CreateTime: s.time(),
  'ExpirationTime?': s.time(),
  Hash: s.text(),
  ...indexes,
};

const linkInputs = s.nullable(s.array(s.nullable(s.input({ ID: nullableText, Name: nullableText }))));
const ignored = {
  Hash: nullableText,
  CreateIndex: s.nullable(s.integer()),
  ModifyIndex: s.nullable(s.integer()),
};
const limits = s.nullable(s.array(s.text(), 'Where it applies; none: everywhere.'));
const grantInputs = {
  Policies: linkInputs,
  ServiceIdentities: s.nullable(s.array(s.input({ 'ServiceName!': s.text(), Datacenters: limits }))),
  NodeIdentities: s.nullable(s.array(s.input({ 'NodeName!': s.text(), 'Datacenter!': s.text() }))),
  TemplatedPolicies: s.nullable(
    s.array(
      s.input({
        TemplateID: nullableText,
        TemplateName: nullableText,
        TemplateVariables: s.nullable(s.input({ Name: nullableText })),
        Datacenters: limits,
      }),
    ),
  ),
};

export const aclSchemas: s.Schemas = {
  Token: s.object(token),
  TokenDetails: s.object(
    {
      ...token,
      'ExpandedPolicies?': s.nullable(s.array(s.ref('Policy'))),
      'ExpandedRoles?': s.nullable(s.array(s.ref('Role'))),
      'NamespaceDefaultPolicyIDs?': { type: 'null' },
      'NamespaceDefaultRoleIDs?': { type: 'null' },
      'AgentACLDefaultPolicy?': s.oneOf(['allow', 'deny']),
      'AgentACLDownPolicy?': s.text(),
      'ResolvedByAgent?': s.text(),
    },
    'A token, with `expanded` also its roles and policies.',
  ),
  BootstrapToken: s.object({ ID: s.text('The same as `SecretID`.'), ...token }),
  TokenInput: s.input({
    AccessorID: s.nullable(s.text('UUID; default: random. In an update, that of the path.')),
    SecretID: s.nullable(s.text('UUID; default: random. It cannot be changed.')),
    Description: nullableText,
    ...grantInputs,
    Roles: linkInputs,
    Local: s.nullable(s.boolean('It cannot be changed.')),
    AuthMethod: nullableText,
    CreateTime: nullableText,
    ExpirationTime: s.nullable(s.text('RFC 3339; at least 1m in the future. It cannot be changed.')),
    ExpirationTTL: duration('Instead of `ExpirationTime`'),
    ...ignored,
  }),
  Role: s.object({
    ID: s.text(),
    Name: s.text(),
    Description: s.text(),
    ...grants,
    Hash: s.text(),
    ...indexes,
  }),
  RoleInput: s.input({
    ID: nullableText,
    'Name!': s.text(),
    Description: nullableText,
    ...grantInputs,
    ...ignored,
  }),
  TemplatedPolicy: s.object({
    TemplateName: s.text(),
    Schema: s.text('JSON Schema of the variables, as text; empty: none.'),
    Template: s.text(),
    Description: s.text(),
  }),
  AuthorizationRequest: s.input({
    'Resource!': s.text('Such as `key` or `service`.'),
    Segment: s.nullable(s.text('Name, for resources with names.')),
    'Access!': s.text('`read`, `list`, `write` or `write-prefix`.'),
  }),
  Authorization: s.object({
    Resource: s.text(),
    'Segment?': s.text(),
    Access: s.text(),
    Allow: s.boolean(),
  }),
};
