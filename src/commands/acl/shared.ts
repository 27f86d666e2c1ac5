import {
  isLoginWithoutRights,
  isMissingAuthMethod,
  isRejectedBearerToken,
  isUnknownEndpoint,
} from '../../api/conditions.ts';
import type { RegistryClient } from '../../api/registry.ts';
import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError } from '../../errors.ts';
import { raw } from '../../output/document.ts';
import type { TokenHome } from '../../tokens.ts';
import { isAnonymousAccessor } from '../../wire/anonymous.ts';
import { endOf, loggedInLine, storedLine, type Token, withoutSecret } from './views.ts';

export const methodFlag = flag.required('METHOD', 'auth method to log in with');
export const metaFlag = flag.map('K=V', 'metadata of the token; repeatable');
export const noStoreFlag = flag.boolean('print the token instead of storing it');

/** The fields that all login requests have. */
export function throughMethod(flags: {
  readonly method: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
}) {
  return { AuthMethod: flags.method, ...(flags.meta === undefined ? {} : { Meta: flags.meta }) };
}

/** The token from the service; undefined: the service does not know it and treats the caller as anonymous. */
export async function ownToken(registry: RegistryClient): Promise<Token | undefined> {
  try {
    const { body } = await registry.readOwnToken({});
    return isAnonymousAccessor(body.AccessorID) ? undefined : body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'forbidden') return undefined;
    throw error;
  }
}

/** Where a login stores its token, and the existing token that it replaces. */
interface LoginHome extends TokenHome {
  readonly replaced?: Token;
}

/**
 * Where a login stores its token; checked before any request, so that no token is created that cannot be stored. Asks
 * before a token is replaced that was not created by a login, because it cannot be restored.
 */
export async function homeFor(noStore: boolean, ctx: Context): Promise<LoginHome | undefined> {
  if (noStore) return undefined;
  const home = await ctx.tokens.home('registry', '--no-store prints the token instead');
  const stored = ctx.rehearsal ? undefined : await ctx.tokens.read(home);
  const replaced = stored === undefined ? undefined : await ownToken(await ctx.api.registryWith(stored));
  if (replaced === undefined) return home;
  if (replaced.AuthMethod) return { ...home, replaced };
  await ctx.io.confirm(
    `Replace the token of profile "${home.profile}"? It was not created by a login and cannot be restored.`,
  );
  return home;
}

/** The end of every login: stores the token, or prints it with --no-store. */
export async function settleIn(token: Token, home: LoginHome | undefined, ctx: Context) {
  ctx.io.mask(token.SecretID);
  if (home === undefined) return { data: token, document: [raw(`${token.SecretID}\n`)] };
  const where = await ctx.tokens.store(home, token.SecretID).catch(async (error: unknown) => {
    await destroy(token, ctx);
    throw error;
  });
  if (home.replaced) ctx.io.note(stillValid(home.replaced));
  const isConfirmed = await ctx.tokens.confirm(home, token.SecretID);
  return {
    data: { profile: home.profile, stored: where, ...withoutSecret(token) },
    document: [...(isConfirmed ? [loggedInLine(token)] : []), storedLine(home.profile, where)],
    ...(isConfirmed ? {} : { exitCode: kinds.unknown.code }),
  };
}

function stillValid(token: Token): string {
  const end = endOf(token);
  const until = end === undefined ? '' : ` until ${end}`;
  return `The previous token is still valid${until}. Run \`lanyard acl logout\` before a login to delete it.`;
}

/** Deletes a token that could not be stored. */
async function destroy({ AccessorID, SecretID }: Token, ctx: Context): Promise<void> {
  try {
    await (await ctx.api.registryWith(SecretID)).logout({});
  } catch {
    ctx.io.warn(`cannot delete the token with accessor ${AccessorID}, which could not be stored`);
  }
}

/** Explains the errors of a login (docs/protocol/registry.md#login). */
export const loginInWords =
  (method: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (isMissingAuthMethod(error)) {
      throw new LanyardError('not_found', `auth method "${method}" not found (403)`, { ...error });
    }
    if (isLoginWithoutRights(error)) {
      throw new LanyardError('forbidden', `auth method "${method}" grants no permissions (403)`, {
        ...error,
        hint: 'The login succeeded, but no binding rule of the auth method matches. Ask an administrator for one.',
      });
    }
    if (isRejectedBearerToken(error)) {
      throw new LanyardError('unauthenticated', `auth method "${method}" rejected the login (500)`, {
        ...error,
        hint: 'Check the audience, issuer and expiry of the bearer token.',
      });
    }
    if (error.kind === 'unknown') {
      throw new LanyardError('unknown', error.message, {
        ...error,
        hint: 'An unused token may have been created; it expires if the method limits its tokens. Log in again.',
      });
    }
    throw error;
  };

/** Explains the errors of an OIDC login, which only Consul Enterprise supports. */
export const oidcInWords =
  (method: string) =>
  (error: unknown): never => {
    if (!isUnknownEndpoint(error)) return loginInWords(method)(error);
    throw new LanyardError(error.kind, 'the service registry does not support OIDC logins (404)', {
      ...error,
      hint: 'OIDC requires Consul Enterprise. Run `lanyard acl login --bearer-token` with an auth method of type jwt.',
    });
  };
