import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { uuid } from '../../uuid.ts';
import { grantsOf, policyLinks, readGrants } from '../acl/grants.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { read, written } from '../http/read.ts';
import { deleteRole, hashOf, putRole, type Role, roleByName, roleOf, rolesOf } from '../state/acl.ts';
import type { View } from '../state/draft.ts';

const nameForm = /^[\w-]{1,256}$/;

/** Makes a role, or changes the one that the path names. */
export async function putRoleRoute(call: Call): Promise<Answer> {
  const { authority, params, registry, request } = call;
  demand(authority, 'acl:write', '');
  const wanted = await decode(request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    return {
      ID: fields.text('ID'),
      Name: fields.text('Name'),
      Description: fields.text('Description'),
      grants: readGrants(fields),
    };
  });
  const { Name, Description } = wanted;
  if (params.id !== undefined && wanted.ID !== '' && wanted.ID !== params.id) {
    throw new HttpRefusal(400, 'Role ID in URL and payload do not match');
  }
  if (!nameForm.test(Name)) {
    throw new HttpRefusal(500, "Invalid Role: invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  const role = await registry.state.change((draft) => {
    if (params.id !== undefined && !roleOf(draft, params.id)) throw noRole();
    const ID = params.id ?? uuid(registry.random);
    const other = roleByName(draft, Name);
    if (other && other.ID !== ID) {
      throw new HttpRefusal(500, `Invalid Role: A Role with Name "${Name}" already exists`);
    }
    const grants = grantsOf(draft, wanted.grants);
    if (grants.Policies.length + wanted.grants.services.length + wanted.grants.nodes.length === 0) {
      throw new HttpRefusal(
        500,
        'Invalid Role: a role needs a policy, a service identity or a node identity',
      );
    }
    return putRole(draft, {
      ID,
      Name,
      Description,
      ...grants,
      Hash: hashOf(JSON.stringify([Name, Description, grants])),
    });
  });
  return written(call, shown(registry.state.view, role));
}

/** A role by its ID, or by its name. */
export function getRole(call: Call): Promise<Answer> {
  const { authority, params } = call;
  demand(authority, 'acl:read', '');
  return read(call, ['roles'], (view) => {
    const role = params.name === undefined ? roleOf(view, params.id ?? '') : roleByName(view, params.name);
    if (!role) throw noRole();
    return { value: shown(view, role) };
  });
}

/** All roles, or those with the policy of an ID. */
export function listRoles(call: Call): Promise<Answer> {
  const { authority, request } = call;
  demand(authority, 'acl:read', '');
  const policy = request.query.get('policy') ?? '';
  return read(call, ['roles'], (view) => ({
    value: rolesOf(view)
      .filter(({ Policies }) => policy === '' || Policies.includes(policy))
      .map((role) => shown(view, role)),
  }));
}

export async function removeRole(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const id = params.id ?? '';
  await registry.state.change((draft) => {
    if (!roleOf(draft, id)) throw new HttpRefusal(404, 'Cannot find role to delete');
    deleteRole(draft, id);
  });
  return written(call, true);
}

function noRole(): HttpRefusal {
  return new HttpRefusal(404, 'Requested role does not exist: ACL not found');
}

function shown(view: View, role: Role): object {
  return { ...role, Policies: policyLinks(view, role.Policies) };
}
