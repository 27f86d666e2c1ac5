import { allPages } from '../../api/account-pages.ts';
import { notFound, unlessNotFound, usage } from '../../errors.ts';
import { IdIndex } from '../id-index.ts';
import type { Identity, Reference, Services } from '../kind.ts';

export const globalScope = 'global';

export const isScopeId = (text: string): boolean => /^[op]_[0-9A-Za-z]+$/.test(text);

/** Grant scopes of a role that no scope may have as its name in a path. */
export const relativeScopes: readonly string[] = ['this', 'children', 'descendants'];

/** Whether files can name a scope: a path has no other form for it. */
export const isScopeName = (name: string | undefined): name is string =>
  name !== undefined && scopeNameProblem(name) === undefined;

/** Why files cannot name a scope so. */
export function scopeNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'is empty';
  if (name.includes('/')) return 'must not contain "/"';
  if (isScopeId(name)) return 'must be a name, not an ID';
  return [globalScope, 'none', ...relativeScopes].includes(name) ? `must not be "${name}"` : undefined;
}

/** The fields of an identity that name a scope of the account service. @param below what is in it */
export const scopeField = (below: 'organizations' | 'projects') =>
  ({
    name: 'scope',
    default: globalScope,
    description: `Scope: global, or an organization by name${below === 'projects' ? ', or ORGANIZATION/PROJECT' : ''}; the ID of a scope without a name.`,
  }) as const;

/** What is wrong with the path of a scope. @param depth how many scopes it may have below the global one */
export function scopePathProblem(path: string, depth: 1 | 2): string | undefined {
  const steps = path === globalScope ? [] : path.split('/');
  const isWrong =
    steps.length > depth ||
    steps.some((step) => step.trim() === '' || (steps.length > 1 && step === globalScope)) ||
    (depth === 1 && steps.some((step) => step.startsWith('p_') && isScopeId(step)));
  return isWrong
    ? `expected global, ORGANIZATION${depth === 2 ? ' or ORGANIZATION/PROJECT' : ''}`
    : undefined;
}

/** An object in a scope, as lists have it: without a version if the token may not see it. */
export interface ListedObject {
  readonly id: string;
  readonly version?: number | undefined;
  readonly scope_id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Where an index has an object: one list has the objects of all scopes. */
export const placed = (scopeId: string, name: string): Identity => ({ scope: {}, key: `${scopeId} ${name}` });

/** The same for an object of a list. */
export const placeKey = ({
  scope_id = globalScope,
  name = '',
}: Pick<ListedObject, 'scope_id' | 'name'>): string => placed(scope_id, name).key;

/** The scopes below the global one, by the ID of the scope above and the name. */
export const scopes = new IdIndex<ListedObject>({
  async list(services) {
    const accounts = await services.accounts();
    const all = { scope_id: globalScope, recursive: 'true' } as const;
    return (await allPages((list_token) => accounts.findScopes({ ...all, list_token }))).items;
  },
  keyOf: placeKey,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readScope({ id })),
});

/** The ID of the scope of an identity, given by names or IDs. @throws LanyardError not_found */
export async function scopeIdOf(services: Services, path = globalScope): Promise<string> {
  let id = globalScope;
  for (const step of path === globalScope ? [] : path.split('/')) {
    const [found] = isScopeId(step) ? [step] : await scopes.ids(services, placed(id, step));
    if (found === undefined)
      throw notFound(`scope "${path}" not found`, {
        service: 'accounts',
        hint: 'Run `lanyard account scope list --recursive` for the existing scopes.',
      });
    id = found;
  }
  return id;
}

/** The path of a scope: its names, from the outside in, or its ID. */
export async function scopePathOf(services: Services, id = globalScope): Promise<string> {
  if (id === globalScope) return id;
  const scope = await scopes.byId(services, {}, id);
  if (!scope || !isScopeName(scope.name)) return id;
  const { scope_id: above = globalScope, name } = scope;
  return above === globalScope ? name : `${await scopePathOf(services, above)}/${name}`;
}

/** The ID of a scope that a field refers to. @throws LanyardError not_found; usage: it has a name */
export async function referredScopeId(services: Services, path: string): Promise<string> {
  const id = await scopeIdOf(services, path);
  const named = await scopePathOf(services, id);
  if (named === path) return id;
  throw usage(`scope "${path}" must be stated by its name "${named}"`, { service: 'accounts' });
}

/** Where an index has the object of an identity. @throws LanyardError not_found: its scope */
export const placeOf = async (services: Services, { scope, key }: Identity): Promise<Identity> =>
  placed(await scopeIdOf(services, scope.scope), key);

/** The documents of a scope and of the one above it. */
export function scopeReferences(path = globalScope): readonly Reference[] {
  if (path === globalScope) return [];
  const [above = '', name] = path.split('/');
  const organization = { kind: 'accounts.scope', identity: inScope(globalScope, above) };
  return name === undefined
    ? [organization]
    : [organization, { kind: 'accounts.scope', identity: inScope(above, name) }];
}

const inScope = (scope: string, key: string): Identity => ({ scope: { scope }, key });
