import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import type { EngineParts, EngineRequest } from '../../../../../src/services/secrets/engine.ts';
import { sshEngine } from '../../../../../src/services/secrets/engines.ts';
import { parseCertificate } from '../../../../../src/ssh/certificate.ts';
import type { CertificateInfo } from '../../../../../src/ssh/types.ts';
import { keyPair } from '../../../../support/keys.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { has } from '../../../../support/require.ts';
import { writeRsaKey } from '../../../../support/rsa-key.ts';
import { type Data, engineCalls, errorOf } from '../engine-calls.ts';

export const noon = new Date('2026-03-04T12:00:00Z');

/** A key pair's public half that needs no ssh-keygen. */
export const publicKey = keyPair('ed25519').publicLine;

/** Pseudorandom bytes, the same in every run. */
function seededRandom(seed: string): (length: number) => Uint8Array {
  let block = 0;
  return (length) => {
    const parts: Buffer[] = [];
    for (let made = 0; made < length; made += 32) {
      parts.push(createHash('sha256').update(`${seed}/${block++}`).digest());
    }
    return Buffer.concat(parts).subarray(0, length);
  };
}

/** An SSH mount at noon, called by a token named `root` by default. */
export function mount(storage: Storage = memoryStorage(), more: Partial<EngineParts> = {}) {
  const engine = sshEngine({ storage, random: seededRandom('mount'), clock: () => noon, ...more });

  const calls = engineCalls(engine, () => noon);
  return {
    engine,
    storage,
    ...calls,
    /** Signs; returns the certificate line. */
    async sign(role: string, data: Data, more?: Partial<EngineRequest>): Promise<string> {
      return String((await calls.write(`sign/${role}`, data, more))?.data?.signed_key);
    },
  };
}

export type Mount = ReturnType<typeof mount>;

/** A mount with an Ed25519 CA. */
export async function mountWithCa(): Promise<Mount> {
  const made = mount();
  await made.write('config/ca', { key_type: 'ed25519' });
  return made;
}

/** A folder for keys, removed with `remove()`. */
export function keyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-dev-ssh-'));
  let made = 0;
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    /**
     * A real key pair; `options` as for ssh-keygen, such as `-t rsa -b 2048`, which is the same key each time
     * unless it must be another one.
     */
    keygen(options: string, { another = false } = {}) {
      const file = join(folder, `key-${made++}`);
      const rsa = another ? null : /^-t rsa -b 2048(?: -m (\w+))?$/.exec(options);
      if (rsa) writeRsaKey(file, { comment: 'a comment', format: rsa[1] });
      else execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'a comment', ...options.split(' '), '-f', file]);
      return { file, private: readFileSync(file, 'utf8'), public: readFileSync(`${file}.pub`, 'utf8') };
    },
  };
}

/** Whether this OpenSSH supports DSA, which version 10 removed. */
export function makesDsa(): boolean {
  return has('ssh') && execFileSync('ssh', ['-Q', 'key'], { encoding: 'utf8' }).includes('ssh-dss');
}

export interface Shown {
  readonly type: string;
  readonly kind: string;
  readonly publicKey: string;
  readonly ca: string;
  readonly algorithm: string;
  readonly keyId: string;
  readonly serial: string;
  readonly valid: string;
  readonly principals: readonly string[];
  readonly criticalOptions: readonly string[];
  readonly extensions: readonly string[];
}

/** The output of `ssh-keygen -L` for a certificate; it also rejects an invalid signature. */
export function show(certificate: string): Shown {
  const text = execFileSync('ssh-keygen', ['-L', '-f', '-'], {
    input: certificate,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  const lines = text.split('\n');
  const value = (name: string) => {
    const line = lines.find((candidate) => candidate.trim().startsWith(`${name}: `)) ?? '';
    return line.slice(line.indexOf(': ') + 2);
  };
  const items = (name: string) => {
    const start = lines.findIndex((line) => line.trim().startsWith(`${name}:`)) + 1;
    const end = lines.findIndex((line, index) => index >= start && !line.startsWith(' '.repeat(16)));
    return lines.slice(start, end).map((line) => line.trim());
  };
  const [type = '', kind = ''] = value('Type').split(' ');
  const [ca = '', algorithm = ''] = value('Signing CA').split(' (using ');
  return {
    type,
    kind,
    publicKey: value('Public key'),
    ca,
    algorithm: algorithm.replace(')', ''),
    keyId: value('Key ID').slice(1, -1),
    serial: value('Serial'),
    valid: value('Valid'),
    principals: items('Principals'),
    criticalOptions: items('Critical Options'),
    extensions: items('Extensions'),
  };
}

/** The fingerprint of a public key line from `ssh-keygen -l`. */
export function fingerprint(publicKey: string): string {
  const text = execFileSync('ssh-keygen', ['-l', '-f', '-'], { input: publicKey, encoding: 'utf8' });
  return text.split(' ')[1] ?? '';
}

/** A `string` in SSH wire format, implemented separately for the tests. */
export function field(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** An authorized_keys line of a blob made of fields. */
export function line(type: string, ...fields: readonly (string | Uint8Array)[]): string {
  const blob = Buffer.concat([type, ...fields].map(field));
  return `${type} ${blob.toString('base64')}`;
}

/** Reads a signed key without ssh-keygen. */
export const certificateOf = (line: unknown) => parseCertificate(String(line).trim(), 'the certificate');

/** Writes a role and signs with it; returns the certificate, read without ssh-keygen, or `400 the message`. */
export async function signed(
  role: Data,
  body: Data,
  more: Partial<EngineRequest> = {},
  own?: Mount,
): Promise<CertificateInfo | string> {
  const ssh = own ?? (await mountWithCa());
  await ssh.write('roles/r', role);
  try {
    return certificateOf(await ssh.sign('r', { public_key: publicKey, ...body }, more));
  } catch (error) {
    return errorOf(Promise.reject(error));
  }
}

/** Signs with a role that permits everything. */
export async function signWith(ssh: Mount, publicKey: string): Promise<string> {
  await ssh.write('roles/any', { key_type: 'ca', allow_user_certificates: true, allowed_users: '*' });
  return ssh.sign('any', { public_key: publicKey, valid_principals: 'ubuntu' });
}
