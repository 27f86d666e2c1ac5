import { notFound, usage } from '../../errors.ts';
import type { JsonObject, Services } from '../kind.ts';
import { globalScope, placed, referredScopeId, scopePathOf } from './accounts-scopes.ts';
import { isBuiltInUser, users } from './accounts-user.ts';

/** A principal of a role in the form of files: a user by its name, everything else by its ID. */
export async function principalOf(services: Services, id: string): Promise<JsonObject> {
  const user = id.startsWith('u_') && !isBuiltInUser(id) ? await users.byId(services, {}, id) : undefined;
  if (!user?.name) return { id };
  return { scope: await scopePathOf(services, user.scope_id), name: user.name };
}

/** The ID of a principal of a file. @throws LanyardError not_found; usage: it has a name, or its scope has */
export async function principalIdOf(services: Services, principal: JsonObject): Promise<string> {
  if (typeof principal.id === 'string') {
    const { name } = await principalOf(services, principal.id);
    if (name === undefined) return principal.id;
    throw usage(`principal "${principal.id}" must be stated by its name "${name}"`, { service: 'accounts' });
  }
  const path = String(principal.scope || globalScope);
  const name = String(principal.name ?? '').trim();
  const [id] = await users.ids(services, placed(await referredScopeId(services, path), name));
  if (id !== undefined) return id;
  throw notFound(`user "${name}" not found in scope ${path}`, {
    service: 'accounts',
    hint: `Run \`lanyard account user list${path === globalScope ? '' : ` --scope ${path}`}\`.`,
  });
}
