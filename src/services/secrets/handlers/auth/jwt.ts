import type { Json } from '../../../../wire/json.ts';
import { callerFromClaims, type JwtRole, jwtRoleFields, readRole, showRole } from '../../auth/jwt-role.ts';
import { readVerificationKey, verifyJwt } from '../../auth/jwt-verify.ts';
import { type Backend, type CoreHandler, Paths, routedBackend } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { notFound } from '../../errors.ts';
import { listField, textField } from '../../fields.ts';
import { list, required, text } from '../../help/field.ts';
import type { AuthMethodParts } from '../../model/mounts.ts';

interface Config {
  /** PEM. */
  readonly keys: readonly string[];
  readonly issuer: string;
  readonly defaultRole: string;
}

/** Settings that fetch keys from elsewhere: this service makes no outbound calls. */
const outboundFields = ['jwks_url', 'oidc_discovery_url', 'jwks_pairs'];

/**
 * The auth method `jwt`: JSON Web Tokens, as issued to CI pipelines, verified with configured public keys.
 */
export function jwt({ storage, clock }: AuthMethodParts): Backend {
  const config = (): Config | undefined => storage.get('config') as unknown as Config | undefined;
  const role = (name: string): JwtRole | undefined =>
    storage.get(`role/${name.toLowerCase()}`) as unknown as JwtRole | undefined;

  const login: CoreHandler = ({ data }) => {
    const settings = config();
    const name = textField(data, 'role') || settings?.defaultRole;
    const token = textField(data, 'jwt');
    if (!name) throw new SecretsError(400, 'missing role');
    if (!token) throw new SecretsError(400, 'missing token');
    if (!settings) throw new SecretsError(400, 'could not load configuration');
    const existing = role(name);
    if (!existing) throw new SecretsError(400, `role "${name}" could not be found`);
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
  };

  const paths = new Paths()
    .on(
      'config',
      'Show or set the keys that verify JWTs.',
      {
        read() {
          const settings = config();
          if (!settings) throw notFound();
          return {
            data: {
              jwt_validation_pubkeys: [...settings.keys],
              bound_issuer: settings.issuer,
              default_role: settings.defaultRole,
            },
          };
        },
        async update({ data }) {
          await storage.write([{ key: 'config', value: { ...readConfig(data) } as unknown as Json }]);
          return undefined;
        },
      },
      {
        jwt_validation_pubkeys: required(list('Public keys, in PEM.')),
        bound_issuer: text('Required issuer of a JWT.'),
        default_role: text('The default role of a login.'),
      },
    )
    .on('role', 'List the roles.', {
      list: () => ({ data: { keys: storage.keys('role/').map((key) => key.slice('role/'.length)) } }),
    })
    .on(
      'role/:name',
      'Show, write or delete a role.',
      {
        read(_request, { name = '' }) {
          const existing = role(name);
          if (!existing) throw notFound();
          return { data: showRole(existing) };
        },
        async update({ data }, { name = '' }) {
          const value = { ...readRole(data) } as unknown as Json;
          await storage.write([{ key: `role/${name.toLowerCase()}`, value }]);
          return undefined;
        },
        async delete(_request, { name = '' }) {
          await storage.write([{ key: `role/${name.toLowerCase()}` }]);
          return undefined;
        },
      },
      jwtRoleFields,
    )
    .on(
      'login',
      'Log in with a JSON Web Token.',
      { update: login },
      { role: text('The role.'), jwt: required(text('The JSON Web Token.')) },
    );
  return routedBackend('jwt', paths, [{ operation: 'update', path: 'login' }]);
}

function readConfig(data: Readonly<Record<string, Json>>): Config {
  for (const name of outboundFields) {
    if (data[name]) {
      throw new SecretsError(
        400,
        `${name} is not supported: this service makes no outbound calls; set jwt_validation_pubkeys`,
      );
    }
  }
  const keys = listField(data, 'jwt_validation_pubkeys') ?? [];
  if (keys.length === 0) throw new SecretsError(400, 'jwt_validation_pubkeys must be set');
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
    throw new SecretsError(400, `${prefix}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
