import fc from 'fast-check';
import type { Schema } from '../../src/objects/schema.ts';
import { identityText, type JsonObject } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import type { Json } from '../../src/wire/json.ts';
import { kindOf, type Stated } from './bench.ts';
import { accessGenerators } from './random-access.ts';
import { accountsGenerators } from './random-accounts.ts';
import { registryGenerators } from './random-registry.ts';
import { secretsGenerators } from './random-secrets.ts';
import { Random } from './random-values.ts';
import { spellingsOf } from './spellings.ts';

/** A system while it is generated: each generator refers to objects of those before it. */
export class System {
  readonly random: Random;
  readonly #objects = new Map<string, Stated>();

  constructor(random: Random) {
    this.random = random;
  }

  get objects(): readonly Stated[] {
    return [...this.#objects.values()];
  }

  /** Adds an object, unless one of the name exists. */
  add(kind: string, key: string, spec: JsonObject, scope: Readonly<Record<string, string>> = {}): void {
    const { canonicalName = String } = kindOf(kind);
    const identity = { scope, key: canonicalName(key) };
    const id = `${kind} ${identityText(identity)}`;
    if (!this.#objects.has(id)) this.#objects.set(id, { kind, identity, spec });
  }

  /** The objects of a kind so far. */
  of(kind: string): readonly Stated[] {
    return this.objects.filter((object) => object.kind === kind);
  }

  keys(kind: string): readonly string[] {
    return this.of(kind).map(({ identity }) => identity.key);
  }
}

/** Adds some objects of a kind. */
export type Generator = (system: System) => void;

/** By kind, in an order in which each refers only to those before it. */
export const generators: Readonly<Record<string, Generator>> = {
  ...secretsGenerators,
  ...registryGenerators,
  ...accessGenerators,
  ...accountsGenerators,
};

/** Kinds without a generator: only some servers have them. */
export const withoutGenerator: readonly string[] = ['secrets.ssh-issuer'];

/** Kinds whose services reject fields of other types of the object, even if they are empty. */
const notRespelled: ReadonlySet<string> = new Set([
  'secrets.ssh-ca',
  'box.provider',
  'registry.config-entry',
  'registry.auth-method',
  'accounts.auth-method',
  'accounts.account',
]);

/**
 * A system of objects of all kinds, the same for a seed.
 *
 * @param without kinds that are left out, with what refers to them
 */
export function randomSystem(seed: number, without: readonly string[] = []): readonly Stated[] {
  const random = new Random(seed);
  const system = new System(random);
  for (const [kind, generate] of Object.entries(generators))
    if (!without.includes(kind) && kinds.some(({ name }) => name === kind)) generate(system);
  return random
    .some(system.objects, system.objects.length, system.objects.length)
    .map((object) => ({ ...object, spec: respelled(object, random) }));
}

/** The fields of a kind, without those that objects of other types have. */
function schemaOf(kind: string, { type }: JsonObject): Schema {
  const { schema } = kindOf(kind);
  const properties = Object.entries<Schema>(schema.properties).filter(
    ([, { types }]) => typeof type !== 'string' || (types?.includes(type) ?? true),
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** An equivalent spelling of the fields of an object. */
function respelled({ kind, spec }: Stated, random: Random): JsonObject {
  const seed = random.integer(0, 2 ** 31 - 1);
  if (notRespelled.has(kind) || random.chance(0.3)) return spec;
  const [found] = fc.sample(spellingsOf(schemaOf(kind, spec), spec as Json), { seed, numRuns: 1 });
  return (found ?? spec) as JsonObject;
}
