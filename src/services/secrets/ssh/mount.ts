import type { Change, Storage } from '../../core/store/storage.ts';
import { checkTables } from '../../core/store/table.ts';
import type { EngineParts } from '../engine.ts';
import { resourcesOf } from '../resource.ts';
import { CaStore } from './ca.ts';
import { OneTimePasswords } from './one-time-passwords.ts';
import { type Role, roles } from './role.ts';

const zeroAddressKey = 'zero-address';

/** The data of an SSH mount. `random` never makes keys: they come from the system's generator. */
export class SshMount {
  readonly ca: CaStore;
  readonly passwords: OneTimePasswords;
  readonly random: EngineParts['random'];
  readonly snapshot: EngineParts['snapshot'];
  readonly #storage: Storage;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: EngineParts) {
    checkTables(parts.storage, [roles]);
    this.ca = new CaStore(parts.storage);
    this.passwords = new OneTimePasswords(parts);
    this.random = parts.random;
    this.snapshot = parts.snapshot;
    this.#storage = parts.storage;
  }

  role(name: string): Role | undefined {
    return roles.get(this.#storage, name);
  }

  roleNames(): string[] {
    return roles.keys(this.#storage);
  }

  /** At most `limit` names that come after `after`, which need not exist (empty: from the first). */
  roleNamesAfter(after: string, limit: number): string[] {
    return this.#storage.withPrefix(roles.prefix).keysAfter('', after, limit);
  }

  async putRole(name: string, role: Role): Promise<void> {
    await this.#storage.write([roles.put(name, role)]);
  }

  /** Removes a role, also from the zero-address roles. */
  async deleteRole(name: string): Promise<void> {
    const names = this.zeroAddressRoles();
    const rest = names.filter((other) => other !== name);
    await this.#storage.write([
      roles.remove(name),
      ...(names.length === rest.length ? [] : [zeroAddressChange(rest)]),
    ]);
  }

  /** The roles that apply to any address (docs/protocol/ssh.md#zero-address-roles). */
  zeroAddressRoles(): readonly string[] {
    return (this.#storage.get(zeroAddressKey) as string[] | undefined) ?? [];
  }

  async setZeroAddressRoles(names: readonly string[]): Promise<void> {
    await this.#storage.write([zeroAddressChange(names)]);
  }

  /** Runs tasks one after the other: the second submission of a CA must see the first. */
  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const current = this.#last.then(task);
    this.#last = current.catch(() => undefined);
    return current;
  }
}

export const sshResource = resourcesOf<SshMount>();

function zeroAddressChange(names: readonly string[]): Change {
  return names.length === 0 ? { key: zeroAddressKey } : { key: zeroAddressKey, value: [...names] };
}
