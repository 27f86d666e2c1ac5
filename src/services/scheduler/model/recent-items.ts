import type { ValueEncryption } from '../../core/store/encryption.ts';
import { type Variable, type VariablePath, variableKey } from './variables.ts';

/** Characters of items that are kept. */
const maxLength = 1024 * 1024;

/**
 * Decrypts the items of variables, and keeps those that were read lately: decrypting takes longer than the rest of a
 * read. Every write of a variable makes another object, so the items of an object never change.
 */
export class RecentItems {
  readonly #encryption: ValueEncryption;
  /** The oldest first. */
  readonly #items = new Map<Variable, string>();
  #length = 0;

  constructor(encryption: ValueEncryption) {
    this.#encryption = encryption;
  }

  /** The items of a variable in JSON. @throws Error: damaged */
  read(variablePath: VariablePath, variable: Variable): string {
    const recent = this.#items.get(variable);
    if (recent !== undefined) return recent;
    const items = this.#encryption.decrypt(variableKey(variablePath), variable.Sealed);
    this.#items.set(variable, items);
    this.#length += items.length;
    for (const [oldest, { length }] of this.#items) {
      if (this.#length <= maxLength) break;
      this.#items.delete(oldest);
      this.#length -= length;
    }
    return items;
  }

  /** Forgets the items of a variable that was deleted or overwritten. */
  forget(variable: Variable): void {
    this.#length -= this.#items.get(variable)?.length ?? 0;
    this.#items.delete(variable);
  }
}
