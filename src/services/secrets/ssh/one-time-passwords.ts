import { createHmac } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import type { Storage } from '../../core/store/storage.ts';
import { uuid } from '../../core/uuid.ts';
import type { EngineParts } from '../engine.ts';

/** The host and user that a one-time password is valid for. */
export type Grant = {
  readonly ip: string;
  readonly username: string;
  readonly role_name: string;
};

const saltKey = 'otp-salt';
const saltBytes = 32;

/**
 * The one-time passwords of a mount. Only a keyed hash of each is stored, and passwords are looked up by it:
 * neither the storage nor the time of a lookup reveals anything about them.
 */
export class OneTimePasswords {
  readonly #storage: Storage;
  readonly #random: EngineParts['random'];

  constructor({ storage, random }: EngineParts) {
    this.#storage = storage;
    this.#random = random;
  }

  /** Creates a password (a UUID) and an identifier for its revocation that does not reveal it. */
  async create(grant: Grant): Promise<{ readonly password: string; readonly id: string }> {
    const storedSalt = this.#salt();
    const salt = storedSalt ?? Buffer.from(this.#random(saltBytes)).toString('hex');
    const password = uuid(this.#random);
    const id = hash(salt, password);
    await this.#storage.write([
      ...(storedSalt === undefined ? [{ key: saltKey, value: salt }] : []),
      { key: storageKey(id), value: { ...grant } },
    ]);
    return { password, id };
  }

  /**
   * Consumes a password: immediately, so that only one of several concurrent requests succeeds; and durably
   * before it resolves, so that the password is not valid again after a crash.
   * @returns undefined if the password is unknown, used or revoked.
   */
  async consume(password: string): Promise<Grant | undefined> {
    const salt = this.#salt();
    if (salt === undefined) return undefined;
    const key = storageKey(hash(salt, password));
    const grant = this.#storage.get(key) as Grant | undefined;
    if (grant === undefined) return undefined;
    await this.#storage.write([{ key }]);
    return grant;
  }

  /** @param id as returned by `create`; revoking an unknown one does nothing. */
  async revoke(id: Json): Promise<void> {
    const key = storageKey(String(id));
    if (this.#storage.get(key) !== undefined) await this.#storage.write([{ key }]);
  }

  #salt(): string | undefined {
    return this.#storage.get(saltKey) as string | undefined;
  }
}

function storageKey(id: string): string {
  return `otp/${id}`;
}

function hash(salt: string, password: string): string {
  return createHmac('sha256', salt).update(password).digest('hex');
}
