import * as s from '../../../core/schema/types.ts';
import { type RowOf, table, tableOf } from '../../../core/store/table.ts';
import {
  callerFromClaims,
  jwtRole,
  jwtRoleFields,
  newJwtRole,
  shownJwtRole,
  showRole,
} from '../../auth/jwt-role.ts';
import { readVerificationKey, verifyJwt } from '../../auth/jwt-verify.ts';
import type { EngineParts } from '../../engine.ts';
import { addressDenied, badRequest, orBadRequest, orNotFound, withErrorPrefix } from '../../errors.ts';
import { isBound } from '../../model/bound-cidrs.ts';
import { type InputOf, resourcesOf } from '../../resource.ts';
import { token } from '../../returns.ts';

/** The auth method `jwt`: JSON Web Tokens, verified with configured public keys. */

const configTable = table('config', {
  keys: s.list(s.string()),
  issuer: s.string(),
  defaultRole: s.string(),
});
type Config = RowOf<typeof configTable>;

const roleTable = tableOf('role/', jwtRole);

export const tables = [configTable, roleTable];

const unsupported = s.optional(s.json('Not supported: this service makes no outbound calls.'));
/** Settings that fetch keys from elsewhere: this service makes no outbound calls. */
const outboundFields = { jwks_url: unsupported, oidc_discovery_url: unsupported, jwks_pairs: unsupported };

const resource = resourcesOf<EngineParts>();

const shownConfig = {
  jwt_validation_pubkeys: s.required(s.list(s.string(), 'Public keys, in PEM.')),
  bound_issuer: s.string('Required issuer of a JWT.'),
  default_role: s.string('The default role of a login.'),
};
const configFields = { ...shownConfig, ...outboundFields };

export const config = resource({
  summary: 'Show or set the keys that verify JWTs.',
  fields: configFields,
  returns: { read: s.object(shownConfig) },
  read({ storage }) {
    const { keys, issuer, defaultRole } = orNotFound(configTable.get(storage, ''));
    return {
      data: { jwt_validation_pubkeys: [...keys], bound_issuer: issuer, default_role: defaultRole },
    };
  },
  write: ({ storage }, { input }) => storage.write([configTable.put('', newConfig(input))]),
});

export const roles = resource({
  summary: 'List the roles.',
  list: ({ storage }) => ({ data: { keys: roleTable.keys(storage) } }),
});

export const role = resource({
  summary: 'Show, write or delete a role.',
  fields: jwtRoleFields,
  returns: { read: shownJwtRole },
  read: ({ storage }, _request, name) => ({
    data: showRole(orNotFound(roleTable.get(storage, name.toLowerCase()))),
  }),
  write: ({ storage }, { input }, name) =>
    storage.write([roleTable.put(name.toLowerCase(), newJwtRole(input))]),
  delete: ({ storage }, _request, name) => storage.write([roleTable.remove(name.toLowerCase())]),
});

export const login = resource({
  summary: 'Log in with a JSON Web Token.',
  fields: { role: s.string('The role.'), jwt: s.required(s.string('The JSON Web Token.')) },
  returns: { write: token },
  write({ storage, clock }, { input, remoteAddress = '' }) {
    const settings = configTable.get(storage, '');
    const name = orBadRequest(input.role || settings?.defaultRole, 'missing role');
    if (!input.jwt) throw badRequest('missing token');
    if (!settings) throw badRequest('could not load configuration');
    const existing = orBadRequest(
      roleTable.get(storage, name.toLowerCase()),
      `role "${name}" could not be found`,
    );
    const { boundCidrs = [] } = existing.terms;
    if (boundCidrs.length > 0 && !isBound(remoteAddress, boundCidrs)) throw addressDenied();
    const claims = withErrorPrefix('error validating token', () =>
      verifyJwt(input.jwt, settings.keys.map(readVerificationKey)),
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
});

function newConfig(input: InputOf<typeof configFields>): Config {
  for (const name of Object.keys(outboundFields) as (keyof typeof outboundFields)[]) {
    if (input[name]) {
      throw badRequest(
        `${name} is not supported: this service makes no outbound calls; set jwt_validation_pubkeys`,
      );
    }
  }
  const keys = input.jwt_validation_pubkeys;
  if (keys.length === 0) throw badRequest('jwt_validation_pubkeys must be set');
  for (const key of keys) withErrorPrefix('error parsing public key', () => readVerificationKey(key));
  return { keys, issuer: input.bound_issuer, defaultRole: input.default_role };
}
