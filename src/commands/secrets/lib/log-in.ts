import { hasStatus } from '../../../api/conditions/any.ts';
import {
  isDeniedByPolicy,
  isForbiddenLogin,
  isMissingLoginRole,
  isRejectedProof,
  isWithoutLoginRole,
} from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { noteLogin } from '../../../command/login-lines.ts';
import { LanyardError, notFound, usage } from '../../../errors.ts';
import type { LoginFlags, Method } from './login-flags.ts';

/** The callback port that roles for command lines usually allow. */
const defaultCallbackPort = 8250;

/** The token that Kubernetes mounts into a pod. */
const serviceAccountToken = '@/var/run/secrets/kubernetes.io/serviceaccount/token';

export interface Login {
  readonly token: string;
  readonly displayName: string | null;
  readonly policies: readonly string[];
  /** ISO 8601; null: unlimited. */
  readonly validUntil: string | null;
  /** Verified with the service, or not to be verified: each request consumes one of a limited number of uses. */
  readonly isConfirmed: boolean;
}

type LoginResponse = Awaited<ReturnType<SecretsClient['loginUserpass']>>;

/**
 * Logs in with the method; missing values are prompted for.
 *
 * @throws LanyardError usage: a required flag or setting is missing; unauthenticated: invalid credentials.
 */
export async function logIn(method: Method, given: LoginFlags, ctx: Context): Promise<Login> {
  await noteLogin('secrets', promptedValues(method, given), ctx);
  if (method === 'token') return checkToken(await ctx.input.readSecret(given.token, 'token'), ctx);
  const mount = given.path ?? method;
  const response = await logInWith(method, mount, given, ctx).catch(describeLoginError(mount, given.role));
  return loginResult(response, ctx);
}

/** The values that are prompted for if they are missing. */
const promptedValues = (method: Method, given: LoginFlags): readonly (string | undefined)[] =>
  ({
    token: [given.token],
    userpass: [given.username, given.password],
    ldap: [given.username, given.password],
    approle: [given.roleId],
  })[method as string] ?? [];

async function logInWith(
  method: Exclude<Method, 'token'>,
  mount: string,
  given: LoginFlags,
  ctx: Context,
): Promise<LoginResponse> {
  const { role } = given;
  switch (method) {
    case 'userpass':
    case 'ldap': {
      const username = given.username ?? (await ctx.input.ask('username: '));
      const password = await ctx.input.readSecret(given.password, 'password');
      return (await ctx.api.secrets()).loginUserpass({ mount, username, password });
    }
    case 'approle': {
      const role_id = given.roleId ?? (await ctx.input.ask('role ID: '));
      const source = given.secretId;
      const secret =
        source === undefined ? {} : { secret_id: await ctx.input.readSecret(source, 'secret ID') };
      return (await ctx.api.secrets()).loginApprole({ mount, role_id, ...secret });
    }
    case 'jwt': {
      const jwt = await ctx.input.readJwt(given.jwt, 'JWT');
      return (await ctx.api.secrets()).loginJwt({ mount, ...(role === undefined ? {} : { role }), jwt });
    }
    case 'kubernetes': {
      if (role === undefined)
        throw usage('missing flag --role', { hint: 'Method "kubernetes" requires the name of a role.' });
      const jwt = await ctx.input.readJwt(given.jwt ?? serviceAccountToken, 'service account token');
      return (await ctx.api.secrets()).loginJwt({ mount, role, jwt });
    }
    case 'cert': {
      await requireClientCertificate(ctx);
      return (await ctx.api.secrets()).loginCert({ mount, ...(role === undefined ? {} : { name: role }) });
    }
    case 'oidc':
      return logInWithBrowser(mount, given, ctx);
  }
}

/** @throws LanyardError usage: the settings have no client certificate, or the address is not https. */
async function requireClientCertificate(ctx: Context): Promise<void> {
  const { address, clientCert } = await ctx.api.settings('secrets');
  if (!address.startsWith('https:'))
    throw usage(`cannot log in with method "cert": ${address} is not an https address`);
  if (clientCert === undefined)
    throw usage('cannot log in with method "cert": no client certificate', {
      hint: 'Set secrets.client-cert and secrets.client-key with `lanyard profile put`, or BAO_CLIENT_CERT and BAO_CLIENT_KEY.',
    });
}

/**
 * Logs in with the browser. The client nonce binds the two requests: the URLs in the browser alone are not enough to
 * complete the login.
 */
async function logInWithBrowser(mount: string, given: LoginFlags, ctx: Context): Promise<LoginResponse> {
  const port = given.callbackPort ?? defaultCallbackPort;
  if (port > 65_535) throw usage(`invalid --callback-port ${port}: expected at most 65535`);
  const secrets = await ctx.api.secrets();
  const client_nonce = Buffer.from(ctx.system.random(32)).toString('base64url');
  const role = given.role === undefined ? {} : { role: given.role };
  const { state, code } = await ctx.input.authorizeInBrowser(
    { service: 'secrets', port, opensBrowser: !given.noBrowser, wait: given.wait ?? '5m' },
    async (redirect_uri) => {
      const { body } = await secrets.makeOidcUrl({ mount, ...role, redirect_uri, client_nonce });
      showWarnings(ctx.output, body);
      if (body.data.auth_url === '') throw redirectError(redirect_uri);
      return body.data.auth_url;
    },
  );
  return secrets.finishOidcLogin({ mount, state, code, client_nonce });
}

/** The products respond with an empty URL. */
const redirectError = (redirectUri: string): LanyardError =>
  new LanyardError('failure', `cannot log in: the role does not allow the redirect URI ${redirectUri}`, {
    service: 'secrets',
    hint: 'Add it to allowed_redirect_uris of the role, or choose another port with --callback-port.',
  });

/** Explains the errors of a login. Services respond with 400 to invalid credentials; the error is "not authenticated". */
const describeLoginError =
  (mount: string, role: string | undefined) =>
  (error: unknown): never => {
    if (isMissingLoginRole(error))
      throw notFound(`cannot log in: role "${role}" not found in auth/${mount}/`, { ...error });
    if (isWithoutLoginRole(error))
      throw error.withHint(`Add --role ROLE: auth/${mount}/ has no default role.`);
    if (isForbiddenLogin(error))
      throw error.withHint(
        `Check that an auth method is enabled at auth/${mount}/; --path names another one.`,
      );
    if (!isRejectedProof(error)) throw error;
    throw new LanyardError('unauthenticated', 'cannot log in: invalid credentials', {
      ...error,
      hint: undefined,
      retryable: false,
    });
  };

async function checkToken(token: string, ctx: Context): Promise<Login> {
  const { body } = await (await ctx.api.secrets({ token })).lookupSelf({}).catch(describeRejectedToken);
  showWarnings(ctx.output, body);
  const { id, display_name, policies, expire_time } = body.data;
  if (typeof id === 'string' && id !== token)
    throw new LanyardError(
      'unauthenticated',
      'cannot log in: the secrets service responded for a different token',
      {
        service: 'secrets',
        hint: 'Check the address: an agent or a proxy may send its own token.',
      },
    );
  return {
    isConfirmed: true,
    token,
    displayName: display_name ?? null,
    policies: policies ?? [],
    validUntil: expire_time ?? null,
  };
}

/** A token may look itself up unless its policies say otherwise, in other words. */
function describeRejectedToken(error: unknown): never {
  if (!(error instanceof LanyardError) || !hasStatus(error, 403) || isDeniedByPolicy(error)) throw error;
  throw new LanyardError(
    'unauthenticated',
    'cannot log in: the token is not valid: it has expired, was revoked or belongs to another cluster (403)',
    { ...error, hint: undefined },
  );
}

function loginResult({ body }: LoginResponse, ctx: Context): Login {
  showWarnings(ctx.output, body);
  const { client_token: token, policies, lease_duration: seconds, metadata, num_uses = 0 } = body.auth;
  if (token === '') {
    const message = 'cannot log in: a second factor is required, which is not supported';
    throw new LanyardError('unauthenticated', message, {
      service: 'secrets',
      hint: 'Log in with another tool and run `lanyard secrets login --token -` to store the token.',
    });
  }
  const end = new Date(ctx.system.clock().getTime() + seconds * 1000);
  return {
    isConfirmed: num_uses > 0,
    token,
    displayName: displayNameIn(metadata),
    policies: policies ?? [],
    validUntil: seconds === 0 ? null : end.toISOString(),
  };
}

type Metadata = Readonly<Record<string, string>> | null | undefined;

/** The name of the user, service account or certificate, or of the role. */
const displayNameIn = (metadata: Metadata): string | null =>
  metadata?.username ??
  metadata?.service_account_name ??
  metadata?.common_name ??
  metadata?.role_name ??
  metadata?.role ??
  null;
