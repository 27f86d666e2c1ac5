import type { Schema } from './type-schema.ts';

/** Shorter schemas are repeated. */
const minLength = 160;

/** Moves objects that several schemas have to `$defs`, and names them. */
export class SharedSchemas {
  readonly #names: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, number>();
  readonly #given = new Map<string, string>();
  readonly defs: Record<string, Schema> = {};

  /** @param names of types, by their schema as JSON. */
  constructor(names: ReadonlyMap<string, string>, schemas: readonly Schema[]) {
    this.#names = names;
    for (const schema of schemas) this.#count(schema, false);
  }

  /** The same schema, in which shared parts are references. */
  share(schema: Schema, field = ''): Schema {
    const { description, title, ...bare } = schema;
    const key = JSON.stringify(bare);
    if ((this.#counts.get(key) ?? 0) < 2)
      return collapsed(mapParts(schema, (part, name) => this.share(part, name ?? field)));
    const known = this.#given.get(key);
    const name = known ?? this.#newName(this.#names.get(key) ?? pascalCase(field));
    if (known === undefined) {
      this.#given.set(key, name);
      // Reserves the place before those of its parts.
      this.defs[name] = {};
      this.defs[name] = collapsed(mapParts(bare, (part, own) => this.share(part, own ?? name)));
    }
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      $ref: `#/$defs/${name}`,
    };
  }

  #count(schema: Schema, isCounted: boolean): void {
    const { description: _description, title: _title, ...bare } = schema;
    const key = JSON.stringify(bare);
    if (bare.properties !== undefined && key.length >= minLength) {
      const count = (this.#counts.get(key) ?? 0) + (isCounted ? 0 : 1);
      this.#counts.set(key, count);
      // The parts of a shared schema are written once.
      if (count > 1) return;
    }
    mapParts(schema, (part) => {
      this.#count(part, isCounted);
      return part;
    });
  }

  #newName(name: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name}${number}`;
      if (!Object.hasOwn(this.defs, candidate)) return candidate;
    }
  }
}

/** `custom_metadata` → `CustomMetadata`. */
export const pascalCase = (field: string): string =>
  field.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase()) ||
  'Object';

/** An object or null is one schema, unless it is shared. */
function collapsed(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf as Schema[];
  if (typeof first?.type !== 'string' || second?.type !== 'null') return schema;
  return { ...first, ...rest, type: [first.type, 'null'] };
}

/** The same schema with other parts. */
function mapParts(schema: Schema, change: (part: Schema, field?: string) => Schema): Schema {
  const changed: Record<string, unknown> = { ...schema };
  for (const keyword of ['properties', '$defs'])
    if (schema[keyword])
      changed[keyword] = Object.fromEntries(
        Object.entries(schema[keyword] as Record<string, Schema>).map(([name, part]) => [
          name,
          change(part, name),
        ]),
      );
  for (const keyword of ['items', 'additionalProperties'])
    if (schema[keyword]) changed[keyword] = change(schema[keyword] as Schema);
  for (const keyword of ['anyOf', 'prefixItems'])
    if (schema[keyword]) changed[keyword] = (schema[keyword] as Schema[]).map((part) => change(part));
  return changed;
}
