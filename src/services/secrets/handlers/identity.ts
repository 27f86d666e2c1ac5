import type { Json } from '../../../wire/json.ts';
import { mapInSlices, objectInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { EngineResponse } from '../engine.ts';
import { badRequest, notFound, orBadRequest } from '../errors.ts';
import type { Alias, EntityRecord, Identity } from '../model/identity.ts';
import type { Mount, Mounts } from '../model/mounts.ts';
import { type InputOf, resourcesOf } from '../resource.ts';
import { keys, nothing, orEmpty } from '../returns.ts';
import { showAlias, showEntity } from '../views.ts';

/** `identity/`: entities and their aliases. */

export interface IdentityContext {
  readonly identity: Identity;
  readonly mounts: Mounts;
}

const resource = resourcesOf<IdentityContext>();

const entitySettings = {
  name: s.string('The name of the entity.'),
  metadata: s.map(s.string(), 'Custom metadata, available in identity templates.'),
  policies: s.list(s.string(), "Policies added to the policies of the entity's tokens."),
  disabled: s.boolean("Whether the entity's tokens are rejected."),
};
const entityFields = s.partial(entitySettings);
const aliasFields = s.partial({
  name: s.string('The name at the auth method, such as a username.'),
  mount_accessor: s.string('The accessor of the auth method.'),
  canonical_id: s.string('The ID of the entity (default: a new entity).'),
  entity_id: s.string('The older name of `canonical_id`.'),
  custom_metadata: s.map(s.string(), 'Custom metadata.'),
});

const shownAlias = s.named(
  'Alias',
  s.object({
    id: s.string(),
    canonical_id: s.string('ID of the entity.'),
    mount_accessor: s.string(),
    mount_path: s.string(),
    mount_type: s.string(),
    name: s.string(),
    metadata: s.map(s.string()),
    custom_metadata: s.map(s.string()),
    creation_time: s.time(),
    last_update_time: s.time(),
    local: s.boolean(),
  }),
);
const texts = s.list(s.string());
const shownEntity = s.named(
  'Entity',
  s.object({
    id: s.string(),
    ...entitySettings,
    aliases: s.list(shownAlias),
    creation_time: s.time(),
    last_update_time: s.time(),
    direct_group_ids: texts,
    group_ids: texts,
    inherited_group_ids: texts,
    merged_entity_ids: nothing,
  }),
);
const newEntity = orEmpty(
  s.object({ id: s.string(), name: s.string(), aliases: s.nullable(s.list(shownAlias)) }),
);
const newAlias = s.object({ id: s.string(), canonical_id: s.string() });

export const entity = resource({
  summary: 'Create an entity, or update the one with the given `id`.',
  fields: { id: s.optional(s.string('The ID of an existing entity.')), ...entityFields },
  returns: { write: newEntity },
  write(context, { input }) {
    const { id, name } = input;
    const existing = id ? requireEntity(context, id) : name ? context.identity.byName(name) : undefined;
    return putEntity(context, input, existing);
  },
});

export const entitiesById = resource({
  summary: 'List the entities by ID.',
  returns: { list: keys({ key_info: s.map(s.anyObject()) }) },
  list: async ({ identity }) =>
    listResponse(
      await mapInSlices(await identity.all(), ({ id, name, aliases }) => [
        id,
        { name, aliases: aliases.map((each) => each.id) },
      ]),
    ),
});

export const entityById = resource({
  summary: 'Show, update or delete an entity.',
  fields: entityFields,
  returns: { read: shownEntity, write: newEntity },
  read: (context, _request, id) => entityResponse(context, context.identity.entity(id)),
  write: (context, { input }, id) => putEntity(context, input, requireEntity(context, id)),
  delete: ({ identity }, _request, id) => identity.delete(identity.entity(id)),
});

export const entitiesByName = resource({
  summary: 'List the entities by name.',
  list: async ({ identity }) => {
    const names = await mapInSlices(await identity.all(), ({ name }) => name);
    return { data: { keys: names.sort() } };
  },
});

export const entityByName = resource({
  summary: 'Show, create, update or delete an entity.',
  fields: entityFields,
  returns: { read: shownEntity, write: newEntity },
  read: (context, _request, name) => entityResponse(context, context.identity.byName(name)),
  write: (context, { input }, name) => putEntity(context, input, context.identity.byName(name), name),
  delete: ({ identity }, _request, name) => identity.delete(identity.byName(name)),
});

export const alias = resource({
  summary: 'Create an alias of an entity, or update the one with the given `id`.',
  fields: { id: s.optional(s.string('The ID of an existing alias.')), ...aliasFields },
  returns: { write: orEmpty(newAlias) },
  write: (context, { input }) => putAlias(context, input, input.id),
});

export const aliases = resource({
  summary: 'List the aliases.',
  returns: { list: keys({ key_info: s.map(shownAlias) }) },
  async list(context) {
    const findMount = mountOf(context);
    const entries = await mapInSlices(await context.identity.all(), (owner) =>
      owner.aliases.map((each) => [each.id, showAlias(owner, each, findMount)] as const),
    );
    return listResponse(entries.flat());
  },
});

export const aliasById = resource({
  summary: 'Show, update or delete an alias.',
  fields: aliasFields,
  returns: { read: shownAlias, write: orEmpty(newAlias) },
  read(context, _request, id) {
    const { owner, existing } = findAlias(context, id);
    if (!owner || !existing) throw notFound();
    return { data: showAlias(owner, existing, mountOf(context)) };
  },
  write: (context, { input }, id) => putAlias(context, input, id),
  async delete({ identity }, _request, id) {
    const owner = identity.byAliasId(id);
    if (owner) await identity.updateAlias(owner, id, undefined);
  },
});

export const lookUp = resource({
  summary: 'Look up an entity by its ID, its name or an alias.',
  fields: s.partial({
    id: s.string('The ID of the entity.'),
    name: s.string('The name of the entity.'),
    alias_id: s.string('The ID of an alias.'),
    alias_name: s.string('The name of an alias, with `alias_mount_accessor`.'),
    alias_mount_accessor: s.string('The accessor of the auth method of the alias.'),
  }),
  returns: { write: orEmpty(shownEntity) },
  write(context, { input }) {
    const { identity } = context;
    const { id, name, alias_id: aliasId, alias_name: aliasName, alias_mount_accessor: accessor } = input;
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
});

async function putEntity(
  { identity }: IdentityContext,
  input: InputOf<typeof entityFields>,
  existing: EntityRecord | undefined,
  name = input.name,
): Promise<EngineResponse | undefined> {
  const { metadata, disabled } = input;
  const policies = input.policies?.map((each) => each.toLowerCase());
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

const requireEntity = ({ identity }: IdentityContext, id: string): EntityRecord =>
  orBadRequest(identity.entity(id), 'entity not found from id');

async function putAlias(
  context: IdentityContext,
  input: InputOf<typeof aliasFields>,
  id: string | undefined,
): Promise<EngineResponse> {
  const { identity } = context;
  const { owner, existing } = id ? findAlias(context, id) : {};
  if (id && !existing) throw badRequest('invalid alias ID');
  const name = orBadRequest(input.name ?? existing?.name, "'name' must be provided");
  const mountAccessor = orBadRequest(
    input.mount_accessor ?? existing?.mountAccessor,
    "'mount_accessor' must be provided",
  );
  const customMetadata = input.custom_metadata ?? existing?.customMetadata ?? {};
  if (!mountOf(context)(mountAccessor)?.path.startsWith('auth/'))
    throw badRequest(`invalid mount accessor "${mountAccessor}"`);
  if (owner && existing) {
    await identity.updateAlias(owner, existing.id, { ...existing, name, mountAccessor, customMetadata });
    return { data: { id: existing.id, canonical_id: owner.id } };
  }
  const canonical = input.canonical_id ?? input.entity_id;
  if (identity.byAlias(mountAccessor, name)) throw badRequest('alias is already tied to a different entity');
  const newOwner = canonical ? requireEntity(context, canonical) : await identity.create({});
  const updated = await identity.addAlias(newOwner, { name, mountAccessor, customMetadata });
  return { data: { id: updated.aliases.at(-1)?.id ?? '', canonical_id: updated.id } };
}

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
