import { isMissingQuery, isQueryNameTaken } from '../../api/conditions/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { describeAs, LanyardError, unlessNotFound } from '../../errors.ts';
import { preparedQuery } from '../../objects/prepared-query.ts';
import type { ObjectSchema, Schema } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import { memberOf } from '../../wire/objects.ts';
import { IdIndex } from '../id-index.ts';
import { asObject, type JsonObject, type Kind, type Live, type Services } from '../kind.ts';
import { normalize, withWireNames } from '../normalize.ts';
import { completeList, namesOf } from './registry-lists.ts';

// A session has its queries with it, and files have the name in metadata.
const { Name: _name, Session: _session, ...properties } = preparedQuery.properties;
const schema: ObjectSchema = { ...preparedQuery, properties };

/** Static and template queries share their names, so a file always states which of them it means. */
function canonicalSpec(spec: JsonObject): JsonObject {
  const stated = withWireNames(schema, spec);
  return { ...stated, Template: { Type: '', ...asObject(stated.Template) } };
}

/** The fields that are set: the registry rejects those of other editions and versions even if they are empty. */
const setFields = (fields: JsonObject, { properties }: ObjectSchema): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
      const property = memberOf(properties, name);
      if (property && normalize(property, value) === undefined) return [];
      return [[name, property ? setIn(value, property) : value]];
    }),
  );

/** The same in an object, and in the objects of a list. */
function setIn(value: Json, schema: Schema): Json {
  if (schema.type === 'object') return setFields(asObject(value), schema);
  return schema.type === 'list' && Array.isArray(value)
    ? value.map((item) => setIn(item, schema.items))
    : value;
}

function bodyOf(spec: JsonObject, Name: string): JsonObject {
  const { DNS, Template, ...fields } = setFields(withWireNames(schema, spec), schema);
  const { TTL, ...options } = asObject(DNS);
  const template = asObject(Template);
  return {
    ...fields,
    Name,
    // The service requires the unit.
    DNS: { ...options, TTL: TTL ? String(TTL).replace(/^\d+$/, '$&s') : '' },
    // The other fields of a template have no effect in a static query.
    ...(template.Type && { Template: template }),
  };
}

type Named = PreparedQuery & { readonly ID: string; readonly Name: string };

/** Only a session can have a query without a name that is no template. */
const isNamed = (query: PreparedQuery): query is Named =>
  Boolean(query.ID) && query.Name !== undefined && (query.Name !== '' || Boolean(query.Template?.Type));

async function listQueries(services: Services): Promise<readonly Named[]> {
  const found = await (await services.registry()).listQueries({ consistent: '' });
  return (await completeList(services, 'prepared queries', found)).filter(isNamed);
}

const queries = new IdIndex<Named>({
  list: listQueries,
  keyOf: ({ Name }) => Name.toLowerCase(),
  idOf: ({ ID }) => ID,
  async read(services, id) {
    const found = await unlessNotFound(
      (await services.registry()).readQuery({ query: id, consistent: '' }),
      isMissingQuery,
    );
    return found?.find(isNamed);
  },
});

/** @throws LanyardError forbidden: the token of the query is hidden, and a write would remove it. */
function liveOf(query: Named): Live {
  const { ID, Name, Token = '', Session, CreateIndex, ModifyIndex, RaftIndex, ...fields } = query;
  if (/^<.*>$/.test(Token))
    throw new LanyardError('forbidden', `cannot read query "${Name}": its token is hidden from your token`, {
      service: 'registry',
      hint: 'Use a management token.',
    });
  return {
    spec: { ...(fields as JsonObject), Token, ...(Session ? { Session } : {}) },
    version: String(ModifyIndex ?? RaftIndex?.ModifyIndex ?? ''),
    uid: ID,
    id: ID,
    name: Name,
  };
}

/** A prepared query of the registry (docs/protocol/queries-and-chain.md#prepared-query). */
export const registryQuery: Kind = {
  name: 'registry.query',
  service: 'registry',
  description: 'A prepared query of the service registry, static or a template.',
  scope: [],
  nameIs: 'name of the query, in any case; of the template for all names: ""',
  canonicalName: (name) => name.toLowerCase(),
  allowsEmptyName: true,
  schema,
  canonicalSpec,
  level: 5,
  guard: 're-read',
  // The registry deletes it with its session.
  isBuiltIn: (_identity, live) => live?.spec.Session !== undefined,
  label: ({ key }) => key || '(all names)',
  list: async (services) => namesOf(await listQueries(services)),
  ...queries.reads({ live: (_services, [query]) => query && liveOf(query) }),
  async create(services, { identity, name = identity.key, spec }) {
    const registry = await services.registry();
    const send = () => registry.createQuery(bodyOf(spec, name));
    await queries
      .write(services, identity, ({ body }) => body.ID, send)
      .catch(describeAs(isQueryNameTaken, 'conflict', `cannot create query "${name}": the name is in use`));
  },
  async update(services, { identity, spec, live: { id = '', name = identity.key } }) {
    const registry = await services.registry();
    const send = () => registry.updateQuery({ ...bodyOf(spec, name), query: id });
    await queries.write(services, identity, id, send);
  },
  async remove(services, identity, { id = '' }) {
    const registry = await services.registry();
    await queries.write(services, identity, id, () => registry.deleteQuery({ query: id }));
  },
};
