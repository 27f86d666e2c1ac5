import { isValueTaken } from '../../api/conditions/accounts.ts';
import { conflict, describeAs, unlessNotFound } from '../../errors.ts';
import { accountScope } from '../../objects/account-access.ts';
import { field } from '../../objects/schema.ts';
import type { JsonObject, Kind, Live, Services, Write } from '../kind.ts';
import { everyItem, guardedWrite, identitiesOf, listAuthMethods } from './accounts-lists.ts';
import {
  globalScope,
  isScopeName,
  type ListedObject,
  placed,
  placeOf,
  scopeField,
  scopeIdOf,
  scopeReferences,
  scopes,
} from './accounts-scopes.ts';

const { description } = accountScope.properties;

const liveOf = ({ id, version = 0, description = '' }: ListedObject): Live => ({
  spec: { description },
  version: String(version),
  uid: id,
  id,
});

const taken = describeAs(isValueTaken, 'conflict', 'another scope in the same scope has this name');

/** An empty text is no description; null clears it. */
export const labelOf = ({ description }: JsonObject): string | null =>
  description ? String(description) : null;

async function create(services: Services, { identity, spec }: Write): Promise<void> {
  const { scope, key } = identity;
  const accounts = await services.accounts();
  const scope_id = await scopeIdOf(services, scope.scope);
  const text = labelOf(spec);
  const send = () =>
    accounts.createScope({
      scope_id,
      name: key,
      ...(text !== null && { description: text }),
      // The files state all roles of the scope.
      skip_admin_role_creation: 'true',
      skip_default_role_creation: 'true',
    });
  await scopes.write(services, placed(scope_id, key), ({ body }) => body.id, send).catch(taken);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
  const { id = '' } = live;
  const place = await placeOf(services, identity);
  const current = async () => (await unlessNotFound(accounts.readScope({ id })))?.version;
  const send = () => accounts.updateScope({ id, version: Number(live.version), description: labelOf(spec) });
  await guardedWrite(live, 'scope', current, () => scopes.write(services, place, id, send));
}

/** What would be deleted with a scope, by name; undefined: nothing that this service lists. */
async function contentsOf(services: Services, id: string): Promise<string | undefined> {
  const accounts = await services.accounts();
  const isIn = ({ scope_id = globalScope }: Pick<ListedObject, 'scope_id'>): boolean => scope_id === id;
  const roles = await everyItem('roles', (list_token) => accounts.listRoles({ scope_id: id, list_token }));
  if (roles.length > 0) return 'roles';
  if (id.startsWith('p_')) return undefined;
  const users = await everyItem('users', (list_token) => accounts.listUsers({ scope_id: id, list_token }));
  if (users.length > 0) return 'users';
  if ((await listAuthMethods(services)).some(isIn)) return 'auth methods';
  const below = await everyItem('scopes', (list_token) => accounts.listScopes({ scope_id: id, list_token }));
  return below.length > 0 ? 'projects' : undefined;
}

/** A scope: an organization, or a project in one (docs/protocol/accounts.md#scopes-users-and-roles). */
export const accountsScope: Kind = {
  name: 'accounts.scope',
  service: 'accounts',
  description: 'An organization of the account service, or a project in one.',
  scope: [scopeField('organizations')],
  nameIs: 'name of the scope',
  canonicalName: (name) => name.trim(),
  schema: field.object({ description }),
  level: ({ scope: { scope } }) => (scope === globalScope ? 1 : 2),
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  isProtected: true,
  references: ({ scope }) => scopeReferences(scope.scope),
  isBuiltIn: (_identity, live) => /^[op]_1234567890$/.test(live?.id ?? ''),
  label: ({ scope: { scope }, key }) => (scope === globalScope ? key : `${scope}/${key}`),
  async list(services, known) {
    const accounts = await services.accounts();
    const all = { scope_id: globalScope, recursive: 'true' } as const;
    const items = await everyItem('scopes', (list_token) => accounts.listScopes({ ...all, list_token }));
    const listed = items.flatMap(({ id, scope_id, name }) =>
      id !== globalScope && isScopeName(name) ? [{ scopeId: scope_id, identity: { key: name } }] : [],
    );
    return identitiesOf(services, listed, known);
  },
  ...scopes.reads({
    live: (_services, [scope]) => scope && liveOf(scope),
    place: placeOf,
    isListPartial: true,
  }),
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const accounts = await services.accounts();
    const contents = await contentsOf(services, id);
    if (contents !== undefined)
      throw conflict(`cannot delete scope "${identity.key}": it has ${contents}`, {
        service: 'accounts',
        hint: 'Delete what it has first.',
      });
    const place = await placeOf(services, identity);
    await scopes.write(services, place, id, () => accounts.deleteScope({ id }));
  },
};
