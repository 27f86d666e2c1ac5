import type { Json } from '../../../wire/json.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { EngineParts, TokenParams } from '../engine.ts';
import { badRequest } from '../errors.ts';
import { SecretIds } from './secret-ids.ts';

/** A role of the auth method `approle`. */
export interface AppRole {
  readonly roleId: string;
  /** Whether a login requires a secret ID besides the role ID. */
  readonly bindSecretId: boolean;
  /** Of new secret IDs: number of uses (0: unlimited), and time to live in seconds (0: unlimited). */
  readonly secretIdUses: number;
  readonly secretIdTtl: number;
  readonly terms: TokenParams;
}

/** The roles of a mount of `approle`, and their secret IDs. Names are lower-cased. */
export class AppRoles {
  readonly #storage: Storage;
  readonly secretIds: SecretIds;
  readonly random: EngineParts['random'];

  constructor({ storage, random, clock }: EngineParts) {
    this.#storage = storage;
    this.secretIds = new SecretIds({ storage: storage.withPrefix('secret/'), random, clock });
    this.random = random;
  }

  names(): string[] {
    return this.#storage.keys('role/').map((key) => key.slice('role/'.length));
  }

  get(name: string): AppRole | undefined {
    return this.#storage.get(`role/${name.toLowerCase()}`) as unknown as AppRole | undefined;
  }

  /** The name of the role with a role ID. */
  nameOf(roleId: string): string | undefined {
    return this.#storage.get(`role-id/${roleId}`) as string | undefined;
  }

  /** @throws SecretsError 400: another role has the role ID */
  async put(name: string, role: AppRole): Promise<void> {
    const owner = this.nameOf(role.roleId);
    if (owner !== undefined && owner !== name.toLowerCase()) throw badRequest('role_id already in use');
    const current = this.get(name);
    await this.#storage.write([
      ...(current && current.roleId !== role.roleId ? [{ key: `role-id/${current.roleId}` }] : []),
      { key: `role/${name.toLowerCase()}`, value: { ...role } as unknown as Json },
      { key: `role-id/${role.roleId}`, value: name.toLowerCase() },
    ]);
  }

  /** Removes a role and its secret IDs; does nothing if it does not exist. */
  async delete(name: string): Promise<void> {
    const current = this.get(name);
    if (!current) return;
    await this.#storage.write([{ key: `role/${name.toLowerCase()}` }, { key: `role-id/${current.roleId}` }]);
    await this.secretIds.remove(this.secretIds.forRole(name.toLowerCase()));
  }
}
