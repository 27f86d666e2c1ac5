import { createHmac } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { EngineParts } from '../engine.ts';

/** The host and user that a one-time password is valid for. */
const grants = table('otp/', { ip: s.string(), username: s.string(), role_name: s.string() });
export type Grant = RowOf<typeof grants>;

const saltKey = 'otp-salt';
const saltBytes = 32;

/** The one-time passwords of a mount, stored and looked up as keyed hashes, which reveal nothing about them. */
export class OneTimePasswords {
  readonly #storage: Storage;
  readonly #random: EngineParts['random'];

  constructor({ storage, random }: EngineParts) {
    checkTables(storage, [grants]);
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
      grants.put(id, grant),
    ]);
    return { password, id };
  }

  /** Consumes a password: at once, and durably before it resolves. @returns undefined: unknown, used or revoked */
  async consume(password: string): Promise<Grant | undefined> {
    const salt = this.#salt();
    if (salt === undefined) return undefined;
    const id = hash(salt, password);
    const grant = grants.get(this.#storage, id);
    if (grant !== undefined) await this.#storage.write([grants.remove(id)]);
    return grant;
  }

  /** @param id as returned by `create`; revoking an unknown one does nothing. */
  async revoke(id: Json): Promise<void> {
    if (grants.get(this.#storage, String(id)) === undefined) return;
    await this.#storage.write([grants.remove(String(id))]);
  }

  #salt(): string | undefined {
    return this.#storage.get(saltKey) as string | undefined;
  }
}

function hash(salt: string, password: string): string {
  return createHmac('sha256', salt).update(password).digest('hex');
}
