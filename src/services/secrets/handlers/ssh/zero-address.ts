import { badRequest, notFound } from '../../errors.ts';
import * as help from '../../help/field.ts';
import type { Resource } from '../../resource.ts';
import { list, readFields, splitList } from '../../ssh/fields.ts';
import type { SshMount } from '../../ssh/mount.ts';

const zeroAddressFields = { roles: { ...list(''), ...help.required(help.list('The names of the roles.')) } };

/** A write replaces the list. */
export const zeroAddress: Resource<SshMount> = {
  summary: 'Show, set or delete the zero-address roles, which apply to any address.',
  fields: zeroAddressFields,
  read(mount) {
    const names = mount.zeroAddressRoles();
    if (names.length === 0) throw notFound();
    return { data: { roles: [...names] } };
  },
  async write(mount, { data }) {
    const names = splitList(readFields(zeroAddressFields, data).roles);
    if (names.length === 0) throw badRequest('Missing roles');
    const unknown = names.find((name) => mount.role(name) === undefined);
    if (unknown !== undefined) throw badRequest(`Role ${JSON.stringify(unknown)} does not exist`);
    await mount.setZeroAddressRoles(names);
  },
  delete: (mount) => mount.setZeroAddressRoles([]),
};
