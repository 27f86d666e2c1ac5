import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import { resolveIdentities, resolveLinks } from '../acl/grants.ts';
import { checkUuid, isRoleName } from '../acl/names.ts';
import { roleView } from '../acl/tokens.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import { byName, hashOf, type Link, policies, role, roles } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { checkPathId, checkSameId, rejectMissing, removing, rowToPut, writing } from './acl-rows.ts';

const operation = operations('ACL');
const readOperation = readOperations('ACL');

/** Creates a role, or updates the role of the path. */
export const putRole = operation('createRole', 'Create a role', {
  ...writing('Role', role),
  async handle(call) {
    const { params, registry } = call;
    const input = await call.body();
    const { Name, Description } = input;
    checkSameId(call, input.ID, 'Role');
    checkName(Name);
    checkPathId(call, 'Role');
    const stored = await registry.state.update((transaction) => {
      const existing = rowToPut(roles, transaction, params.id, { name: Name, title: 'Role' });
      const ID = existing?.ID ?? uuid(registry.random);
      const resolved = {
        Policies: rolePolicies(transaction, input.Policies),
        ...resolveIdentities(input, 'role'),
      };
      const Hash = hashOf(JSON.stringify([Name, Description, resolved]));
      return roles.write(transaction, ID, { ID, Name, Description, ...resolved, Hash });
    });
    return writeResponse(call, roleView(registry.state.view, stored));
  },
});

function checkName(name: string): void {
  if (name === '') throw new HttpError(500, 'Invalid Role: no Name is set');
  if (!isRoleName(name)) {
    throw new HttpError(
      500,
      "Invalid Role: invalid Name. Only alphanumeric characters, '-' and '_' are allowed",
    );
  }
}

/** The policies of a role. @throws HttpError 500: one does not exist */
function rolePolicies(view: View, links: readonly Link[] = []): string[] {
  const prefix = 'Failed to apply role upsert request: ';
  const missing = links.find(({ ID }) => ID !== '' && !policies.get(view, ID));
  if (missing) {
    checkUuid('acl policy', missing.ID, prefix);
    throw new HttpError(500, `${prefix}No such policy with ID: ${missing.ID}`);
  }
  return resolveLinks(policies, view, links);
}

export const getRole = readOperation('getRole', 'Read a role', {
  returns: role,
  errors: [400, 404],
  handle(call) {
    const { id = '', name } = call.params;
    if (name === undefined) checkUuid('acl role', id);
    return blockingQuery(call, ['roles'], (view) => {
      const found = name === undefined ? roles.get(view, id) : byName(roles, view, name);
      return { value: roleView(view, found ?? rejectMissing('role')) };
    });
  },
});

export const listRoles = readOperation('listRoles', 'List roles', {
  query: { policy: s.string('Only roles with this policy ID.') },
  returns: s.list(role),
  handle(call) {
    const { policy } = call.query();
    if (policy !== '') checkUuid('acl role', policy);
    return blockingQuery(call, ['roles'], async (view) => {
      const selected = await filterInSlices(
        await roles.list(view),
        ({ Policies }) => policy === '' || Policies.includes(policy),
      );
      return { value: await mapInSlices(selected, (each) => roleView(view, each)) };
    });
  },
});

export const removeRole = operation('deleteRole', 'Delete a role', removing(roles, 'role'));
