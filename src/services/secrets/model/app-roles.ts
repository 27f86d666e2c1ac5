import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { type EngineParts, tokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { SecretIds } from './secret-ids.ts';

/** The roles by lower-case name. */
const roles = table('role/', {
  roleId: s.string(),
  /** Whether a login requires a secret ID besides the role ID. */
  bindSecretId: s.boolean(),
  /** Of new secret IDs: number of uses (0: unlimited), and time to live in seconds (0: unlimited). */
  secretIdUses: s.number(),
  secretIdTtl: s.number(),
  /** CIDR blocks that may log in; missing: all. */
  secretIdBoundCidrs: s.optional(s.list(s.string())),
  terms: tokenParams,
}).with({ lookups: ({ roleId }, name) => [{ key: `role-id/${roleId}`, value: name }] });
export type AppRole = RowOf<typeof roles>;

/** The roles of a mount of the auth method `approle`, and their secret IDs. */
export class AppRoles {
  readonly #storage: Storage;
  readonly secretIds: SecretIds;
  readonly random: EngineParts['random'];

  constructor(parts: EngineParts) {
    checkTables(parts.storage, [roles]);
    this.#storage = parts.storage;
    this.secretIds = new SecretIds(parts);
    this.random = parts.random;
  }

  names(): string[] {
    return roles.keys(this.#storage);
  }

  get(name: string): AppRole | undefined {
    return roles.get(this.#storage, name.toLowerCase());
  }

  nameOf(roleId: string): string | undefined {
    return this.#storage.get(`role-id/${roleId}`) as string | undefined;
  }

  /** @throws SecretsError 400: another role has the role ID */
  async put(name: string, role: AppRole): Promise<void> {
    const owner = this.nameOf(role.roleId);
    if (owner !== undefined && owner !== name.toLowerCase()) throw badRequest('role_id already in use');
    await this.#storage.write(roles.replace(name.toLowerCase(), this.get(name), role));
  }

  /** Removes a role and its secret IDs; does nothing if it does not exist. */
  async delete(name: string): Promise<void> {
    const current = this.get(name);
    if (!current) return;
    const role = name.toLowerCase();
    await this.secretIds.removeAll(role, roles.replace(role, current, undefined));
  }
}
