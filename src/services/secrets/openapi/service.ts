import { parameterSchemas } from '../../core/openapi/described-operations.ts';
import type { Operations, ServiceDescription } from '../../core/openapi/description.ts';
import { jsonSchemaOf } from '../../core/schema/json-schema.ts';
import * as s from '../../core/schema/types.ts';
import { anyResponse } from '../returns.ts';
import * as routes from '../routes.ts';
import { mountOperations } from './operations.ts';

const components = new Map<string, s.JsonSchema>();
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
const anyObject = jsonSchemaOf(anyResponse, 'response', options);
const errorBody = s.named('Error', s.object({ errors: s.list(s.string()) }, 'Without texts: not found.'));
const error = jsonSchemaOf(errorBody, 'response', options);

/** The secrets service, for its OpenAPI document. */
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
  parameters: parameterSchemas({
    path: s.string('A path; its slashes are not encoded.'),
    key: s.string('Path of the secret; its slashes are not encoded.'),
    prefix: s.string('A prefix of lease IDs.'),
    id: s.string('ID of the object.'),
    name: s.string('Name of the object.'),
    algorithm: s.string('Hash algorithm, such as `sha2-256`.'),
    role_name: s.string('Name of the role.'),
    username: s.string('Name of the user.'),
  }),
  commonHeaders: parameterSchemas({
    'X-Vault-Namespace': s.string('The namespace; it may also be at the start of the path.'),
    'X-Vault-Wrap-TTL': s.string('Wrap the response, for this time: seconds, or a duration.'),
  }),
  schemas: {
    NotFound: {
      description:
        'An error, or a response in the usual format, with warnings or the metadata of a deleted version.',
      anyOf: [error, anyObject],
    },
    ...Object.fromEntries(components),
  },
  error: { schema: error },
  notFound: { schema: { $ref: '#/components/schemas/NotFound' } },
  // 503: sealed; 429: over a rate limit, or too many password checks.
  commonErrors: { all: [400, 403, 404, 429, 500, 503], authenticated: [], withBody: [413] },
  operations,
};
