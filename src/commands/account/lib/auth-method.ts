import { allPages } from '../../../api/account-pages.ts';
import { hasStatus } from '../../../api/conditions/any.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { insteadOf, isNotFound, usage } from '../../../errors.ts';
import { globalScope } from './find-scope.ts';

export const authMethodFlag = (help: string) =>
  flag.text('ID', `${help} (default: BOUNDARY_AUTH_METHOD_ID, the profile, or the primary auth method)`, {
    completes: 'account-auth-method',
  });

/**
 * The auth method ID for a login: the given ID, the ID in the settings, or the primary auth method of the global scope.
 * @returns undefined: neither is set, and the service shows no primary auth method without a token.
 * @throws LanyardError: the service cannot be reached.
 */
export const findAuthMethod = (
  given: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<string | undefined> => givenOrPrimary(given, ctx).catch(insteadOf(isWithoutToken, undefined));

/** As {@link findAuthMethod}. @throws LanyardError usage: no auth method is set or found. */
export async function resolveAuthMethod(given: string | undefined, ctx: Context): Promise<string> {
  const id = await givenOrPrimary(given, ctx).catch((error: unknown) => {
    throw isWithoutToken(error)
      ? error.withHint(`The service does not list its auth methods without a token. ${passHint}`)
      : error;
  });
  if (id !== undefined) return id;
  throw usage('missing auth method: --auth-method is required, the global scope has no primary one', {
    hint: `Run \`lanyard account auth-method list\`. ${passHint}`,
  });
}

const passHint =
  'Pass --auth-method ID, set BOUNDARY_AUTH_METHOD_ID, or run `lanyard profile put NAME accounts.auth-method=ID`.';

/** @returns undefined: the service has no primary auth method, or no list of auth methods. */
async function givenOrPrimary(
  given: string | undefined,
  ctx: Pick<Context, 'api'>,
): Promise<string | undefined> {
  const id = given ?? (await ctx.api.settings('accounts')).authMethod;
  if (id !== undefined) return id;
  return primaryAuthMethod(globalScope, ctx);
}

/** @returns undefined: the scope has no primary auth method, or the service has no list of auth methods. */
export async function primaryAuthMethod(
  scopeId: string,
  ctx: Pick<Context, 'api'>,
): Promise<string | undefined> {
  const accounts = await ctx.api.accounts();
  const list = await allPages((list_token) =>
    accounts.findAuthMethods({ scope_id: scopeId, list_token }),
  ).catch(insteadOf(isNotFound, undefined));
  return list?.items.find(({ is_primary }) => is_primary === true)?.id;
}

const isWithoutToken = (error: unknown) => hasStatus(error, 401, 403);
