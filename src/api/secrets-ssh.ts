import * as v from 'valibot';
import type { SshRole, SshRoleFields } from '../objects/ssh-role.ts';
import type { Envelope, SshIssuer } from '../wire/responses/secrets.ts';
import type { SshCaBody, SshSignBody } from '../wire/secrets.ts';
import { checked, flag, noContentOr, plainText, shown, someFields, text, texts } from './decode.ts';
import type { Decoder } from './operation.ts';
import { operationBuilders } from './operation-builders.ts';
import { envelope, type Mounted, secret, written } from './secrets-parts.ts';

const { get, list, post, remove, recover } = operationBuilders('secrets');

interface Issuer extends Mounted {
  issuer: string;
}
type NewIssuer = Mounted & SshCaBody & { set_default?: boolean };

interface Role extends Mounted {
  role: string;
}

const oneTime = { retry: 'once' } as const;

/** 204, or an object whose optional `data` has these fields. */
const createdWith = <Data extends v.ObjectEntries>(data: Data) => {
  const decode = checked(v.looseObject({ ...envelope, data: v.nullish(v.looseObject(data)) }));
  return noContentOr((body) => {
    someFields(body);
    return decode(body);
  });
};

const signed = {
  ...shown<Pick<SshIssuer, 'issuer_id'>>(),
  /** Serial number of the certificate in hexadecimal. */
  serial_number: v.string(),
  /** The certificate, one line. */
  signed_key: v.string(),
};
const issued = {
  ...signed,
  /** The private key in the format of OpenSSH. */
  private_key: v.string(),
  private_key_type: v.string(),
};
const roleList = {
  keys: v.array(v.string()),
  key_info: v.nullish(v.record(v.string(), v.looseObject({ key_type: v.string(), issuer_ref: text }))),
};
const credentials = v.looseObject({
  ...envelope,
  ...shown<Pick<Envelope, 'lease_id' | 'lease_duration'>>({
    lease_id: text,
    lease_duration: v.optional(v.number()),
  }),
  data: v.looseObject({
    ...shown<{ key_type?: string }>(),
    ip: v.string(),
    /** The one-time password. */
    key: v.string(),
    username: v.string(),
    port: v.optional(v.number()),
  }),
});
const roleNames = { roles: texts };
const issuer = {
  issuer_id: v.string(),
  /** Empty: the issuer has no name. */
  issuer_name: text,
  /** One line, as in authorized_keys. */
  public_key: v.string(),
};
const publicKey = {
  ...shown<SshIssuer>(),
  /** One line, as in authorized_keys. */
  public_key: v.string(),
};
const createdCa = shown<SshIssuer & { public_key?: string }>();
const issuerList = {
  keys: v.array(v.string()),
  key_info: v.nullish(
    v.record(v.string(), v.looseObject({ issuer_name: text, is_default: flag, public_key: v.string() })),
  ),
};
const zeroAddress = { roles: v.nullable(v.array(v.string())) };

/** A type, and a key whose first bytes name the type again: `ssh-ed25519 AAAAC3…`. */
const isPublicKey = (line: string): boolean => {
  const [type = '', base64 = ''] = line.trim().split(/\s+/);
  const blob = Buffer.from(base64, 'base64');
  return (
    /^(ssh|ecdsa|sk)-[\w.@-]+$/.test(type) &&
    blob.length > 4 + type.length &&
    blob.readUInt32BE() === type.length &&
    blob.toString('latin1', 4, 4 + type.length) === type
  );
};

/** Public keys of SSH as text, one per line. */
const publicKeys: Decoder<string> = (body) => {
  const text = plainText(body);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || !lines.every(isPublicKey))
    throw new Error('the body: expected an SSH public key');
  return text;
};

const caPath = '/v1/{+mount}/config/ca';
const issuersPath = '/v1/{+mount}/issuers';
const issuerPath = '/v1/{+mount}/issuer/{issuer}';
const rolePath = '/v1/{+mount}/roles/{role}';
const zeroAddressPath = '/v1/{+mount}/config/zeroaddress';

/** The operations of the SSH engine (docs/protocol/ssh.md#endpoints). */
export const sshOperations = {
  createCa: post<Mounted & SshCaBody>('submit CA information', caPath)(createdWith(createdCa)),
  readCa: get<Mounted & { read_snapshot_id?: string }>('read CA public key', caPath, {
    query: ['read_snapshot_id'],
  })(checked(secret(publicKey))),
  publicKey: get<Mounted>('read CA public key', '/v1/{+mount}/public_key', { token: 'none' })(publicKeys),
  deleteCa: remove<Mounted>('delete CA information', caPath)(written),
  recoverCa: recover<Mounted & { snapshot: string }>('recover CA information', caPath, {
    headers: { 'Recover-Snapshot-Id': 'snapshot' },
  })(written),
  listIssuers: list<Mounted>('list SSH issuers', issuersPath)(checked(secret(issuerList))),
  readIssuer: get<Issuer>('read SSH issuer', issuerPath)(checked(secret(issuer))),
  issuerPublicKey: get<Issuer>('read public key of SSH issuer', `${issuerPath}/public_key`, {
    token: 'none',
  })(publicKeys),
  renameIssuer: post<Issuer & { issuer_name: string }>(
    'rename SSH issuer',
    issuerPath,
  )(checked(secret(issuer))),
  importIssuer: post<NewIssuer>('import SSH issuer', `${issuersPath}/import`)(checked(secret(issuer))),
  importNamedIssuer: post<NewIssuer & { name: string }>(
    'import SSH issuer',
    `${issuersPath}/import/{name}`,
  )(checked(secret(issuer))),
  setDefaultIssuer: post<Mounted & { default: string }>(
    'set default SSH issuer',
    '/v1/{+mount}/config/issuers',
  )(written),
  deleteIssuer: remove<Issuer>('delete SSH issuer', issuerPath)(written),
  putRole: post<Role & SshRoleFields>('write SSH role', rolePath)(written),
  readRole: get<Role>(
    'read SSH role',
    rolePath,
  )(checked(secret({ ...shown<SshRole>(), key_type: v.string() }))),
  listRoles: list<Mounted>('list SSH roles', '/v1/{+mount}/roles')(checked(secret(roleList))),
  deleteRole: remove<Role>('delete SSH role', rolePath)(written),
  signKey: post<Role & SshSignBody>('sign SSH key', '/v1/{+mount}/sign/{role}', { retry: 'repeat' })(
    checked(secret(signed)),
  ),
  issueKey: post<Role & Omit<SshSignBody, 'public_key'> & { key_type?: string; key_bits?: number }>(
    'generate certificate and key',
    '/v1/{+mount}/issue/{role}',
    oneTime,
  )(checked(secret(issued))),
  createCredentials: post<Role & { ip: string; username?: string }>(
    'generate SSH credentials',
    '/v1/{+mount}/creds/{role}',
    oneTime,
  )(checked(credentials)),
  lookupRoles: post<Mounted & { ip: string }>('list roles by IP', '/v1/{+mount}/lookup', {
    accepts: [200],
    retry: 'read',
  })(checked(secret(roleNames))),
  verifyOtp: post<Mounted & { otp: string }>('verify OTP', '/v1/{+mount}/verify', {
    ...oneTime,
    token: 'none',
  })(checked(secret({ ...shown<{ role_name?: string }>(), ip: text, username: text, message: text }))),
  readZeroAddress: get<Mounted>('list zero-address roles', zeroAddressPath)(checked(secret(zeroAddress))),
  putZeroAddress: post<Mounted & { roles: string }>('configure zero-address roles', zeroAddressPath)(written),
  deleteZeroAddress: remove<Mounted>('delete zero-address configuration', zeroAddressPath)(written),
  tidyKeys: remove<Mounted>(
    'tidy host keys',
    '/v1/{+mount}/tidy/dynamic-keys',
  )(createdWith({ message: text })),
} as const;
