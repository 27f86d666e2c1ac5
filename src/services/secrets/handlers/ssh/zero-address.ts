import type { Change, Storage } from '../../../core/store/storage.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, notFound } from '../../ssh/errors.ts';
import { list, readFields, splitList } from '../../ssh/fields.ts';

const zeroAddressKey = 'zero-address';

const zeroAddressFields = { roles: list() };

/** The roles that apply to any address (docs/protocol/ssh.md#zero-address-roles). */
export class ZeroAddressRoles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  names(): readonly string[] {
    return (this.#storage.get(zeroAddressKey) as string[] | undefined) ?? [];
  }

  async put(names: readonly string[]): Promise<void> {
    await this.#storage.write([{ key: zeroAddressKey, value: [...names] }]);
  }

  async remove(): Promise<void> {
    await this.#storage.write([{ key: zeroAddressKey }]);
  }

  /** The changes that remove a role from the list, to be written together with its deletion. */
  changesWithout(name: string): Change[] {
    const names = this.names();
    if (!names.includes(name)) return [];
    const rest = names.filter((other) => other !== name);
    return [rest.length === 0 ? { key: zeroAddressKey } : { key: zeroAddressKey, value: rest }];
  }
}

/** Replaces the list. @throws SecretsError 400 if it is empty, or names a role that does not exist. */
export async function configureZeroAddress(
  zeroAddress: ZeroAddressRoles,
  isRole: (name: string) => boolean,
  request: EngineRequest,
): Promise<undefined> {
  const names = splitList(readFields(zeroAddressFields, request.data).roles);
  if (names.length === 0) throw badRequest('Missing roles');
  const unknown = names.find((name) => !isRole(name));
  if (unknown !== undefined) throw badRequest(`Role ${JSON.stringify(unknown)} does not exist`);
  await zeroAddress.put(names);
}

/** @throws SecretsError 404 if there is no list. */
export function showZeroAddress(zeroAddress: ZeroAddressRoles): EngineResponse {
  const names = zeroAddress.names();
  if (names.length === 0) throw notFound();
  return { data: { roles: [...names] } };
}
