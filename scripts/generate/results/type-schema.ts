import {
  type Checker,
  ElementFlags,
  type Symbol as Property,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import { documentationOf } from '../../documentation.ts';

/** A JSON Schema. */
export interface Schema {
  [keyword: string]: unknown;
}

/** The type of any JSON value. */
const anyJson = 'Json';

/** Converts types to the JSON Schema of what is written for their values. */
export class TypeSchemas {
  readonly #checker: Checker;
  /** Schemas of types that refer to themselves, by name. */
  readonly defs: Record<string, Schema> = {};
  /** The names of types, by their schema as JSON. */
  readonly names = new Map<string, string>();
  readonly #open: Type[] = [];
  readonly #recursive = new Map<number, string>();
  readonly #known = new Map<number, Schema>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** @returns undefined if no JSON is written for a value of the type: undefined, a function. */
  of(type: Type): Schema | undefined {
    const { flags } = type;
    if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) return undefined;
    if (flags & (TypeFlags.Unknown | TypeFlags.Any) || type.getAliasSymbol()?.name === anyJson) return {};
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { const: type.value };
    if (flags & TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === 'true' };
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' };
    if (flags & TypeFlags.Number) return { type: 'number' };
    if (flags & TypeFlags.BigInt) return { type: 'integer' };
    if (flags & TypeFlags.Boolean) return { type: 'boolean' };
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' };
    if (type.isUnionType() && type.getTypes().some((each) => this.#isJsonArray(each))) return {};
    if (type.isUnionType()) return union(type.getTypes().flatMap((each) => this.#written(each)));
    if (this.#checker.isArrayType(type)) return { type: 'array', items: this.#item(type) };
    if (type.isTupleType() || this.#checker.isTupleType(type)) return this.#tuple(type);
    if (this.#checker.getSignaturesOfType(type, 0).length > 0) return undefined;
    return this.#object(type);
  }

  #written(type: Type): readonly Schema[] {
    const schema = this.of(type);
    return schema ? [schema] : [];
  }

  #item(type: Type): Schema {
    const [item] = this.#checker.getTypeArguments(type as TypeReference);
    return (item && this.of(item)) ?? {};
  }

  /** Part of a union that has any JSON. */
  #isJsonArray(type: Type): boolean {
    const [item] = this.#checker.isArrayType(type)
      ? this.#checker.getTypeArguments(type as TypeReference)
      : [];
    return item?.getAliasSymbol()?.name === anyJson;
  }

  #tuple(type: Type): Schema {
    const items = this.#checker.getTypeArguments(type as TypeReference).map((each) => this.of(each) ?? {});
    const target = (type as TypeReference).getTarget();
    const flags = target.isTupleType() ? target.elementFlags : [];
    if (flags.some((flag) => flag !== ElementFlags.Required)) return { type: 'array', items: union(items) };
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
  }

  #object(type: Type): Schema {
    const known = this.#known.get(type.id);
    if (known) return known;
    if (this.#open.some(({ id }) => id === type.id)) {
      const name = (type.getAliasSymbol() ?? type.getSymbol())?.name ?? '__type';
      if (name === '__type') throw new Error(`a type without a name refers to itself: ${this.text(type)}`);
      this.#recursive.set(type.id, name);
      return { $ref: `#/$defs/${name}` };
    }
    this.#open.push(type);
    const schema = this.#fields(type);
    this.#open.pop();
    const typeName = (type.getAliasSymbol() ?? type.getSymbol())?.name ?? '';
    if (/^[A-Z]\w+$/.test(typeName) && !genericNames.includes(typeName))
      this.names.set(JSON.stringify(schema), typeName);
    const name = this.#recursive.get(type.id);
    if (name === undefined) {
      if (this.#open.every(({ id }) => !this.#recursive.has(id))) this.#known.set(type.id, schema);
      return schema;
    }
    this.defs[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  #fields(type: Type): Schema {
    // Any value.
    if (this.text(type) === '{}') return {};
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const field = this.#field(property);
      if (!field) continue;
      properties[property.name] = field.schema;
      if (field.isRequired) required.push(property.name);
    }
    const [index] = this.#checker.getIndexInfosOfType(type);
    const others = index && this.of(index.valueType);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(others && Object.keys(others).length > 0 && { additionalProperties: others }),
    };
  }

  #field(property: Property): { schema: Schema; isRequired: boolean } | undefined {
    const type = this.#checker.getTypeOfSymbol(property);
    const schema = type && this.of(type);
    if (!type || !schema) return undefined;
    const members = type.isUnionType() ? type.getTypes() : [type];
    const isRequired =
      (property.flags & SymbolFlags.Optional) === 0 &&
      members.every(({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Unknown)) === 0);
    const description = sentence(documentationOf(this.#checker, property));
    return { schema: description === '' ? schema : { ...schema, description }, isRequired };
  }

  /** The type as text, for messages. */
  text(type: Type): string {
    return this.#checker.typeToString(type);
  }
}

/** Names of types that say nothing about the object. */
const genericNames = [
  'Readonly',
  'Record',
  'Partial',
  'Pick',
  'Omit',
  'Required',
  'NonNullable',
  'Without',
  'Compact',
];

const sentence = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A value of one of the schemas. */
export function union(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  const isPlain = (schema: Schema): boolean =>
    typeof schema.type === 'string' && Object.keys(schema).length === 1;
  const literals = distinct.filter((each) => Object.hasOwn(each, 'const')).map((each) => each.const);
  const plain = distinct.filter(isPlain).map(({ type }) => type as string);
  const others = distinct
    .filter((each) => !isPlain(each) && !Object.hasOwn(each, 'const'))
    .sort((one, other) => Number(one.type === 'array') - Number(other.type === 'array'));
  if (others.some((each) => Object.keys(each).length === 0)) return {};
  const types = plain.includes('integer') ? plain.filter((type) => type !== 'number') : plain;
  const isBoolean = literals.length === 2 && literals.every((each) => typeof each === 'boolean');
  if (isBoolean) types.unshift('boolean');
  const parts: Schema[] = [
    ...(literals.length === 0 || isBoolean
      ? []
      : [literals.length === 1 ? { const: literals[0] } : { enum: literals }]),
    ...others,
  ];
  if (types.length > 0) parts.push({ type: types.length === 1 ? types[0] : types });
  return parts.length === 1 ? (parts[0] as Schema) : { anyOf: parts };
}
