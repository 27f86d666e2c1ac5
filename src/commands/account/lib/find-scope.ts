import { allPages } from '../../../api/account-pages.ts';
import type { AccountsClient } from '../../../api/accounts.ts';
import type { AccountScope } from '../../../api/accounts-access.ts';
import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { notFound, usage } from '../../../errors.ts';
import { describeMissingScope } from './errors.ts';
import { anyOf } from './filters.ts';
import type { Versioned } from './versioned.ts';

/** The default of `--scope`, and the only scope without one above it. */
export const globalScope = 'global';

const scopeHelp = 'global, ORGANIZATION[/PROJECT] by name, or an ID';

export const scopeFlag = (help: string) =>
  flag.name('SCOPE', `${help}: ${scopeHelp} (default global)`, { completes: 'account-scope' });

export const scopeArg = arg.text('SCOPE', scopeHelp, { completes: 'account-scope' });

/** A scope to change. */
export const scopeOf = (accounts: AccountsClient, id: string): Versioned<AccountScope> => ({
  noun: 'scope',
  id,
  read: () => accounts.readScope({ id }),
});

/** Whether a scope is given by its ID. */
const isScopeId = (text: string): boolean => text === globalScope || /^[op]_[0-9A-Za-z]+$/.test(text);

/**
 * The ID of a scope, given by its ID or its name. Names need one list for an organization, two for a project.
 *
 * @param given undefined: the global scope.
 * @throws LanyardError not_found; usage: the name is empty.
 */
export async function findScopeId(given: string | undefined, ctx: Pick<Context, 'api'>): Promise<string> {
  if (given === undefined) return globalScope;
  if (given === '') throw usage('invalid scope "": expected a name or an ID');
  if (isScopeId(given)) return given;
  // Names of organizations may have slashes, too.
  const slashes = [...given.matchAll(/\//g)].map(({ index }) => index);
  const heads = [given, ...slashes.map((index) => given.slice(0, index))].filter((head) => head !== '');
  const organizations = await scopesNamed(heads, globalScope, ctx);
  const [exact] = organizations.filter(({ name }) => name === given);
  if (exact) return exact.id;
  for (const { id, name = '' } of organizations) {
    const project = given.slice(name.length + 1);
    if (project === '') continue;
    const [found] = await scopesNamed([project], id, ctx);
    if (found) return found.id;
  }
  throw notFound(`scope "${given}" not found`, {
    service: 'accounts',
    hint: 'Run `lanyard account scope list --recursive` for the existing scopes.',
  });
}

/** The scopes with one of the names directly below a scope. */
async function scopesNamed(
  names: readonly string[],
  parent: string,
  ctx: Pick<Context, 'api'>,
): Promise<readonly { readonly id: string; readonly name?: string | undefined }[]> {
  const accounts = await ctx.api.accounts();
  const filter = anyOf('name', names);
  const { items } = await allPages((list_token) =>
    accounts.findScopes({ scope_id: parent, filter, list_token }).catch(describeMissingScope(parent)),
  );
  return items.filter(({ name }) => name !== undefined && names.includes(name));
}

/** The scope itself, and those above it, from the inside out. */
export async function scopesUpTo(id: string, ctx: Pick<Context, 'api'>): Promise<readonly string[]> {
  if (id === globalScope) return [id];
  if (id.startsWith('o_')) return [id, globalScope];
  const accounts = await ctx.api.accounts();
  const { body } = await accounts.readScope({ id }).catch(describeMissingScope(id));
  return [id, ...(body.scope_id === undefined ? [] : [body.scope_id]), globalScope];
}
