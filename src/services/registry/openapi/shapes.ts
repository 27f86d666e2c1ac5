import * as s from '../../core/openapi/schema.ts';
import { type EntryKind, entryKinds, entryShapes, overridesShape } from '../config/entry.ts';
import type { ObjectShape, Shape } from '../config/shape.ts';
import { proxyShape } from '../proxy-fields.ts';

type Scalar = Extract<Shape, string>;

const integer = s.integer();
const number = s.number();
const scalars: Readonly<Record<Scalar, s.Schema>> = {
  text: s.text(),
  flag: s.boolean(),
  integer,
  unsigned: s.integer(undefined, { minimum: 0 }),
  optional: integer,
  weight: number,
  duration: s.text(),
  nanoseconds: integer,
  any: s.anyValue(),
};

/** A duration in a request. */
export const duration = (description: string): s.Schema => ({
  description: `${description}: a duration such as \`5s\`, or nanoseconds.`,
  anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }],
});

/** What a shape accepts in a request; names may also be in another case, and in snake_case. */
function inputOf(shape: Shape): s.Schema {
  if (shape === 'duration' || shape === 'nanoseconds')
    return { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] };
  if (shape === 'any') return s.anyValue();
  if (typeof shape === 'string') return s.nullable(scalars[shape]);
  if ('list' in shape) return s.nullable(s.array(inputOf(shape.list)));
  if ('map' in shape) return s.nullable(s.map(inputOf(shape.map)));
  return s.nullable(s.input(mapFields(shape.members, inputOf)));
}

/** How a shape is shown: fields that are not set are left out. */
function outputOf(shape: Shape): s.Schema {
  if (typeof shape === 'string') return scalars[shape];
  if ('list' in shape) return s.array(outputOf(shape.list));
  if ('map' in shape) return s.map(outputOf(shape.map));
  return s.object(outputFields(shape.members));
}

const outputFields = (members: ObjectShape): s.Schemas =>
  Object.fromEntries(
    Object.entries(members).map(([name, shape]) => [shape === 'weight' ? name : `${name}?`, outputOf(shape)]),
  );

const mapFields = (members: ObjectShape, schemaOf: (shape: Shape) => s.Schema): s.Schemas =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, schemaOf(shape)]));

const membersOf = (shape: Shape): ObjectShape =>
  typeof shape === 'object' && 'members' in shape ? shape.members : {};

/** The `Proxy` of a service. The catalog shows `Mode`, `MeshGateway` and `Expose` also if they are empty. */
export const proxySchemas: s.Schemas = {
  ServiceProxy: outputOf(proxyShape),
  ServiceProxyInput: inputOf(proxyShape),
};

const schemaName = (kind: EntryKind): string =>
  kind.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());

const indexes = { CreateIndex: s.integer(), ModifyIndex: s.integer() };

function entrySchemas(kind: EntryKind): s.Schemas {
  const { Kind: _kind, Name: _name, ...members } = membersOf(entryShapes[kind]);
  const constant = s.text(undefined, { const: kind });
  const fields = outputFields(members);
  return {
    [schemaName(kind)]: s.object({
      Kind: constant,
      Name: s.text(),
      ...fields,
      // Shown as null if they are not set.
      ...('Config?' in fields && { 'Config?': s.nullable(s.anyObject()) }),
      ...(fields['Routes?'] && { 'Routes?': s.nullable(fields['Routes?']) }),
      Hash: s.int64('Of the content.'),
      ...indexes,
    }),
    [`${schemaName(kind)}Input`]: s.input({
      'Kind!': constant,
      ...(kind === 'proxy-defaults' ? { Name: s.text('Default: `global`.') } : { 'Name!': s.text() }),
      ...mapFields(members, inputOf),
    }),
  };
}

const anyEntry = (suffix: string): s.Schema => ({
  oneOf: entryKinds.map((kind) => s.ref(`${schemaName(kind)}${suffix}`)),
});

export const entryComponents: s.Schemas = {
  ConfigEntry: anyEntry(''),
  ConfigEntryInput: anyEntry('Input'),
  ...Object.assign({}, ...entryKinds.map(entrySchemas)),
  ChainOverrides: s.input(mapFields(membersOf(overridesShape), inputOf), 'Overrides of a discovery chain.'),
};

/** The parts of entries that a discovery chain shows. */
export const chainParts = {
  route: outputOf({ members: routeMembers() }),
  split: outputOf({ members: splitMembers() }),
  loadBalancer: outputOf(membersOf(entryShapes['service-resolver']).LoadBalancer ?? 'any'),
  subset: outputOf(entryShapes['service-resolver'].members.Subsets.map),
  extension: outputOf(entryShapes['service-defaults'].members.EnvoyExtensions.list),
};

function routeMembers(): ObjectShape {
  return entryShapes['service-router'].members.Routes.list.members;
}

function splitMembers(): ObjectShape {
  return entryShapes['service-splitter'].members.Splits.list.members;
}
