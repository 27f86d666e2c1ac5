import type { Json } from '../../../wire/json.ts';
import { mapInSlices, objectInSlices } from '../../core/in-slices.ts';
import type { EngineRequest, EngineResponse } from '../engine.ts';
import { badRequest, notFound } from '../errors.ts';
import { booleanField, listField, mapField, textField } from '../fields.ts';
import { flag, list, object, required, text } from '../help/field.ts';
import type { Alias, EntityRecord, Identity } from '../model/identity.ts';
import type { Mount, Mounts } from '../model/mounts.ts';
import type { Resource } from '../resource.ts';
import { showAlias, showEntity } from '../views.ts';

/** `identity/`: entities and their aliases. */

export interface IdentityContext {
  readonly identity: Identity;
  readonly mounts: Mounts;
}

type IdentityResource = Resource<IdentityContext>;

const entityFields = {
  name: text('The name of the entity.'),
  metadata: object('Custom metadata, available in identity templates.'),
  policies: list("Policies added to those of the entity's tokens."),
  disabled: flag("Whether the entity's tokens are rejected."),
};
const aliasFields = {
  name: required(text('The name at the auth method, such as a username.')),
  mount_accessor: required(text('The accessor of the auth method.')),
  canonical_id: text('The ID of the entity (default: a new entity).'),
  custom_metadata: object('Custom metadata.'),
};

export const entity: IdentityResource = {
  summary: 'Create an entity, or update the one with the given `id`.',
  fields: { id: text('The ID of an existing entity.'), ...entityFields },
  write(context, request) {
    const id = textField(request.data, 'id');
    const name = textField(request.data, 'name');
    const existing = id ? requireEntity(context, id) : name ? context.identity.byName(name) : undefined;
    return putEntity(context, request, existing);
  },
};

export const entitiesById: IdentityResource = {
  summary: 'List the entities by ID.',
  list: async ({ identity }) =>
    listResponse(
      await mapInSlices(await identity.all(), ({ id, name, aliases }) => [
        id,
        { name, aliases: aliases.map((each) => each.id) },
      ]),
    ),
};

export const entityById: IdentityResource = {
  summary: 'Show, update or delete an entity.',
  fields: entityFields,
  read: (context, _request, id) => entityResponse(context, context.identity.entity(id)),
  write: (context, request, id) => putEntity(context, request, requireEntity(context, id)),
  delete: ({ identity }, _request, id) => deleteEntity(identity, identity.entity(id)),
};

export const entitiesByName: IdentityResource = {
  summary: 'List the entities by name.',
  list: async ({ identity }) => {
    const names = await mapInSlices(await identity.all(), ({ name }) => name);
    return { data: { keys: names.sort() } };
  },
};

export const entityByName: IdentityResource = {
  summary: 'Show, create, update or delete an entity.',
  fields: entityFields,
  read: (context, _request, name) => entityResponse(context, context.identity.byName(name)),
  write: (context, request, name) => putEntity(context, request, context.identity.byName(name), name),
  delete: ({ identity }, _request, name) => deleteEntity(identity, identity.byName(name)),
};

export const alias: IdentityResource = {
  summary: 'Create an alias of an entity, or update the one with the given `id`.',
  fields: { id: text('The ID of an existing alias.'), ...aliasFields },
  write: (context, request) => putAlias(context, request, textField(request.data, 'id')),
};

export const aliases: IdentityResource = {
  summary: 'List the aliases.',
  async list(context) {
    const findMount = mountOf(context);
    const entries = await mapInSlices(await context.identity.all(), (owner) =>
      owner.aliases.map((each) => [each.id, showAlias(owner, each, findMount)] as const),
    );
    return listResponse(entries.flat());
  },
};

export const aliasById: IdentityResource = {
  summary: 'Show, update or delete an alias.',
  fields: aliasFields,
  read(context, _request, id) {
    const { owner, existing } = findAlias(context, id);
    if (!owner || !existing) throw notFound();
    return { data: showAlias(owner, existing, mountOf(context)) };
  },
  write: putAlias,
  async delete({ identity }, _request, id) {
    const owner = identity.byAliasId(id);
    if (owner) await identity.updateAlias(owner, id, undefined);
  },
};

export const lookUp: IdentityResource = {
  summary: 'Look up an entity by its ID, its name or an alias.',
  fields: {
    id: text('The ID of the entity.'),
    name: text('The name of the entity.'),
    alias_id: text('The ID of an alias.'),
    alias_name: text('The name of an alias, with `alias_mount_accessor`.'),
    alias_mount_accessor: text('The accessor of the auth method of the alias.'),
  },
  write(context, { data }) {
    const { identity } = context;
    const [id, name, aliasId, aliasName, accessor] = [
      ...['id', 'name', 'alias_id', 'alias_name', 'alias_mount_accessor'],
    ].map((each) => textField(data, each));
    if ([id, name, aliasId, aliasName].every((each) => !each))
      throw badRequest('query parameter not supplied');
    const match = id
      ? identity.entity(id)
      : name
        ? identity.byName(name)
        : aliasId
          ? identity.byAliasId(aliasId)
          : identity.byAlias(accessor ?? '', aliasName ?? '');
    return match && entityResponse(context, match);
  },
};

async function putEntity(
  { identity }: IdentityContext,
  { data }: EngineRequest,
  existing: EntityRecord | undefined,
  name = textField(data, 'name'),
): Promise<EngineResponse | undefined> {
  const metadata = mapField(data, 'metadata');
  const policies = listField(data, 'policies')?.map((each) => each.toLowerCase());
  const disabled = booleanField(data, 'disabled');
  const fields = {
    ...(name && { name }),
    ...(metadata && { metadata }),
    ...(policies && { policies }),
    ...(disabled !== undefined && { disabled }),
  };
  if (policies?.includes('root')) throw badRequest('policies cannot contain root');
  if (existing) {
    await identity.update(existing, fields);
    return undefined;
  }
  const created = await identity.create(fields);
  return { data: { id: created.id, name: created.name, aliases: null } };
}

async function deleteEntity(identity: Identity, entity: EntityRecord | undefined): Promise<undefined> {
  if (entity) await identity.delete(entity);
}

function requireEntity({ identity }: IdentityContext, id: string): EntityRecord {
  const entity = identity.entity(id);
  if (!entity) throw badRequest('entity not found from id');
  return entity;
}

async function putAlias(
  context: IdentityContext,
  { data }: EngineRequest,
  id: string | undefined,
): Promise<EngineResponse> {
  const { identity } = context;
  const { owner, existing } = id ? findAlias(context, id) : {};
  const name = textField(data, 'name') ?? existing?.name;
  const mountAccessor = textField(data, 'mount_accessor') ?? existing?.mountAccessor;
  const customMetadata = mapField(data, 'custom_metadata') ?? existing?.customMetadata ?? {};
  if (id && !existing) throw badRequest('invalid alias ID');
  if (!name) throw badRequest("'name' must be provided");
  if (!mountAccessor) throw badRequest("'mount_accessor' must be provided");
  if (!mountOf(context)(mountAccessor)?.path.startsWith('auth/')) {
    throw badRequest(`invalid mount accessor "${mountAccessor}"`);
  }
  if (owner && existing) {
    await identity.updateAlias(owner, existing.id, { ...existing, name, mountAccessor, customMetadata });
    return { data: { id: existing.id, canonical_id: owner.id } };
  }
  const canonical = textField(data, 'canonical_id') ?? textField(data, 'entity_id');
  if (identity.byAlias(mountAccessor, name)) throw badRequest('alias is already tied to a different entity');
  const newOwner = canonical ? requireEntity(context, canonical) : await identity.create({});
  const updated = await identity.addAlias(newOwner, { name, mountAccessor, customMetadata });
  return { data: { id: updated.aliases.at(-1)?.id ?? '', canonical_id: updated.id } };
}

/** An alias and its entity. */
function findAlias({ identity }: IdentityContext, id: string): { owner?: EntityRecord; existing?: Alias } {
  const owner = identity.byAliasId(id);
  const existing = owner?.aliases.find((each) => each.id === id);
  return { ...(owner && { owner }), ...(existing && { existing }) };
}

const mountOf =
  ({ mounts }: IdentityContext) =>
  (accessor: string): Mount | undefined =>
    mounts.withAccessor(accessor);

function entityResponse(context: IdentityContext, entity: EntityRecord | undefined): EngineResponse {
  if (!entity) throw notFound();
  return { data: showEntity(entity, mountOf(context)) };
}

async function listResponse(entries: readonly (readonly [string, Json])[]): Promise<EngineResponse> {
  const keys = await mapInSlices(entries, ([key]) => key);
  return { data: { keys: keys.sort(), key_info: await objectInSlices(entries, (entry) => entry) } };
}
