import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LanyardError } from '../../../src/errors.ts';
import { wireString } from '../../../src/ssh/wire-format.ts';
import { writeRsaKey } from '../../support/rsa-key.ts';

/** Every kind of key that `ssh-keygen` makes without hardware. */
export const kinds = {
  ed25519: ['-t', 'ed25519'],
  rsa: ['-t', 'rsa', '-b', '2048'],
  ecdsa256: ['-t', 'ecdsa', '-b', '256'],
  ecdsa384: ['-t', 'ecdsa', '-b', '384'],
  ecdsa521: ['-t', 'ecdsa', '-b', '521'],
} as const;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** Real ssh-keygen in a temporary folder of its own, made when first used: skipped tests leave none. */
export class Keygen {
  #folder: string | undefined;

  get folder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'lanyard-ssh-'));
    return this.#folder;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name));
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content, { mode: 0o600 });
    return this.path(name);
  }

  /** @returns standard output; times in UTC. */
  run(...args: readonly string[]): string {
    const options = { cwd: this.folder, env: { ...process.env, TZ: 'UTC' }, stdio: 'pipe', encoding: 'utf8' };
    return execFileSync('ssh-keygen', args, options as { encoding: 'utf8' });
  }

  accepts(...args: readonly string[]): boolean {
    return spawnSync('ssh-keygen', args, { cwd: this.folder }).status === 0;
  }

  /** Makes a key pair; RSA keys of 2048 bits are all the same key. */
  make(name: string, options: readonly string[], { comment = `${name}@test`, passphrase = '' } = {}): void {
    const [, type, , bits, , format] = options;
    if (type === 'rsa' && bits === '2048') writeRsaKey(this.path(name), { comment, format, passphrase });
    else this.run('-q', ...options, '-N', passphrase, '-C', comment, '-f', name);
  }

  /** Certifies `KEY.pub`. @returns the certificate's line. */
  sign(ca: string, key: string, ...options: readonly string[]): string {
    this.run('-q', '-s', ca, ...options, `${key}.pub`);
    return this.read(`${key}-cert.pub`);
  }

  /** `SHA256:...` of a key file, as ssh-keygen sees it. */
  fingerprint(name: string): string {
    return this.run('-l', '-f', name).split(' ')[1] ?? '';
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A key line of any blob. */
export function lineOf(type: string, ...fields: readonly Uint8Array[]): string {
  return `${type} ${Buffer.concat([wireString(type), ...fields]).toString('base64')}`;
}

/** The usage error that work must end with. */
export async function rejection(work: () => unknown): Promise<LanyardError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'usage') return error;
    throw error;
  }
  throw new Error('it was not rejected');
}
