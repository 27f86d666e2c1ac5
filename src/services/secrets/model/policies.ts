import { maxPolicyLength } from '../../core/max-policy-length.ts';
import type { Storage } from '../../core/store/storage.ts';
import { Acl } from '../acl/acl.ts';
import { expandPath, hasTemplate } from '../acl/path-templates.ts';
import { parsePolicy } from '../acl/policy-text.ts';
import type { Rule } from '../acl/rule.ts';
import { badRequest, withErrorPrefix } from '../errors.ts';
import { defaultPolicy } from '../seed.ts';
import type { EntityRecord } from './identity.ts';
import { wrappingPolicy } from './wrapped-responses.ts';

/** Maximum cached sets of policies: as many as most services use; callers can invent more. */
const maxCachedAcls = 1000;

const builtIn = ['default', 'root', wrappingPolicy.name];
const fixed = ['root', wrappingPolicy.name];

/** The policies: stored as text, with parsed rules in memory. Names are lower case. */
export class Policies {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #rules = new Map<string, readonly Rule[]>();
  /** The rules among them that depend on caller or time. */
  readonly #changing = new Map<string, readonly Rule[]>();
  /** By the names of their policies and the paths that depend on caller and time; cleared by every change. */
  readonly #acls = new Map<string, Acl>();

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
    for (const name of storage.keys('')) this.#set(name, parsePolicy(String(storage.get(name))));
    this.#set(wrappingPolicy.name, parsePolicy(wrappingPolicy.text));
  }

  #set(name: string, rules: readonly Rule[]): void {
    const changing = rules.filter(isChanging);
    this.#rules.set(name, rules);
    if (changing.length > 0) this.#changing.set(name, changing);
    else this.#changing.delete(name);
  }

  /** Writes the default policies of a new service. */
  async ensureDefault(): Promise<void> {
    if (this.text('default') === undefined) await this.put('default', defaultPolicy);
  }

  /** Names in order, without the policy of wrapping tokens; `root` has no text and always exists. */
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
    const rules = withErrorPrefix('failed to parse policy', () => parsePolicy(text));
    await this.#storage.write([{ key: name, value: text }]);
    this.#set(name, rules);
    this.#acls.clear();
  }

  /** @throws SecretsError 400: `root`, `default` or `response-wrapping` */
  async delete(name: string): Promise<void> {
    if (builtIn.includes(name)) throw badRequest(`cannot delete "${name}" policy`);
    await this.#storage.write([{ key: name }]);
    this.#rules.delete(name);
    this.#changing.delete(name);
    this.#acls.clear();
  }

  /**
   * The permissions of a token with these policies; a policy that does not exist grants nothing.
   * @param entity of the token; its values are inserted in paths
   */
  acl(names: readonly string[], entity?: EntityRecord): Acl {
    const now = this.#clock().getTime();
    const changing = names
      .flatMap((name) => this.#changing.get(name) ?? [])
      .map((rule) => effectiveRule(rule, entity, now));
    const key = JSON.stringify([names, ...changing.map((rule) => rule?.path ?? null)]);
    const cached = this.#acls.get(key);
    if (cached) return cached;
    const constant = names.flatMap((name) => this.#rules.get(name) ?? []);
    const acl = Acl.of(names.includes('root'), [
      ...constant.filter((rule) => !isChanging(rule)),
      ...changing.filter((rule) => rule !== undefined),
    ]);
    if (this.#acls.size === maxCachedAcls) this.#acls.clear();
    this.#acls.set(key, acl);
    return acl;
  }
}

const isChanging = ({ path, expires }: Rule): boolean => expires !== undefined || hasTemplate(path);

/** A rule for a caller at a time; undefined: it has expired, or its path has a template without a value. */
function effectiveRule(rule: Rule, entity: EntityRecord | undefined, now: number): Rule | undefined {
  if (rule.expires !== undefined && now > rule.expires) return undefined;
  if (!hasTemplate(rule.path)) return rule;
  const path = expandPath(rule.path, entity);
  return path === undefined ? undefined : { ...rule, path };
}
