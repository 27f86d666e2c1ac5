import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { uuid, uuidPattern } from '../../core/uuid.ts';
import { decodeKnownFields, roleShape } from '../acl/body.ts';
import { readGrants, resolveIdentities, resolveLinks } from '../acl/grants.ts';
import { checkUuid, isRoleName } from '../acl/names.ts';
import { roleView } from '../acl/tokens.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { byName, hashOf, type Link, policies, roles } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { rejectMissing, removeRow } from './acl-rows.ts';

/** Creates a role, or updates the one of the path. */
export async function putRoleRoute(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const { grants, ...input } = await decodeKnownFields(
    request,
    'Role decoding failed',
    roleShape,
    (fields) => ({ ...fields.texts('ID', 'Name', 'Description'), grants: readGrants(fields) }),
  );
  const { Name, Description } = input;
  if (input.ID !== '' && input.ID !== params.id)
    throw new HttpError(400, 'Role ID in URL and payload do not match');
  checkName(Name);
  if (params.id !== undefined && !uuidPattern.test(params.id))
    throw new HttpError(500, 'Role ID invalid UUID');
  const role = await registry.state.update((transaction) => {
    const existing = params.id === undefined ? undefined : roles.get(transaction, params.id);
    if (params.id !== undefined && !existing) throw new HttpError(500, `cannot find role ${params.id}`);
    const other = byName(roles, transaction, Name);
    if (other && other.ID !== existing?.ID) {
      const noun = existing ? 'role with name' : 'Role with Name';
      throw new HttpError(500, `Invalid Role: A ${noun} ${JSON.stringify(Name)} already exists`);
    }
    const ID = existing?.ID ?? uuid(registry.random);
    const resolved = {
      Policies: rolePolicies(transaction, grants.policies),
      ...resolveIdentities(grants, 'role'),
    };
    return roles.write(transaction, ID, {
      ID,
      Name,
      Description,
      ...resolved,
      Hash: hashOf(JSON.stringify([Name, Description, resolved])),
    });
  });
  return writeResponse(call, roleView(registry.state.view, role));
}

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
function rolePolicies(view: View, links: readonly Link[]): string[] {
  const prefix = 'Failed to apply role upsert request: ';
  const missing = links.find(({ ID }) => ID !== '' && !policies.get(view, ID));
  if (missing) {
    checkUuid('acl policy', missing.ID, prefix);
    throw new HttpError(500, `${prefix}No such policy with ID: ${missing.ID}`);
  }
  return resolveLinks(policies, view, links);
}

export function getRole(call: Call): Promise<HttpResponse> {
  const { params } = call;
  if (params.id !== undefined) checkUuid('acl role', params.id);
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
  if (policy !== '') checkUuid('acl role', policy);
  return blockingQuery(call, ['roles'], async (view) => {
    const selected = await filterInSlices(
      await roles.list(view),
      ({ Policies }) => policy === '' || Policies.includes(policy),
    );
    return { value: await mapInSlices(selected, (role) => roleView(view, role)) };
  });
}

export const removeRole = (call: Call): Promise<HttpResponse> => removeRow(call, roles, 'role');
