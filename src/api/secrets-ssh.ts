import * as v from 'valibot';
import type { SshCaBody, SshRoleFields, SshSignBody } from '../wire/secrets.ts';
import { checked, noContentOr, plainText, someFields } from './decode.ts';
import { type Decoder, op } from './operation.ts';
import { done, type Mounted, secret, warnings, written } from './secrets-parts.ts';

interface Role extends Mounted {
  role: string;
}

const created = checked(v.looseObject({ data: v.optional(v.nullable(v.looseObject({}))), warnings }));
const tidied = checked(
  v.looseObject({
    data: v.optional(v.nullable(v.looseObject({ message: v.optional(v.string()) }))),
    warnings,
  }),
);

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

/** The operations of the SSH engine (docs/protocol/ssh.md#endpoints). */
export const sshOperations = {
  createCa: op<Mounted & SshCaBody>()({
    name: 'submit CA information',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/config/ca',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: noContentOr((body) => {
      someFields(body);
      return created(body);
    }),
  }),
  readCa: op<Mounted & { read_snapshot_id?: string }>()({
    name: 'read CA public key',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/config/ca',
    query: ['read_snapshot_id'],
    accepts: [200],
    retry: 'read',
    decode: checked(secret({ public_key: v.string() })),
  }),
  publicKey: op<Mounted>()({
    name: 'read CA public key',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/public_key',
    token: 'none',
    accepts: [200],
    retry: 'read',
    decode: publicKeys,
  }),
  deleteCa: op<Mounted>()({
    name: 'delete CA information',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/config/ca',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  putRole: op<Role & SshRoleFields>()({
    name: 'write SSH role',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/roles/{role}',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  readRole: op<Role>()({
    name: 'read SSH role',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/roles/{role}',
    accepts: [200],
    retry: 'read',
    decode: checked(secret({ key_type: v.string() })),
  }),
  listRoles: op<Mounted>()({
    name: 'list SSH roles',
    service: 'secrets',
    method: 'LIST',
    path: '/v1/{+mount}/roles',
    accepts: [200],
    retry: 'read',
    decode: checked(
      secret({
        keys: v.array(v.string()),
        key_info: v.optional(v.nullable(v.record(v.string(), v.looseObject({ key_type: v.string() })))),
      }),
    ),
  }),
  deleteRole: op<Role>()({
    name: 'delete SSH role',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/roles/{role}',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  signKey: op<Role & SshSignBody>()({
    name: 'sign SSH key',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/sign/{role}',
    body: 'json',
    accepts: [200],
    retry: 'repeat',
    decode: checked(secret({ serial_number: v.string(), signed_key: v.string() })),
  }),
  issueKey: op<Role & Omit<SshSignBody, 'public_key'> & { key_type?: string; key_bits?: number }>()({
    name: 'generate certificate and key',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/issue/{role}',
    body: 'json',
    accepts: [200],
    retry: 'once',
    decode: checked(
      secret({
        serial_number: v.string(),
        signed_key: v.string(),
        private_key: v.string(),
        private_key_type: v.string(),
      }),
    ),
  }),
  createCredentials: op<Role & { ip: string; username?: string }>()({
    name: 'generate SSH credentials',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/creds/{role}',
    body: 'json',
    accepts: [200],
    retry: 'once',
    decode: checked(
      v.looseObject({
        lease_id: v.optional(v.string()),
        lease_duration: v.optional(v.number()),
        data: v.looseObject({
          ip: v.string(),
          key: v.string(),
          username: v.string(),
          port: v.optional(v.number()),
        }),
        warnings,
      }),
    ),
  }),
  lookupRoles: op<Mounted & { ip: string }>()({
    name: 'list roles by IP',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/lookup',
    body: 'json',
    accepts: [200],
    retry: 'read',
    decode: checked(secret({ roles: v.optional(v.nullable(v.array(v.string()))) })),
  }),
  verifyOtp: op<Mounted & { otp: string }>()({
    name: 'verify OTP',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/verify',
    body: 'json',
    token: 'none',
    accepts: [200],
    retry: 'once',
    decode: checked(
      secret({
        ip: v.optional(v.string()),
        username: v.optional(v.string()),
        message: v.optional(v.string()),
      }),
    ),
  }),
  readZeroAddress: op<Mounted>()({
    name: 'list zero-address roles',
    service: 'secrets',
    method: 'GET',
    path: '/v1/{+mount}/config/zeroaddress',
    accepts: [200],
    retry: 'read',
    decode: checked(secret({ roles: v.nullable(v.array(v.string())) })),
  }),
  putZeroAddress: op<Mounted & { roles: string }>()({
    name: 'configure zero-address roles',
    service: 'secrets',
    method: 'POST',
    path: '/v1/{+mount}/config/zeroaddress',
    body: 'json',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  deleteZeroAddress: op<Mounted>()({
    name: 'delete zero-address configuration',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/config/zeroaddress',
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  recoverCa: op<Mounted & { snapshot: string }>()({
    name: 'recover CA information',
    service: 'secrets',
    method: 'RECOVER',
    path: '/v1/{+mount}/config/ca',
    headers: { 'Recover-Snapshot-Id': 'snapshot' },
    accepts: done,
    retry: 'write',
    decode: written,
  }),
  tidyKeys: op<Mounted>()({
    name: 'tidy host keys',
    service: 'secrets',
    method: 'DELETE',
    path: '/v1/{+mount}/tidy/dynamic-keys',
    accepts: done,
    retry: 'write',
    decode: noContentOr((body) => {
      someFields(body);
      return tidied(body);
    }),
  }),
} as const;
