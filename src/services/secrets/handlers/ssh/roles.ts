import type { Json } from '../../../../wire/json.ts';
import { notFound, orNotFound } from '../../errors.ts';
import { integerField, textField } from '../../fields.ts';
import { integer, text } from '../../help/field.ts';
import type { Resource } from '../../resource.ts';
import type { SshMount } from '../../ssh/mount.ts';
import { parseRole, roleFields, showRole } from '../../ssh/role.ts';

/** The part of a list that is returned. */
const pageFields = {
  after: text('Return the names after this one, which need not exist (default: from the first).'),
  limit: integer('Maximum number of names (default: all).'),
};

export const roles: Resource<SshMount> = {
  summary: 'List the roles.',
  fields: pageFields,
  list(mount, { data }) {
    const limit = integerField(data, 'limit') ?? 0;
    const keys = mount.roleNamesAfter(
      textField(data, 'after') ?? '',
      limit > 0 ? limit : Number.POSITIVE_INFINITY,
    );
    if (keys.length === 0) throw notFound();
    const info = keys.map((key): [string, Json] => [key, { key_type: mount.role(key)?.key_type ?? '' }]);
    return { data: { keys, key_info: Object.fromEntries(info) } };
  },
};

export const role: Resource<SshMount> = {
  summary: 'Show, write or delete a role.',
  fields: roleFields,
  read: (mount, _request, name) => ({ data: showRole(orNotFound(mount.role(name))) }),
  write: (mount, { data }, name) => mount.putRole(name, parseRole(data)),
  delete: (mount, _request, name) => mount.deleteRole(name),
};
