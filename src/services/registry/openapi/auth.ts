import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { call, read } from './parameters.ts';
import { duration } from './shapes.ts';

const tag = 'Auth methods';
const indexes = { CreateIndex: s.integer(), ModifyIndex: s.integer() };
const nullableText = s.nullable(s.text());
const ignored = { CreateIndex: s.nullable(s.integer()), ModifyIndex: s.nullable(s.integer()) };
const locality = 'Datacenters in which tokens of logins are valid: `local` or `global`.';

const method = {
  Name: s.text(),
  Type: s.oneOf(['jwt', 'kubernetes', 'oidc']),
  'DisplayName?': s.text(),
  'MaxTokenTTL?': s.text('Lifetime of tokens, a duration.'),
  'TokenLocality?': s.text(locality),
  ...indexes,
};

const texts = s.nullable(s.array(s.text()));
const mapping = s.nullable(s.map(s.text(), 'Variable names by claim.'));

export const authSchemas: s.Schemas = {
  AuthMethod: s.object({
    ...method,
    'Description?': s.text(),
    Config: s.anyObject('The written configuration, unchanged.'),
  }),
  AuthMethodMetadata: s.object(
    { ...method, 'Description?': s.text() },
    'An auth method without its configuration.',
  ),
  AuthMethodInput: s.input({
    Name: s.nullable(s.text('Default: that of the path.')),
    Type: s.nullable(s.text('`jwt`, `kubernetes` or `oidc`. Default in an update: unchanged.')),
    DisplayName: nullableText,
    Description: nullableText,
    MaxTokenTTL: duration('Lifetime of tokens'),
    TokenLocality: s.nullable(s.text(locality)),
    Config: s.nullable(s.ref('AuthMethodConfig')),
    ...ignored,
  }),
  AuthMethodConfig: s.input(
    {
      JWTValidationPubKeys: s.nullable(s.array(s.text(), 'Public keys in PEM format.')),
      JWKSURL: s.nullable(s.text('URL of the keys, on this machine.')),
      OIDCDiscoveryURL: s.nullable(s.text('URL of the issuer, on this machine.')),
      OIDCClientID: nullableText,
      OIDCClientSecret: nullableText,
      OIDCScopes: texts,
      OIDCACRValues: texts,
      AllowedRedirectURIs: texts,
      BoundIssuer: nullableText,
      BoundAudiences: texts,
      JWTSupportedAlgs: s.nullable(s.array(s.text(), 'Default: RS256.')),
      ExpirationLeeway: duration('Default 150s'),
      NotBeforeLeeway: duration('Default 150s'),
      ClockSkewLeeway: duration('Default 60s'),
      ClaimMappings: mapping,
      ListClaimMappings: mapping,
    },
    'Settings of the type. Types jwt and kubernetes need keys, type oidc the client.',
  ),
  BindingRule: s.object({
    ID: s.text(),
    Description: s.text(),
    AuthMethod: s.text(),
    Selector: s.text('Which logins get the grant; empty: all.'),
    BindType: s.text(),
    BindName: s.text(),
    'BindVars?': s.object({ 'name?': s.text() }),
    ...indexes,
  }),
  BindingRuleInput: s.input({
    ID: nullableText,
    Description: nullableText,
    AuthMethod: s.nullable(s.text('Required to create a rule. It cannot be changed.')),
    Selector: s.nullable(s.text('A filter expression over the claims; empty: all logins.')),
    BindType: s.nullable(s.text('`service`, `node`, `role`, `policy` or `templated-policy`.')),
    BindName: s.nullable(s.text('Name of the grant, with variables of the login in braces.')),
    BindVars: s.nullable(s.input({ Name: nullableText })),
    ...ignored,
  }),
};

const isTrue = s.boolean(undefined, { const: true });
const methodSchema = s.ref('AuthMethod');
const methodBody = { schema: s.ref('AuthMethodInput') };
const rule = s.ref('BindingRule');
const ruleBody = { schema: s.ref('BindingRuleInput') };
const meta = s.nullable(s.map(s.text(), 'Metadata for the description of the token.'));

/** 403: the auth method is unknown, or the login is not allowed. */
const login = { isUnauthenticated: true, errors: [403] };

export const authOperations: Operations = {
  'PUT v1/acl/auth-method': call(tag, 'createAuthMethod', 'Create an auth method', methodSchema, {
    body: methodBody,
  }),
  'GET v1/acl/auth-method/:name': read(tag, 'getAuthMethod', 'Read an auth method', methodSchema, {
    errors: [400, 404],
  }),
  'PUT v1/acl/auth-method/:name': call(tag, 'updateAuthMethod', 'Update an auth method', methodSchema, {
    body: methodBody,
    errors: [404],
  }),
  'DELETE v1/acl/auth-method/:name': call(
    tag,
    'deleteAuthMethod',
    'Delete an auth method with its binding rules and tokens',
    isTrue,
    { errors: [400, 404] },
  ),
  'GET v1/acl/auth-methods': read(
    tag,
    'listAuthMethods',
    'List auth methods, without their configuration',
    s.array(s.ref('AuthMethodMetadata')),
  ),
  'PUT v1/acl/binding-rule': call(tag, 'createBindingRule', 'Create a binding rule', rule, {
    body: ruleBody,
  }),
  'GET v1/acl/binding-rule/:id': read(tag, 'getBindingRule', 'Read a binding rule', rule, {
    errors: [400, 404],
  }),
  'PUT v1/acl/binding-rule/:id': call(tag, 'updateBindingRule', 'Update a binding rule', rule, {
    body: ruleBody,
    errors: [404],
  }),
  'DELETE v1/acl/binding-rule/:id': call(tag, 'deleteBindingRule', 'Delete a binding rule', isTrue, {
    errors: [400, 404],
  }),
  'GET v1/acl/binding-rules': read(tag, 'listBindingRules', 'List binding rules', s.array(rule), {
    query: { authmethod: s.text('Only rules of this auth method.') },
  }),
  'POST v1/acl/login': call(tag, 'login', 'Log in with a bearer token', s.ref('Token'), {
    ...login,
    body: { schema: s.input({ 'AuthMethod!': s.text(), 'BearerToken!': s.text(), Meta: meta }) },
  }),
  'POST v1/acl/logout': call(tag, 'logout', 'Delete the token of the request', isTrue, {
    description: 'Only a token that a login created.',
    errors: [401],
  }),
  'POST v1/acl/oidc/auth-url': call(
    tag,
    'getOidcAuthUrl',
    'Start a login with OIDC',
    s.object({ AuthURL: s.text('The page of the provider.') }),
    {
      ...login,
      body: {
        schema: s.input({
          'AuthMethod!': s.text(),
          'RedirectURI!': s.text(),
          ClientNonce: s.nullable(s.text('Send it again at the end of the login.')),
          Meta: meta,
        }),
      },
    },
  ),
  'POST v1/acl/oidc/callback': call(tag, 'completeOidcLogin', 'Complete a login with OIDC', s.ref('Token'), {
    ...login,
    body: {
      schema: s.input({
        'AuthMethod!': s.text(),
        'State!': s.text('From the redirect of the provider.'),
        'Code!': s.text('From the redirect of the provider.'),
        ClientNonce: nullableText,
        Meta: meta,
      }),
    },
  }),
};
