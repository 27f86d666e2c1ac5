import { maxPolicyLength } from '../../core/max-policy-length.ts';
import type { Storage } from '../../core/store/storage.ts';
import { Acl } from '../acl/acl.ts';
import { parsePolicy, type Rule } from '../acl/policy-text.ts';
import { badRequest } from '../errors.ts';
import { defaultPolicy } from '../seed.ts';
import { wrappingPolicy } from './wrapped-responses.ts';

/** Maximum cached sets of policies: as many as most services use; callers can invent more. */
const maxCachedAcls = 1000;

const builtIn = ['default', 'root', wrappingPolicy.name];
/** Policies that cannot be changed. */
const fixed = ['root', wrappingPolicy.name];

/** The policies: stored as text, with parsed rules in memory. Names are lower case. */
export class Policies {
  readonly #storage: Storage;
  readonly #rules = new Map<string, readonly Rule[]>();
  /** By the names of their policies; cleared by every change. */
  readonly #acls = new Map<string, Acl>();

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const name of storage.keys('')) this.#rules.set(name, parsePolicy(String(storage.get(name))));
    this.#rules.set(wrappingPolicy.name, parsePolicy(wrappingPolicy.text));
  }

  /** Writes the default policies of a new service. */
  async ensureDefault(): Promise<void> {
    if (this.text('default') === undefined) await this.put('default', defaultPolicy);
  }

  /** Names in order, without that of wrapping tokens; `root` has no text and always exists. */
  names(): string[] {
    return [...this.#storage.keys(''), 'root'].sort();
  }

  /** The text of a policy; undefined: not found. */
  text(name: string): string | undefined {
    if (name === 'root') return '';
    if (name === wrappingPolicy.name) return wrappingPolicy.text;
    return this.#storage.get(name) as string | undefined;
  }

  /** @throws SecretsError 400: `root` or `response-wrapping`, too long, or not a policy */
  async put(name: string, text: string): Promise<void> {
    if (fixed.includes(name)) throw badRequest(`cannot update "${name}" policy`);
    if (text.length > maxPolicyLength) throw badRequest(`policy longer than ${maxPolicyLength} characters`);
    let rules: readonly Rule[];
    try {
      rules = parsePolicy(text);
    } catch (error) {
      throw badRequest(`failed to parse policy: ${error instanceof Error ? error.message : error}`);
    }
    await this.#storage.write([{ key: name, value: text }]);
    this.#rules.set(name, rules);
    this.#acls.clear();
  }

  /** @throws SecretsError 400: `root`, `default` or `response-wrapping` */
  async delete(name: string): Promise<void> {
    if (builtIn.includes(name)) throw badRequest(`cannot delete "${name}" policy`);
    await this.#storage.write([{ key: name }]);
    this.#rules.delete(name);
    this.#acls.clear();
  }

  /** The permissions of a token with these policies; a policy that does not exist grants nothing. */
  acl(names: readonly string[]): Acl {
    const key = JSON.stringify(names);
    const cached = this.#acls.get(key);
    if (cached) return cached;
    const acl = Acl.of(
      names.includes('root'),
      names.flatMap((name) => this.#rules.get(name) ?? []),
    );
    if (this.#acls.size === maxCachedAcls) this.#acls.clear();
    this.#acls.set(key, acl);
    return acl;
  }
}
