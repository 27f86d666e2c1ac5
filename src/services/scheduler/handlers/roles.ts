import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import {
  blockingQuery,
  foundRow,
  listing,
  reading,
  readParameters,
  writeIndex,
  writeResponse,
  writing,
} from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { errorList, problems, requirePermission } from '../errors.ts';
import { hashOf, policies, type Role, role, roleByName, roles } from '../model/acl.ts';
import type { View } from '../model/tables.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
const maxDescriptionLength = 256;

const operation = operations('ACL');

/** docs/protocol/scheduler.md#access-control */
export const putRoleRoute = operation('putRole', 'Create or update a role', {
  query: readParameters,
  body: role,
  bodyError: 'failed to decode the role',
  returns: role,
  responseHeaders: 'write',
  async handle(call) {
    const { permissions, params, scheduler } = call;
    requirePermission(permissions.isManagement);
    const input = await call.body();
    if (params.id !== undefined && input.ID !== params.id)
      throw new HttpError(400, 'ACL role ID does not match request path');
    const written = await scheduler.state.update((transaction) => {
      const Policies = policiesOf(transaction, input);
      const ID = idOf(transaction, input) ?? uuid(scheduler.random);
      const { Name, Description } = input;
      const Hash = hashOf(JSON.stringify([Name, Description, Policies]));
      return roles.write(transaction, ID, { ID, Name, Description, Policies, Hash });
    });
    return writeResponse(call, written.ModifyIndex, roleView(written));
  },
});

/** The policies of a valid role. @throws HttpError 400 */
function policiesOf(view: View, { Name, Description, Policies }: s.Input<typeof role>): string[] {
  const names = [...new Set((Policies ?? []).map((link) => link.Name))];
  const found = problems([
    !namePattern.test(Name) && `invalid name '${Name}'`,
    [...Description].length > maxDescriptionLength && `description longer than ${maxDescriptionLength}`,
    names.length === 0 && 'at least one policy should be specified',
  ]);
  if (found.length > 0) throw new HttpError(400, `role 0 invalid: ${errorList(found)}`);
  const missing = names.find((name) => !policies.get(view, name));
  if (missing !== undefined) throw new HttpError(400, `cannot find policy ${missing}`);
  return names;
}

/** The ID of the role to update; undefined: it is created. @throws HttpError 400: the name is taken, no such role */
function idOf(view: View, { ID, Name }: s.Input<typeof role>): string | undefined {
  const existing = roleByName(view, Name);
  if (existing && existing.ID !== ID) throw new HttpError(400, `role with name ${Name} already exists`);
  if (ID === '') return undefined;
  if (!roles.get(view, ID)) throw new HttpError(400, `cannot find role ${ID}`);
  return ID;
}

export const getRole = operation('getRole', 'Read a role', {
  description: 'For management tokens, and tokens that have it.',
  ...reading,
  returns: role,
  handle: (call) => readRole(call, (view) => roles.get(view, call.params.id ?? '')),
});

export const getRoleByName = operation('getRoleByName', 'Read a role by its name', {
  description: 'For management tokens, and tokens that have it.',
  ...reading,
  returns: role,
  handle: (call) => readRole(call, (view) => roleByName(view, call.params.name ?? '')),
});

function readRole(call: Call, find: (view: View) => Role | undefined) {
  const found = find(call.scheduler.state.view);
  requirePermission(readableRoles(call)(found?.ID ?? ''));
  return blockingQuery(call, 'roles', (view) => foundRow(find(view), 'ACL role not found', roleView));
}

export const listRoles = operation('listRoles', 'List roles', {
  description: 'For other than management tokens, only their own roles. `prefix` is of the ID.',
  ...listing,
  returns: s.list(role),
  handle(call) {
    const isReadable = readableRoles(call);
    const { prefix } = call.query();
    return blockingQuery(call, 'roles', async (view) => ({
      value: await mapInSlices(
        await filterInSlices(await roles.list(view, prefix), ({ ID }) => isReadable(ID)),
        roleView,
      ),
    }));
  },
});

/** The roles of the token. */
function readableRoles({ permissions, request, scheduler }: Call): (id: string) => boolean {
  if (permissions.isManagement) return () => true;
  const ids = scheduler.acl.tokenOf(request)?.Roles ?? [];
  return (id) => ids.includes(id);
}

export const removeRole = operation('deleteRole', 'Delete a role', {
  description: 'Tokens that are linked to it lose its permissions.',
  ...writing,
  errors: [404],
  handle(call) {
    requirePermission(call.permissions.isManagement);
    return writeIndex(call, (transaction) => {
      const id = call.params.id ?? '';
      if (!roles.get(transaction, id)) throw new HttpError(404, 'ACL role not found');
      roles.delete(transaction, id);
      return transaction.index;
    });
  },
});

const roleView = ({ Policies, ...row }: Role): object => ({
  ...row,
  Policies: Policies.map((Name) => ({ Name })),
});
