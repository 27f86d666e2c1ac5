import type { Json } from '../../../../wire/json.ts';
import type { JsonObject } from '../../../core/http/fields.ts';
import { callerFromClaims, type JwtRole, jwtRoleFields, readRole, showRole } from '../../auth/jwt-role.ts';
import { readVerificationKey, verifyJwt } from '../../auth/jwt-verify.ts';
import type { EngineParts } from '../../engine.ts';
import { badRequest, orNotFound } from '../../errors.ts';
import { listField, textField } from '../../fields.ts';
import { list, required, text } from '../../help/field.ts';
import type { Resource } from '../../resource.ts';

/**
 * The auth method `jwt`: JSON Web Tokens, as issued to CI pipelines, verified with configured public keys.
 */

interface Config {
  /** PEM. */
  readonly keys: readonly string[];
  readonly issuer: string;
  readonly defaultRole: string;
}

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
  read(parts) {
    const settings = orNotFound(findConfig(parts));
    return {
      data: {
        jwt_validation_pubkeys: [...settings.keys],
        bound_issuer: settings.issuer,
        default_role: settings.defaultRole,
      },
    };
  },
  async write({ storage }, { data }) {
    await storage.write([{ key: 'config', value: { ...readConfig(data) } as unknown as Json }]);
  },
};

export const roles: JwtResource = {
  summary: 'List the roles.',
  list: ({ storage }) => ({ data: { keys: storage.keys('role/').map((key) => key.slice('role/'.length)) } }),
};

export const role: JwtResource = {
  summary: 'Show, write or delete a role.',
  fields: jwtRoleFields,
  read: (parts, _request, name) => ({ data: showRole(orNotFound(findRole(parts, name))) }),
  async write({ storage }, { data }, name) {
    const value = { ...readRole(data) } as unknown as Json;
    await storage.write([{ key: `role/${name.toLowerCase()}`, value }]);
  },
  delete: ({ storage }, _request, name) => storage.write([{ key: `role/${name.toLowerCase()}` }]),
};

export const login: JwtResource = {
  summary: 'Log in with a JSON Web Token.',
  fields: { role: text('The role.'), jwt: required(text('The JSON Web Token.')) },
  write(parts, { data }) {
    const settings = findConfig(parts);
    const name = textField(data, 'role') || settings?.defaultRole;
    const token = textField(data, 'jwt');
    if (!name) throw badRequest('missing role');
    if (!token) throw badRequest('missing token');
    if (!settings) throw badRequest('could not load configuration');
    const existing = findRole(parts, name);
    if (!existing) throw badRequest(`role "${name}" could not be found`);
    const claims = withErrorPrefix('error validating token', () =>
      verifyJwt(token, settings.keys.map(readVerificationKey)),
    );
    const now = Math.floor(parts.clock().getTime() / 1000);
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

function findConfig({ storage }: EngineParts): Config | undefined {
  return storage.get('config') as unknown as Config | undefined;
}

function findRole({ storage }: EngineParts, name: string): JwtRole | undefined {
  return storage.get(`role/${name.toLowerCase()}`) as unknown as JwtRole | undefined;
}

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
