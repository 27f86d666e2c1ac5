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

export const methodFlag = flag.required('METHOD', 'the auth method to log in through');
export const metaFlag = flag.map('K=V', 'what the token is to say of the login; repeatable');
export const noStoreFlag = flag.boolean('store nothing; print the token');

/** What the calls of a login have in common. */
export function throughMethod(flags: {
  readonly method: string;
  readonly meta: Readonly<Record<string, string>> | undefined;
}) {
  return { AuthMethod: flags.method, ...(flags.meta === undefined ? {} : { Meta: flags.meta }) };
}

/** The token as the service knows it; undefined: it does not (it treats the caller as anonymous, or as unknown). */
export async function ownToken(registry: RegistryClient): Promise<Token | undefined> {
  try {
    const { body } = await registry.readOwnToken({});
    return isAnonymousAccessor(body.AccessorID) ? undefined : body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'forbidden') return undefined;
    throw error;
  }
}

/** Where a login stores its token, and the token of a login that is there now. */
interface LoginHome extends TokenHome {
  readonly replaced?: Token;
}

/**
 * Where a login is to store its token; asked before it: a token that cannot be stored is not made, and one that no
 * login made, and none can make anew, is replaced after asking only.
 */
export async function homeFor(noStore: boolean, ctx: Context): Promise<LoginHome | undefined> {
  if (noStore) return undefined;
  const home = await ctx.tokens.home('registry', '--no-store prints the token instead');
  const stored = ctx.rehearsal ? undefined : await ctx.tokens.read(home);
  const replaced = stored === undefined ? undefined : await ownToken(await ctx.api.registryWith(stored));
  if (replaced === undefined) return home;
  if (replaced.AuthMethod) return { ...home, replaced };
  await ctx.io.confirm(
    `The token of "${home.profile}" was not made by a login, and nothing here can make it anew. Replace it?`,
  );
  return home;
}

/** The end of every login: its token is stored, or printed where there is no home for it. */
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
  return `the token of the login before is still valid${until}; "lanyard acl logout" before a login destroys it`;
}

/** A token that could not be stored is of use to nobody. */
async function destroy({ AccessorID, SecretID }: Token, ctx: Context): Promise<void> {
  try {
    await (await ctx.api.registryWith(SecretID)).logout({});
  } catch {
    ctx.io.warn(`the token with the accessor ${AccessorID}, which is not stored, could not be destroyed`);
  }
}

/** The refusals of a login, in words (docs/protocol/registry.md#login). */
export const loginInWords =
  (method: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (isMissingAuthMethod(error)) {
      throw new LanyardError('not_found', `there is no auth method "${method}" (403)`, { ...error });
    }
    if (isLoginWithoutRights(error)) {
      throw new LanyardError('forbidden', `the auth method "${method}" grants no permissions (403)`, {
        ...error,
        hint: 'You were recognised, but no binding rule of the method matches you: ask whoever keeps its rules.',
      });
    }
    if (isRejectedBearerToken(error)) {
      throw new LanyardError('unauthenticated', `the auth method "${method}" rejected the login (500)`, {
        ...error,
        hint: 'Is the proof for this service, from the issuer that the method trusts, and not expired?',
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

/** The same of a login with a browser, which Consul has in its Enterprise edition only. */
export const oidcInWords =
  (method: string) =>
  (error: unknown): never => {
    if (!isUnknownEndpoint(error)) return loginInWords(method)(error);
    throw new LanyardError(error.kind, 'the service registry does not support OIDC logins (404)', {
      ...error,
      hint: 'OIDC logins need Consul Enterprise. Use "acl login --bearer-token" with an auth method of type jwt.',
    });
  };
