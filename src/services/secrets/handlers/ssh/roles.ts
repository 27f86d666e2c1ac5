import { objectInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import { notFound, orNotFound } from '../../errors.ts';
import { limitOf, pageFields } from '../../page.ts';
import { keys } from '../../returns.ts';
import { sshResource } from '../../ssh/mount.ts';
import { newRole, roleInput, shownRole, showRole } from '../../ssh/role.ts';

export const roles = sshResource({
  summary: 'List the roles.',
  query: pageFields,
  returns: { list: keys({ key_info: s.map(s.object({ key_type: s.string() })) }) },
  async list(mount, { input }) {
    const names = mount.roleNamesAfter(input.after ?? '', limitOf(input));
    if (names.length === 0) throw notFound();
    const key_info = await objectInSlices(names, (name) => [
      name,
      { key_type: mount.role(name)?.key_type ?? '' },
    ]);
    return { data: { keys: names, key_info } };
  },
});

export const role = sshResource({
  summary: 'Show, write or delete a role.',
  fields: roleInput,
  returns: { read: shownRole },
  read: (mount, _request, name) => ({ data: showRole(orNotFound(mount.role(name))) }),
  write: (mount, { input }, name) => mount.putRole(name, newRole(input)),
  delete: (mount, _request, name) => mount.deleteRole(name),
});
