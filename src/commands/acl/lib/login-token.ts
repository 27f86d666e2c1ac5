import { hasStatus } from '../../../api/conditions/any.ts';
import {
  isLoginWithoutRights,
  isMissingAuthMethod,
  isRejectedBearerToken,
  isUnknownEndpoint,
} from '../../../api/conditions/registry.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { storedLine } from '../../../command/login-lines.ts';
import type { TokenLocation } from '../../../command/profile-store.ts';
import { insteadOf, kinds, LanyardError, notFound } from '../../../errors.ts';
import { raw } from '../../../output/document.ts';
import { isAnonymousAccessor } from '../../../wire/services.ts';
import { whereFrom } from './find.ts';
import { expirationText, loggedInLine, omitSecret, type Token } from './views.ts';

export const methodFlag = flag.required('METHOD', 'auth method to log in with', {
  completes: 'acl-auth-method',
});
export const loginDcFlag = flag.datacenter('datacenter of the auth method');
export const metaFlag = flag.map('K=V', 'metadata of the token; repeatable');
export const noStoreFlag = flag.boolean('print the token instead of storing it');

export function loginParameters(flags: {
  readonly dc: string | undefined;
  readonly method: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
}) {
  return { AuthMethod: flags.method, Meta: flags.meta, ...whereFrom(flags) };
}

/** The client nonce of an OIDC login, if its source is given. */
export const readNonce = async (source: string | undefined, ctx: Context) =>
  source === undefined ? {} : { ClientNonce: await ctx.input.readSecret(source, 'client nonce') };

/** The token from the service; undefined: the service does not know it and treats the caller as anonymous. */
export async function readOwnToken(
  registry: RegistryClient,
  where: InDatacenter = {},
): Promise<Token | undefined> {
  const isUnknown = (error: unknown) => hasStatus(error, 403);
  const response = await registry.readOwnToken(where).catch(insteadOf(isUnknown, undefined));
  return response && !isAnonymousAccessor(response.body.AccessorID) ? response.body : undefined;
}

/** Where a login stores its token, and the existing token that it replaces. */
export interface LoginLocation extends TokenLocation {
  readonly replaced?: Token;
}

/**
 * Where a login or the bootstrap stores its token; checked before any request, so that no token is created that cannot be
 * stored. Prompts before it replaces a token that was not created by a login, because it cannot be restored.
 *
 * @param alternative as for `locate`.
 */
export async function locateLogin(alternative: string, ctx: Context): Promise<LoginLocation> {
  const found = await ctx.profile.tokens.locate('registry', alternative);
  // The token of `lanyard dev` is replaced without a question: its next start stores another one.
  if (await ctx.profile.tokens.isOfDev(found.profile, 'registry')) return found;
  const location = { ...found, reportsReplaced: true };
  const stored = ctx.output.isDryRun ? undefined : await ctx.profile.tokens.read(location);
  const replaced =
    stored === undefined ? undefined : await readOwnToken(await ctx.api.registry({ token: stored }));
  if (replaced === undefined) return location;
  if (replaced.AuthMethod) return { ...location, replaced };
  await ctx.input.confirm(
    `Replace the token of profile "${location.profile}"? It was not created by a login and cannot be restored.`,
  );
  return location;
}

/** The flags of `acl login` that repeat a login. */
export type LoginFlags = {
  readonly method: string;
  readonly bearerToken?: string | undefined;
  readonly oidc?: boolean;
  readonly dc: string | undefined;
};

/** The end of every login: stores the token, or prints it with --no-store. */
export async function storeLogin(
  token: Token,
  location: LoginLocation | undefined,
  login: LoginFlags,
  ctx: Context,
) {
  ctx.output.mask(token.SecretID);
  if (location === undefined) return { data: token, document: [raw(`${token.SecretID}\n`)] };
  const storage = await ctx.profile.tokens
    .store(location, token.SecretID, {
      command: 'acl login',
      flags: login,
      sources: ['bearerToken'],
      validUntil: token.ExpirationTime,
    })
    .catch(async (error: unknown) => {
      await revokeUnstoredToken(token, whereFrom(login), ctx);
      throw error;
    });
  await noteReplaced(location, ctx);
  const isConfirmed = await ctx.profile.tokens.confirm(location, token.SecretID);
  return {
    data: { profile: location.profile, stored: storage, ...omitSecret(token) },
    document: [...(isConfirmed ? [loggedInLine(token)] : []), storedLine(location.profile, storage)],
    exitCode: isConfirmed ? undefined : kinds.unknown.code,
  };
}

/** Says that the replaced token, which a login created, was not revoked. */
export async function noteReplaced({ replaced }: LoginLocation, ctx: Context): Promise<void> {
  if (replaced === undefined) return;
  const end = expirationText(replaced);
  const until = end === undefined ? '' : ` until ${end}`;
  const logout = await ctx.output.repeatFlags('`lanyard acl logout`');
  ctx.output.note(`The previous token is still valid${until}. Run ${logout} before a login to delete it.`);
}

async function revokeUnstoredToken(
  { AccessorID, SecretID }: Token,
  where: InDatacenter,
  ctx: Context,
): Promise<void> {
  try {
    await (await ctx.api.registry({ token: SecretID })).logout(where);
  } catch {
    ctx.output.warn(`cannot delete the token with accessor ${AccessorID}, which could not be stored`);
  }
}

/** Explains the errors of a login (docs/protocol/registry.md#login). */
export const describeLoginError =
  (method: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (isMissingAuthMethod(error)) throw notFound(`auth method "${method}" not found (403)`, { ...error });
    if (isLoginWithoutRights(error))
      throw new LanyardError('forbidden', `auth method "${method}" grants no permissions (403)`, {
        ...error,
        hint: 'The login succeeded, but no binding rule of the auth method matches. Ask an administrator for one.',
      });
    if (isRejectedBearerToken(error))
      throw new LanyardError('unauthenticated', `auth method "${method}" rejected the login (500)`, {
        ...error,
        hint: 'Check the audience, issuer, expiry and signature algorithm of the bearer token. The auth method must allow the algorithm in JWTSupportedAlgs (default RS256).',
      });
    if (error.kind !== 'unknown') throw error;
    throw error.withHint(
      'An unused token may have been created; it expires if the method limits its tokens. Log in again.',
    );
  };

/** Explains the errors of an OIDC login, which only Consul Enterprise supports. */
export const describeOidcError =
  (method: string) =>
  (error: unknown): never => {
    if (!isUnknownEndpoint(error)) return describeLoginError(method)(error);
    throw new LanyardError(error.kind, 'the service registry does not support OIDC logins (404)', {
      ...error,
      hint: 'OIDC requires Consul Enterprise. Run `lanyard acl login --bearer-token` with an auth method of type jwt.',
    });
  };
