import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { approleRoutes, identityRoutes, jwtRoutes, tokenRoutes, userpassRoutes } from '../routes.ts';
import { keys, mountOperations, type PathResults, type Result } from './mount.ts';

const token: Result = { data: s.ref('Token') };
const login: PathResults = { write: 'token' };
const entity: Result = { data: s.ref('Entity') };
const newEntity: Result = {
  data: s.object({ id: s.text(), name: s.text(), aliases: s.nullable(s.array(s.ref('Alias'))) }),
  canBeEmpty: true,
};
const newAlias: Result = { data: s.object({ id: s.text(), canonical_id: s.text() }), canBeEmpty: true };
const newSecretId: PathResults = { write: { data: s.ref('NewSecretId') } };
const secretId: PathResults = { write: { data: s.ref('SecretId'), canBeEmpty: true } };

export const authOperations: Operations = {
  ...mountOperations({
    path: 'auth/token',
    tag: 'Tokens',
    routes: tokenRoutes,
    results: {
      create: login,
      'create/:role_name': login,
      'create-orphan': login,
      'roles/:role_name': { read: { data: s.ref('TokenRole') } },
      'lookup-self': { read: token, write: token },
      lookup: {
        read: token,
        write: token,
        query: { token: s.text('The token; default: that of the request.') },
      },
      'lookup-accessor': { write: token },
      'renew-self': login,
      renew: login,
      'renew-accessor': login,
      tidy: { write: 'started' },
    },
  }),
  ...mountOperations({
    path: 'auth/userpass',
    tag: 'Auth method userpass',
    routes: userpassRoutes,
    results: {
      'users/:username': { read: { data: s.ref('User') } },
      'users/:username/password': {},
      'users/:username/policies': { isPartial: true },
      'login/:username': login,
    },
  }),
  ...mountOperations({
    path: 'auth/approle',
    tag: 'Auth method approle',
    routes: approleRoutes,
    results: {
      'role/:role_name': { read: { data: s.ref('AppRole') } },
      'role/:role_name/role-id': { read: { data: s.object({ role_id: s.text() }) } },
      'role/:role_name/secret-id': newSecretId,
      'role/:role_name/custom-secret-id': newSecretId,
      'role/:role_name/secret-id/lookup': secretId,
      'role/:role_name/secret-id-accessor/lookup': secretId,
      login,
    },
  }),
  ...mountOperations({
    path: 'auth/jwt',
    tag: 'Auth method jwt',
    routes: jwtRoutes,
    results: {
      config: {
        read: {
          data: s.object({
            jwt_validation_pubkeys: s.array(s.text()),
            bound_issuer: s.text(),
            default_role: s.text(),
          }),
        },
      },
      'role/:name': { read: { data: s.ref('JwtRole') } },
      login,
    },
  }),
  ...mountOperations({
    path: 'identity',
    tag: 'Identity',
    routes: identityRoutes,
    results: {
      entity: { write: newEntity },
      'entity/id': { list: keys({ key_info: s.map(s.anyObject()) }) },
      'entity/id/:id': { read: entity, write: newEntity },
      'entity/name/:name': { read: entity, write: newEntity },
      'entity-alias': { write: newAlias },
      'entity-alias/id': { list: keys({ key_info: s.map(s.ref('Alias')) }) },
      'entity-alias/id/:id': { read: { data: s.ref('Alias') }, write: newAlias, isPartial: true },
      'lookup/entity': { write: { ...entity, canBeEmpty: true } },
    },
  }),
};
