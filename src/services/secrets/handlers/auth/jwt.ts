import type { JsonObject } from '../../../core/http/fields.ts';
import * as s from '../../../core/schema/types.ts';
import { type RowOf, table, tableOf } from '../../../core/store/table.ts';
import { callerFromClaims, jwtRole, jwtRoleFields, readRole, showRole } from '../../auth/jwt-role.ts';
import { readVerificationKey, verifyJwt } from '../../auth/jwt-verify.ts';
import type { EngineParts } from '../../engine.ts';
import { addressDenied, badRequest, orNotFound } from '../../errors.ts';
import { listField, textField } from '../../fields.ts';
import { list, required, text } from '../../help/field.ts';
import { isBound } from '../../model/bound-cidrs.ts';
import type { Resource } from '../../resource.ts';

/**
 * The auth method `jwt`: JSON Web Tokens, as issued to CI pipelines, verified with configured public keys.
 */

const configTable = table('config', {
  /** PEM. */
  keys: s.list(s.string()),
  issuer: s.string(),
  defaultRole: s.string(),
});
type Config = RowOf<typeof configTable>;

/** The roles by lower-case name. */
const roleTable = tableOf('role/', jwtRole);

export const tables = [configTable, roleTable];

/** Settings that fetch keys from elsewhere: this service makes no outbound calls. */
const outboundFields = ['jwks_url', 'oidc_discovery_url', 'jwks_pairs'];

type JwtResource = Resource<EngineParts>;

export const config: JwtResource = {
  summary: 'Show or set the keys that verify JWTs.',
  fields: {
    jwt_validation_pubkeys: required(list('Public keys, in PEM.')),
    bound_issuer: text('Required issuer of a JWT.'),
    default_role: text('The default role of a login.'),
  },
  read({ storage }) {
    const settings = orNotFound(configTable.get(storage, ''));
    return {
      data: {
        jwt_validation_pubkeys: [...settings.keys],
        bound_issuer: settings.issuer,
        default_role: settings.defaultRole,
      },
    };
  },
  write: ({ storage }, { data }) => storage.write([configTable.put('', readConfig(data))]),
};

export const roles: JwtResource = {
  summary: 'List the roles.',
  list: ({ storage }) => ({ data: { keys: roleTable.keys(storage) } }),
};

export const role: JwtResource = {
  summary: 'Show, write or delete a role.',
  fields: jwtRoleFields,
  read: ({ storage }, _request, name) => ({
    data: showRole(orNotFound(roleTable.get(storage, name.toLowerCase()))),
  }),
  write: ({ storage }, { data }, name) => storage.write([roleTable.put(name.toLowerCase(), readRole(data))]),
  delete: ({ storage }, _request, name) => storage.write([roleTable.remove(name.toLowerCase())]),
};

export const login: JwtResource = {
  summary: 'Log in with a JSON Web Token.',
  fields: { role: text('The role.'), jwt: required(text('The JSON Web Token.')) },
  write({ storage, clock }, { data, remoteAddress = '' }) {
    const settings = configTable.get(storage, '');
    const name = textField(data, 'role') || settings?.defaultRole;
    const token = textField(data, 'jwt');
    if (!name) throw badRequest('missing role');
    if (!token) throw badRequest('missing token');
    if (!settings) throw badRequest('could not load configuration');
    const existing = roleTable.get(storage, name.toLowerCase());
    if (!existing) throw badRequest(`role "${name}" could not be found`);
    const { boundCidrs = [] } = existing.terms;
    if (boundCidrs.length > 0 && !isBound(remoteAddress, boundCidrs)) throw addressDenied();
    const claims = withErrorPrefix('error validating token', () =>
      verifyJwt(token, settings.keys.map(readVerificationKey)),
    );
    const now = Math.floor(clock().getTime() / 1000);
    const caller = withErrorPrefix('error validating claims', () =>
      callerFromClaims(claims, existing, settings.issuer, now),
    );
    return {
      login: {
        displayName: caller.name,
        metadata: { ...caller.metadata, role: name },
        alias: { name: caller.name, metadata: caller.metadata },
        token: existing.terms,
      },
    };
  },
};

function readConfig(data: JsonObject): Config {
  for (const name of outboundFields) {
    if (data[name]) {
      throw badRequest(
        `${name} is not supported: this service makes no outbound calls; set jwt_validation_pubkeys`,
      );
    }
  }
  const keys = listField(data, 'jwt_validation_pubkeys') ?? [];
  if (keys.length === 0) throw badRequest('jwt_validation_pubkeys must be set');
  for (const key of keys) withErrorPrefix('error parsing public key', () => readVerificationKey(key));
  return {
    keys,
    issuer: textField(data, 'bound_issuer') ?? '',
    defaultRole: textField(data, 'default_role') ?? '',
  };
}

/** @throws SecretsError 400: the action, then the error */
function withErrorPrefix<Result>(prefix: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw badRequest(`${prefix}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
