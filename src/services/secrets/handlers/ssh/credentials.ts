import * as s from '../../../core/schema/types.ts';
import { badRequest, orBadRequest } from '../../errors.ts';
import type { Entity } from '../../model/identity.ts';
import { effectiveTtl } from '../../model/ttl.ts';
import { type Address, isWithin, parseAddress, parseBlock } from '../../ssh/address.ts';
import { internalError } from '../../ssh/errors.ts';
import { splitList } from '../../ssh/fields.ts';
import { sshResource } from '../../ssh/mount.ts';
import type { Role } from '../../ssh/role.ts';
import { expand, expandNames } from '../../ssh/templates.ts';

// One-time passwords for hosts (docs/protocol/ssh.md#one-time-passwords).

/** The request with which a host's helper checks that it reaches the service, and the expected response. */
const echo = { request: 'verify-echo-request', response: 'verify-echo-response' };

/** A one-time password for a user on a host; an otp role without `allowed_users` permits any valid user. */
export const credentials = sshResource({
  summary: 'Create a one-time password for a role.',
  fields: {
    username: s.string('The user name on the remote host.'),
    ip: s.required(s.string('The address of the remote host.')),
  },
  returns: {
    write: s.object({
      key_type: s.string(),
      key: s.string('The one-time password.'),
      username: s.string(),
      ip: s.string(),
      port: s.integer(),
    }),
  },
  async write(mount, request, roleName) {
    const { input } = request;
    if (input.ip === '') throw badRequest('Missing ip');
    const role = orBadRequest(mount.role(roleName), `Role ${JSON.stringify(roleName)} not found`);
    const username = chooseUser(role, input.username, request.entity);
    const address = readAddress(input.ip);
    if (!mount.zeroAddressRoles().includes(roleName) && !appliesTo(role, address))
      throw badRequest('Error validating IP: IP does not belong to role');
    if (role.key_type !== 'otp') throw internalError('key type unknown');
    const ip = address.text;
    const { ttl, warnings } = effectiveTtl(request.ttlLimits, {});
    const { password, id } = await mount.passwords.create({ ip, username, role_name: roleName });
    return {
      data: { key_type: role.key_type, key: password, username, ip, port: role.port },
      lease: { duration: ttl, internal: id },
      warnings,
    };
  },
});

/** The roles that apply to an address: by `cidr_list` (without regard to `exclude_cidr_list`), and zero-address roles. */
export const lookUp = sshResource({
  summary: 'List the roles that apply to an address.',
  fields: { ip: s.required(s.string('The address.')) },
  returns: { write: s.object({ roles: s.nullable(s.list(s.string())) }) },
  write(mount, { input: { ip } }) {
    if (ip === '') throw badRequest('Missing ip');
    const address = readAddress(ip);
    const zeroAddress = mount.zeroAddressRoles();
    const roles = mount.roleNames().filter((name) => {
      return zeroAddress.includes(name) || isListed(address, mount.role(name)?.cidr_list ?? '');
    });
    return { data: { roles: roles.length === 0 ? null : roles } };
  },
});

/** A one-time password is valid once. */
export const verify = sshResource({
  summary: 'Verify and consume a one-time password; requires no token.',
  fields: { otp: s.required(s.string('The one-time password.')) },
  returns: {
    write: s.object(
      s.partial({ ip: s.string(), username: s.string(), role_name: s.string(), message: s.string() }),
    ),
  },
  async write({ passwords }, { input: { otp } }) {
    if (otp === echo.request) return { data: { message: echo.response } };
    return { data: orBadRequest(await passwords.consume(otp), 'OTP not found') };
  },
});

/** Host keys belonged to dynamic roles, which are no longer supported, so there are none to remove. */
export const tidy = sshResource({
  summary: 'Remove host keys left over from dynamic keys.',
  returns: { delete: s.object({ message: s.string() }) },
  delete: () => ({ data: { message: 'Removed 0 of 0 host keys.' } }),
});

function chooseUser(role: Role, requested: string, entity: Entity | undefined): string {
  const defaultUser = role.default_user_template ? expand(role.default_user, entity) : role.default_user;
  const user = orBadRequest(
    requested || defaultUser,
    "No default username registered. Use 'username' option",
  );
  if (user === defaultUser) return user;
  const list = role.allowed_users.trim();
  if (list === '' || list === '*') {
    if (!isUserName(user)) throw badRequest('username is not a valid user name');
  } else if (!expandNames(splitList(list), role.allowed_users_template, entity).includes(user)) {
    throw badRequest('Username is not present is allowed users list');
  }
  return user;
}

/** No user name contains separators of names, fields or paths, or starts like an option. */
function isUserName(name: string): boolean {
  return /^(?!-)[^\p{Cc}:,/]{1,256}$/u.test(name) && name.trim() === name;
}

const readAddress = (text: string): Address =>
  orBadRequest(parseAddress(text), `Invalid IP ${JSON.stringify(text)}`);

function appliesTo(role: Role, address: Address): boolean {
  return isListed(address, role.cidr_list) && !isListed(address, role.exclude_cidr_list);
}

function isListed(address: Address, blocks: string): boolean {
  return splitList(blocks).some((text) => {
    const block = parseBlock(text);
    return block !== undefined && isWithin(address, block);
  });
}
