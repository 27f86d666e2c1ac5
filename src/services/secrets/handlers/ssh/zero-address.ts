import * as s from '../../../core/schema/types.ts';
import { badRequest, notFound } from '../../errors.ts';
import { sshResource } from '../../ssh/mount.ts';

export const zeroAddress = sshResource({
  summary: 'Show, set or delete the zero-address roles, which apply to any address.',
  fields: { roles: s.required(s.list(s.string(), 'The names of the roles.')) },
  returns: { read: s.object({ roles: s.list(s.string()) }) },
  read(mount) {
    const names = mount.zeroAddressRoles();
    if (names.length === 0) throw notFound();
    return { data: { roles: [...names] } };
  },
  async write(mount, { input }) {
    const names = [...new Set(input.roles)];
    if (names.length === 0) throw badRequest('Missing roles');
    const unknown = names.find((name) => mount.role(name) === undefined);
    if (unknown !== undefined) throw badRequest(`Role ${JSON.stringify(unknown)} does not exist`);
    await mount.setZeroAddressRoles(names);
  },
  delete: (mount) => mount.setZeroAddressRoles([]),
});
