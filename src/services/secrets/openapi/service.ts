import type { Operations, ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { jsonSchemaOf } from '../../core/schema/json-schema.ts';
import type { JsonSchema } from '../../core/schema/types.ts';
import { anyResponse } from '../returns.ts';
import * as routes from '../routes.ts';
import { mountOperations } from './operations.ts';

const components = new Map<string, JsonSchema>();
const options = { components, acceptsNull: true };
const mounts = [
  { path: 'sys', tag: 'System', routes: routes.serviceStateRoutes },
  { path: 'sys', tag: 'System', routes: routes.rootSysRoutes },
  { path: 'auth/token', tag: 'Tokens', routes: routes.tokenRoutes },
  { path: 'auth/userpass', tag: 'Auth method userpass', routes: routes.userpassRoutes },
  { path: 'auth/approle', tag: 'Auth method approle', routes: routes.approleRoutes },
  { path: 'auth/jwt', tag: 'Auth method jwt', routes: routes.jwtRoutes },
  { path: 'identity', tag: 'Identity', routes: routes.identityRoutes },
  { path: 'secret', tag: 'Key-value engine, version 2', routes: routes.versionedRoutes },
  { path: 'kv', tag: 'Key-value engine, version 1', routes: routes.unversionedRoutes },
  { path: 'cubbyhole', tag: 'Cubbyhole', routes: routes.cubbyholeRoutes },
  { path: 'ssh', tag: 'SSH', routes: routes.sshRoutes },
];
const operations = Object.assign({}, ...mounts.map((mount) => mountOperations(mount, options))) as Operations;
// Of responses to errors.
jsonSchemaOf(anyResponse, 'response', options);

export const secretsDescription: ServiceDescription = {
  name: 'secrets',
  title: 'Secrets service',
  description:
    'Secrets engines, auth methods, policies, leases and namespaces of the embedded secrets service of Lanyard, which speaks the protocol of OpenBao and Vault. Engines and auth methods are at the paths where `lanyard dev` or their type puts them (`secret/`, `ssh/`, `auth/userpass/`); elsewhere, replace the first segments. PUT is the same as POST; the methods LIST, SCAN and RECOVER, which OpenAPI does not have, are the same as GET with `list` or `scan`, and POST with a snapshot. Values of fields are converted: a number may be a text, a list a comma-separated text. Every response with `X-Vault-Wrap-TTL` is wrapped: it has `wrap_info` in place of its data. `secrets help PATH --openapi` prints a document of a mounted engine.',
  port: 8200,
  tags: {
    System: 'Mounts, policies, leases, wrapping, namespaces and the service itself.',
    Tokens: 'Tokens and token roles.',
    'Auth method userpass': 'Logins with username and password.',
    'Auth method approle': 'Logins with a role ID and a secret ID.',
    'Auth method jwt': 'Logins with JSON Web Tokens.',
    Identity: 'Entities and their aliases.',
    'Key-value engine, version 2': 'Secrets with versions.',
    'Key-value engine, version 1': 'Secrets without versions.',
    Cubbyhole: 'Secrets of a token.',
    SSH: 'SSH certificates and one-time passwords.',
  },
  securitySchemes: {
    vaultToken: { type: 'apiKey', in: 'header', name: 'X-Vault-Token' },
    secretsToken: { type: 'apiKey', in: 'header', name: 'X-Secrets-Token' },
    bearer: { type: 'http', scheme: 'bearer' },
  },
  parameters: {
    path: s.text('A path; its slashes are not encoded.'),
    key: s.text('Path of the secret; its slashes are not encoded.'),
    prefix: s.text('A prefix of lease IDs.'),
    id: s.text('ID of the object.'),
    name: s.text('Name of the object.'),
    algorithm: s.text('Hash algorithm, such as `sha2-256`.'),
    role_name: s.text('Name of the role.'),
    username: s.text('Name of the user.'),
  },
  commonHeaders: {
    'X-Vault-Namespace': s.text('The namespace; it may also be at the start of the path.'),
    'X-Vault-Wrap-TTL': s.text('Wrap the response, for this time: seconds, or a duration.'),
  },
  schemas: {
    Error: s.object({ errors: s.array(s.text()) }, 'Without texts: not found.'),
    NotFound: {
      description:
        'An error, or a response in the usual format, with warnings or the metadata of a deleted version.',
      anyOf: [s.ref('Error'), s.ref('AnyResponse')],
    },
    ...Object.fromEntries(components),
  },
  error: { schema: s.ref('Error') },
  notFound: { schema: s.ref('NotFound') },
  // 503: sealed; 429: over a rate limit, or too many password checks.
  commonErrors: { all: [400, 403, 404, 429, 500, 503], authenticated: [], withBody: [413] },
  operations,
};
