import { decodeFields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { uuid } from '../../core/uuid.ts';
import { linksOf, readGrants, resolveGrants } from '../acl/grants.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { byName, hashOf, policies, type Role, roles } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { checkSameId, rejectMissing, removeRow } from './acl-rows.ts';

const namePattern = /^[\w-]{1,256}$/;

/** Creates a role, or updates the one of the path. */
export async function putRoleRoute(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const input = await decodeFields(request, 'Request decode failed', (fields) => ({
    ...fields.texts('ID', 'Name', 'Description'),
    grants: readGrants(fields),
  }));
  const { Name, Description } = input;
  checkSameId(call, input.ID, 'Role');
  if (!namePattern.test(Name)) {
    throw new HttpError(500, "Invalid Role: invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  const role = await registry.state.update((transaction) => {
    if (params.id !== undefined && !roles.get(transaction, params.id)) rejectMissing('role');
    const ID = params.id ?? uuid(registry.random);
    const other = byName(roles, transaction, Name);
    if (other && other.ID !== ID) {
      throw new HttpError(500, `Invalid Role: A Role with Name "${Name}" already exists`);
    }
    const grants = resolveGrants(transaction, input.grants);
    if (grants.Policies.length + input.grants.services.length + input.grants.nodes.length === 0) {
      throw new HttpError(500, 'Invalid Role: a role needs a policy, a service identity or a node identity');
    }
    return roles.write(transaction, ID, {
      ID,
      Name,
      Description,
      ...grants,
      Hash: hashOf(JSON.stringify([Name, Description, grants])),
    });
  });
  return writeResponse(call, roleView(registry.state.view, role));
}

export function getRole(call: Call): Promise<HttpResponse> {
  const { params } = call;
  return blockingQuery(call, ['roles'], (view) => {
    const role =
      params.name === undefined ? roles.get(view, params.id ?? '') : byName(roles, view, params.name);
    if (!role) rejectMissing('role');
    return { value: roleView(view, role) };
  });
}

/** All roles, or those with a policy ID. */
export function listRoles(call: Call): Promise<HttpResponse> {
  const { request } = call;
  const policy = request.query.get('policy') ?? '';
  return blockingQuery(call, ['roles'], (view) => ({
    value: roles
      .values(view)
      .filter(({ Policies }) => policy === '' || Policies.includes(policy))
      .map((role) => roleView(view, role)),
  }));
}

export const removeRole = (call: Call): Promise<HttpResponse> => removeRow(call, roles, 'role');

function roleView(view: View, role: Role): object {
  return { ...role, Policies: linksOf(policies, view, role.Policies) };
}
