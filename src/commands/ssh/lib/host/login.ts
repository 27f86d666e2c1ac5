import { isInvalidWrappingToken } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import type { ClientOptions } from '../../../../command/api.ts';
import type { Context } from '../../../../command/context.ts';
import { insteadOf, isFailure, LanyardError, notFound, usage } from '../../../../errors.ts';
import { isObject } from '../../../../wire/objects.ts';
import { logIn } from '../../../secrets/lib/log-in.ts';
import type { HostLogin } from './manifest.ts';
import type { HostPaths } from './paths.ts';

/** The secrets service, as a host calls it. */
export interface HostClient {
  /** Logs in with the first call, if the host has a login of its own. */
  authenticated(): Promise<SecretsClient>;
  /** The options of that client. */
  options(): Promise<ClientOptions>;
  /** Without a login. */
  plain(): Promise<SecretsClient>;
  /** Revokes the token of the login. It is in memory only, and would otherwise stay valid until it expires. */
  end(): Promise<void>;
}

/** Logs in as the host does at each renewal that requires a token. */
export function hostClient(login: HostLogin, paths: HostPaths, ctx: Context): HostClient {
  let pending: Promise<ClientOptions> | undefined;
  let issued: ClientOptions | undefined;
  const connect = async (): Promise<ClientOptions> => {
    if (login.method === 'token') {
      if (login.tokenFile === undefined) return {};
      return { token: await ctx.input.readSecret(`@${login.tokenFile}`, 'token') };
    }
    const { token } = await logIn(login.method, loginFlags(login, paths), ctx);
    ctx.output.mask(token);
    issued = { token };
    return issued;
  };
  const options = (): Promise<ClientOptions> => {
    pending ??= connect();
    return pending;
  };
  return {
    options,
    authenticated: async () => ctx.api.secrets(await options()),
    plain: () => ctx.api.secrets(),
    end: async () => {
      const last = issued;
      issued = undefined;
      pending = undefined;
      // A batch token cannot be revoked, and a policy may forbid it: the token expires.
      if (last) await (await ctx.api.secrets(last)).revokeSelf({}).catch(insteadOf(isFailure, undefined));
    },
  };
}

const loginFlags = ({ method, path, roleId, role }: HostLogin, { secretId }: HostPaths) => ({
  path,
  roleId,
  role,
  secretId: method === 'approle' ? `@${secretId}` : undefined,
  token: undefined,
  username: undefined,
  password: undefined,
  jwt: undefined,
  callbackPort: undefined,
  noBrowser: false,
  wait: undefined,
});

/** Sources of a secret ID. */
interface SecretIdSources {
  readonly secretId: string | undefined;
  readonly wrappedSecretId: string | undefined;
}

/**
 * Stores the secret ID of an AppRole on the host, before anything else: a wrapping token is used up by reading it. Run
 * again with the same wrapping token, the stored secret ID stays in use.
 *
 * @returns whether the stored secret ID has changed.
 */
export async function storeSecretId(
  { secretId, wrappedSecretId }: SecretIdSources,
  paths: HostPaths,
  ctx: Context,
): Promise<boolean> {
  const isStored = await ctx.files.exists(paths.secretId);
  const given =
    secretId === undefined
      ? wrappedSecretId && (await unwrapSecretId(wrappedSecretId, isStored, ctx))
      : await ctx.input.readSecret(secretId, 'secret ID');
  if (given === undefined) {
    if (isStored) return false;
    throw usage('missing flag --wrapped-secret-id or --secret-id', {
      hint: 'Method "approle" requires the secret ID of the role.',
    });
  }
  ctx.output.mask(given);
  if (isStored && (await ctx.files.readText(paths.secretId, 'the secret ID')) === given) return false;
  await ctx.files.write([{ path: paths.secretId, content: given, mode: 0o600, replace: true }]);
  return true;
}

/** @returns undefined: the wrapping token was used, and a secret ID is stored. */
async function unwrapSecretId(source: string, isStored: boolean, ctx: Context): Promise<string | undefined> {
  const token = await ctx.input.readSecret(source, 'wrapping token');
  try {
    const { body } = await (await ctx.api.secrets({ token })).unwrap({});
    const data: unknown = isObject(body) ? body.data : undefined;
    if (isObject(data) && typeof data.secret_id === 'string') return data.secret_id;
  } catch (error) {
    if (!isInvalidWrappingToken(error)) throw error;
    if (isStored) return undefined;
    throw notFound('wrapping token not found: it does not exist, was used or has expired', {
      service: 'secrets',
      hint: 'If you did not use it, someone else has the secret ID: destroy it and create another one.',
    });
  }
  throw new LanyardError('failure', 'the wrapping token is used up, but its response has no secret ID', {
    service: 'secrets',
    hint: 'Run `lanyard secrets write -f auth/approle/role/NAME/secret-id --wrap-ttl 10m` to create one.',
  });
}
