import { objectInSlices } from '../../../core/in-slices.ts';
import { notFound, orNotFound } from '../../errors.ts';
import { pageFields, readPage } from '../../page.ts';
import type { Resource } from '../../resource.ts';
import type { SshMount } from '../../ssh/mount.ts';
import { parseRole, roleFields, showRole } from '../../ssh/role.ts';

export const roles: Resource<SshMount> = {
  summary: 'List the roles.',
  fields: pageFields,
  async list(mount, { data }) {
    const { after, limit } = readPage(data);
    const keys = mount.roleNamesAfter(after, limit);
    if (keys.length === 0) throw notFound();
    const key_info = await objectInSlices(keys, (key) => [
      key,
      { key_type: mount.role(key)?.key_type ?? '' },
    ]);
    return { data: { keys, key_info } };
  },
};

export const role: Resource<SshMount> = {
  summary: 'Show, write or delete a role.',
  fields: roleFields,
  read: (mount, _request, name) => ({ data: showRole(orNotFound(mount.role(name))) }),
  write: (mount, { data }, name) => mount.putRole(name, parseRole(data)),
  delete: (mount, _request, name) => mount.deleteRole(name),
};
