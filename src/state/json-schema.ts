import { field, type ObjectSchema, type Schema } from '../objects/schema.ts';
import type { Json, JsonSchema } from '../wire/json.ts';
import { compact } from '../wire/objects.ts';
import { holdsSecret } from './compare.ts';
import { apiVersion } from './documents.ts';
import type { JsonObject, Kind } from './kind.ts';
import { metadataSchema } from './metadata.ts';
import { foldName } from './normalize.ts';
import { referencePattern, valuePattern } from './references.ts';
import { setMetadataSchema, setSchema } from './set.ts';
import { acceptsNumbers } from './validate.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const referenceForm = (description: string, pattern: string): Json => ({
  description,
  type: 'object',
  properties: { valueFrom: { type: 'string', pattern } },
  required: ['valueFrom'],
  additionalProperties: false,
});
const reference = referenceForm('A value from another source.', referencePattern);
const toReference: Json = { $ref: '#/$defs/reference' };
const value = referenceForm('A value of the set: spec.values of the document of kind Set.', valuePattern);
const toValue: Json = { $ref: '#/$defs/value' };
const anyReference: Json = {
  type: 'object',
  properties: { valueFrom: { type: 'string' } },
  required: ['valueFrom'],
  maxProperties: 1,
};

/** JSON Schema (draft 2020-12) of the documents of these kinds, and of the document of kind Set. */
export function stateSchema(kinds: readonly Kind[]): JsonSchema {
  const schemas: readonly (readonly [string, Json])[] = [
    ['Set', setDocument()],
    ...kinds.map((kind) => [kind.name, kindDocument(kind)] as const),
  ];
  return {
    $schema: dialect,
    title: 'Lanyard state in files',
    type: 'object',
    properties: { apiVersion: { const: apiVersion }, kind: { enum: schemas.map(([name]) => name) } },
    required: ['apiVersion', 'kind'],
    allOf: schemas.map(([name]) => ({
      if: { properties: { kind: { const: name } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { $ref: `#/$defs/${name}` },
    })),
    $defs: { ...sharedDefinitions(), ...Object.fromEntries(schemas) },
  };
}

/** JSON Schema of the documents of one kind; undefined: of kind Set. */
export const kindSchema = (kind: Kind | undefined): JsonSchema => ({
  $schema: dialect,
  ...(kind ? kindDocument(kind) : setDocument()),
  $defs: sharedDefinitions(),
});

function kindDocument(kind: Kind): JsonObject {
  const metadata = metadataSchema(kind);
  const secrets = holdsSecret(kind.schema) ? referencesOnly(kind.schema) : undefined;
  const { required = [] } = kind.schema;
  const conditions: Json[] = [];
  if (required.length > 0)
    conditions.push({
      if: { anyOf: [...isNotStated, isUndo, statesMetadata('values', 'unmanaged')] },
      else: { properties: { spec: requirement(kind.schema) }, required: ['spec'] },
    });
  if (secrets !== undefined)
    conditions.push({
      if: {
        anyOf: [...isNotStated, statesMetadata('allowLiteral', true), statesMetadata('sensitive', false)],
      },
      else: { properties: { spec: secrets } },
    });
  return {
    title: kind.name,
    description: kind.description,
    type: 'object',
    properties: {
      apiVersion: { const: apiVersion },
      kind: { const: kind.name },
      metadata: metadataForm(metadata),
      spec: objectForm({ ...kind.schema, required: [] }),
    },
    required: ['apiVersion', 'kind', ...((metadata.required?.length ?? 0) > 0 ? ['metadata'] : [])],
    additionalProperties: false,
    ...(conditions.length === 0 ? {} : { allOf: conditions }),
  };
}

/** `metadata` of an object: only values of the set are resolved there. */
function metadataForm({ properties, required = [] }: ObjectSchema): JsonObject {
  const forms = Object.entries(properties).map(([name, schema]): [string, Json] => {
    const none: readonly Json[] = required.includes(name) ? [] : ['null'];
    if (schema.type === 'object' || schema.type === 'map' || schema.type === 'any')
      return [name, form(schema)];
    return [name, { ...annotations(schema), anyOf: [valueForm(schema, none), toValue] }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(forms),
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}

const setDocument = (): JsonObject => ({
  title: 'Set',
  description: 'The objects that belong together: exactly one document of kind Set per plan and apply.',
  type: 'object',
  properties: {
    apiVersion: { const: apiVersion },
    kind: { const: 'Set' },
    metadata: objectForm(setMetadataSchema),
    spec: objectForm(setSchema),
  },
  required: ['apiVersion', 'kind', 'metadata'],
  additionalProperties: false,
});

const statesMetadata = (name: string, value: Json): JsonObject => ({
  properties: { metadata: { properties: { [name]: { const: value } }, required: [name] } },
  required: ['metadata'],
});

/** Documents whose `spec` is not checked. */
const isUndo: Json = { properties: { metadata: { required: ['undo'] } }, required: ['metadata'] };

const isNotStated = [statesMetadata('ensure', 'absent'), statesMetadata('ensure', 'omitted')];

/** Keywords that have a value. */
const present = (keywords: Readonly<Record<string, Json | undefined>>): JsonObject =>
  compact(keywords) as JsonObject;

const annotations = ({ description, default: usual }: Schema): JsonObject =>
  present({ description, default: usual });

/** Every value may be null, which is the same as a missing field, unless the field is required. */
function form(schema: Schema, isRequired = false): JsonObject {
  if (schema.type === 'object' || schema.type === 'map') {
    const found = schema.type === 'object' ? objectForm(schema) : mapForm(schema);
    return { anyOf: [isRequired ? found : { ...found, type: ['object', 'null'] }, toValue] };
  }
  const none: readonly Json[] = isRequired ? [] : ['null'];
  if (schema.type === 'any')
    return {
      ...annotations(schema),
      if: anyReference,
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: toReference,
      ...(isRequired ? { not: { type: 'null' } } : {}),
    };
  const value = valueForm(schema, none);
  const text = JSON.stringify(value);
  const shared = Object.entries(sharedForms()).find(([, each]) => JSON.stringify(each) === text);
  if (shared) return { ...annotations(schema), $ref: `#/$defs/${shared[0]}` };
  return { ...annotations(schema), anyOf: [value, toReference] };
}

/** The most frequent forms, which are in the schema once. */
const sharedForms = (): Readonly<Record<string, JsonObject>> => ({
  text: valueForm(field.string(), ['null']),
  boolean: valueForm(field.boolean(), ['null']),
  integer: valueForm(field.integer(), ['null']),
  duration: valueForm(field.duration('text'), ['null']),
});

const sharedDefinitions = (): JsonObject => ({
  reference,
  value,
  ...Object.fromEntries(
    Object.entries(sharedForms()).map(([name, each]) => [name, { anyOf: [each, toReference] }]),
  ),
});

type ValueSchema = Exclude<Schema, { type: 'object' | 'map' | 'any' }>;

const durationPattern = '^\\s*(-?\\d+(\\.\\d+)?|-?(\\d+(\\.\\d+)?(ns|us|µs|ms|s|m|h))+)?\\s*$';

function valueForm(schema: ValueSchema, none: readonly Json[]): JsonObject {
  switch (schema.type) {
    case 'string': {
      const { enum: choices, pattern, minLength, maxLength } = schema;
      if (choices) return { enum: [...choices, ...(none.length > 0 ? [null] : [])] };
      return {
        type: ['string', ...(acceptsNumbers(schema) ? ['integer'] : []), ...none],
        ...present({ pattern: pattern?.source, minLength, maxLength }),
      };
    }
    case 'duration':
      return { type: ['string', 'number', ...none], pattern: durationPattern };
    case 'boolean':
      return { type: ['boolean', ...none] };
    case 'list':
      return {
        type: ['array', ...(schema.isCommaSeparated ? ['string', 'number'] : []), ...none],
        items: form(schema.items),
      };
    default: {
      const { minimum, maximum } = schema;
      const limits = present({ minimum, maximum });
      return schema.type === 'integer'
        ? { type: ['integer', 'string', ...none], pattern: '^-?\\d+$', ...limits }
        : { type: ['number', ...none], ...limits };
    }
  }
}

const mapForm = (schema: Extract<Schema, { type: 'map' }>): JsonObject => ({
  ...annotations(schema),
  type: 'object',
  additionalProperties: form(schema.values),
  ...present({ maxProperties: schema.maxProperties }),
});

function objectForm(schema: ObjectSchema): JsonObject {
  const { properties, required = [], isOpen = false } = schema;
  const forms = Object.entries(properties).map(
    ([name, property]) => [name, form(property, required.includes(name))] as const,
  );
  return {
    ...annotations(schema),
    type: 'object',
    ...memberForms(schema, forms),
    ...objectRequirement(schema),
    additionalProperties: isOpen,
  };
}

/** The forms of named fields; with `foldsNames` also under their other spellings. */
function memberForms(
  { foldsNames }: ObjectSchema,
  forms: readonly (readonly [string, JsonObject])[],
): JsonObject {
  if (!foldsNames) return { properties: Object.fromEntries(forms) };
  return {
    // The patterns match these names too: they are listed for editors.
    properties: Object.fromEntries(
      forms.map(([name, { description }]) => [name, description === undefined ? true : { description }]),
    ),
    patternProperties: Object.fromEntries(forms.map(([name, each]) => [spellings(name), each])),
  };
}

/** A pattern of the names that differ from a name in case and underscores only. */
const spellings = (name: string): string =>
  `^_*${[...foldName(name)]
    .map((letter) =>
      letter === letter.toUpperCase() ? escapeLetter(letter) : `[${letter}${letter.toUpperCase()}]`,
    )
    .join('_*')}_*$`;

const escapeLetter = (letter: string): string => (/\w/.test(letter) ? letter : `\\${letter}`);

/** The required fields; with `foldsNames` under any spelling. */
function requirement(schema: ObjectSchema): JsonObject {
  const { required = [], foldsNames } = schema;
  const stated = memberForms(
    schema,
    required.map((name) => [name, { not: { type: 'null' } }] as const),
  );
  if (!foldsNames) return { ...stated, required: [...required] };
  return {
    ...stated,
    allOf: required.map((name) => ({
      not: { type: 'object', propertyNames: { not: { pattern: spellings(name) } } },
    })),
  };
}

/** As `requirement`, for an object whose required fields do not accept null. */
function objectRequirement(schema: ObjectSchema): JsonObject {
  const { required = [], foldsNames } = schema;
  if (required.length === 0) return {};
  return foldsNames ? { allOf: [requirement(schema)] } : { required: [...required] };
}

/** What secrets are in a document that may not contain their values: references; undefined: there are none. */
function referencesOnly(schema: Schema): JsonObject | undefined {
  if (schema.isSecret)
    return schema.type === 'object' || schema.type === 'map'
      ? { type: 'null' }
      : { anyOf: [toReference, { type: 'null' }] };
  if (schema.type === 'list')
    return holdsSecret(schema) ? { items: referencesOnly(schema.items) ?? {} } : undefined;
  if (schema.type === 'map')
    return holdsSecret(schema) ? { additionalProperties: referencesOnly(schema.values) ?? {} } : undefined;
  if (schema.type !== 'object') return undefined;
  const forms = Object.entries(schema.properties).flatMap(([name, property]) => {
    const found = referencesOnly(property);
    return found ? [[name, found] as const] : [];
  });
  return forms.length === 0 ? undefined : memberForms(schema, forms);
}
