import type { EngineRequest, EngineResponse, Entity } from '../../engine.ts';
import { type Address, isWithin, parseAddress, parseBlock } from '../../ssh/address.ts';
import { badRequest, internalError } from '../../ssh/errors.ts';
import { ignoredWarnings, readFields, splitList, text } from '../../ssh/fields.ts';
import type { OneTimePasswords } from '../../ssh/one-time-passwords.ts';
import type { Role } from '../../ssh/role.ts';
import { expand, expandNames } from '../../ssh/templates.ts';

// One-time passwords for hosts (docs/protocol/ssh.md#one-time-passwords).

/** 768 hours, in seconds. */
const leaseDuration = 768 * 3600;

const credsFields = { username: text(), ip: text() };
const lookupFields = { ip: text() };
const verifyFields = { otp: text() };

/** The request with which a host's helper checks that it reaches the service, and the expected response. */
const echo = { request: 'verify-echo-request', response: 'verify-echo-response' };

/** The parts of the mount that credentials use. */
interface CredentialsMount {
  readonly passwords: OneTimePasswords;
  role(name: string): Role | undefined;
  roleNames(): readonly string[];
  zeroAddress(): readonly string[];
}

/**
 * Creates a one-time password for a user on a host. An otp role without `allowed_users` permits any valid
 * user.
 * @throws SecretsError 400; 500 for a zero-address role that does not create passwords.
 */
export async function createCredentials(
  mount: CredentialsMount,
  roleName: string,
  request: EngineRequest,
): Promise<EngineResponse> {
  const params = readFields(credsFields, request.data);
  if (params.ip === '') throw badRequest('Missing ip');
  const role = mount.role(roleName);
  if (role === undefined) throw badRequest(`Role ${JSON.stringify(roleName)} not found`);
  const username = chooseUser(role, params.username, request.entity);
  const address = readAddress(params.ip);
  if (!mount.zeroAddress().includes(roleName) && !appliesTo(role, address)) {
    throw badRequest('Error validating IP: IP does not belong to role');
  }
  if (role.key_type !== 'otp') throw internalError('key type unknown');
  const ip = address.text;
  const { password, id } = await mount.passwords.create({ ip, username, role_name: roleName });
  return {
    data: { key_type: role.key_type, key: password, username, ip, port: role.port },
    lease: { duration: leaseDuration, internal: id },
    warnings: ignoredWarnings(credsFields, ['name'], request.data),
  };
}

/**
 * The roles that apply to an address: by `cidr_list` (without regard to `exclude_cidr_list`), and
 * zero-address roles.
 * @throws SecretsError 400
 */
export function lookUpRoles(mount: CredentialsMount, request: EngineRequest): EngineResponse {
  const { ip } = readFields(lookupFields, request.data);
  if (ip === '') throw badRequest('Missing ip');
  const address = readAddress(ip);
  const zeroAddress = mount.zeroAddress();
  const roles = mount.roleNames().filter((name) => {
    return zeroAddress.includes(name) || isListed(address, mount.role(name)?.cidr_list ?? '');
  });
  return { data: { roles }, warnings: ignoredWarnings(lookupFields, [], request.data) };
}

/** Consumes a one-time password: it is valid once. @throws SecretsError 400 */
export async function verifyPassword(
  mount: CredentialsMount,
  request: EngineRequest,
): Promise<EngineResponse> {
  const { otp } = readFields(verifyFields, request.data);
  if (otp === echo.request) return { data: { message: echo.response } };
  const grant = await mount.passwords.consume(otp);
  if (grant === undefined) throw badRequest('OTP not found');
  return { data: grant };
}

function chooseUser(role: Role, requested: string, entity: Entity | undefined): string {
  const defaultUser = role.default_user_template ? expand(role.default_user, entity) : role.default_user;
  const user = requested || defaultUser;
  if (!user) throw badRequest("No default username registered. Use 'username' option");
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

function readAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw badRequest(`Invalid IP ${JSON.stringify(text)}`);
  return address;
}

function appliesTo(role: Role, address: Address): boolean {
  return isListed(address, role.cidr_list) && !isListed(address, role.exclude_cidr_list);
}

function isListed(address: Address, blocks: string): boolean {
  return splitList(blocks).some((text) => {
    const block = parseBlock(text);
    return block !== undefined && isWithin(address, block);
  });
}
