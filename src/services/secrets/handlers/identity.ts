import type { Json } from '../../../wire/json.ts';
import {
  type Backend,
  type CoreHandler,
  type CoreRequest,
  type CoreResponse,
  Paths,
  routedBackend,
} from '../backend.ts';
import { SecretsError } from '../engine.ts';
import { notFound } from '../errors.ts';
import { booleanField, listField, mapField, textField } from '../fields.ts';
import { flag, list, object, required, text } from '../help/field.ts';
import type { Alias, EntityRecord, Identity } from '../model/identity.ts';
import type { Mount, Mounts } from '../model/mounts.ts';

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

/** `identity/`: entities and their aliases. */
export function identityBackend(identity: Identity, mounts: Mounts): Backend {
  const mountOf = (accessor: string): Mount | undefined =>
    mounts.list().find(({ entry }) => entry.accessor === accessor);
  const showAlias = (entity: EntityRecord, alias: Alias): { readonly [name: string]: Json } => {
    const mount = mountOf(alias.mountAccessor);
    return {
      id: alias.id,
      canonical_id: entity.id,
      mount_accessor: alias.mountAccessor,
      mount_path: mount?.path ?? '',
      mount_type: mount?.entry.type ?? '',
      name: alias.name,
      metadata: { ...alias.metadata },
      custom_metadata: { ...alias.customMetadata },
      creation_time: alias.created,
      last_update_time: alias.updated,
      local: false,
    };
  };
  const entityResponse = (entity: EntityRecord | undefined): CoreResponse => {
    if (!entity) throw notFound();
    return {
      data: {
        id: entity.id,
        name: entity.name,
        metadata: { ...entity.metadata },
        policies: [...entity.policies],
        disabled: entity.disabled,
        aliases: entity.aliases.map((alias) => showAlias(entity, alias)),
        creation_time: entity.created,
        last_update_time: entity.updated,
        direct_group_ids: [],
        group_ids: [],
        inherited_group_ids: [],
        merged_entity_ids: null,
      },
    };
  };

  const putEntity = async (
    { data }: CoreRequest,
    existingEntity: EntityRecord | undefined,
    name = textField(data, 'name'),
  ): Promise<CoreResponse | undefined> => {
    const [metadata, policies, disabled] = [
      mapField(data, 'metadata'),
      listField(data, 'policies'),
      booleanField(data, 'disabled'),
    ];
    const fields = {
      ...(name && { name }),
      ...(metadata && { metadata }),
      ...(policies && { policies: policies.map((each) => each.toLowerCase()) }),
      ...(disabled !== undefined && { disabled }),
    };
    if (fields.policies?.includes('root')) throw new SecretsError(400, 'policies cannot contain root');
    if (existingEntity) {
      await identity.update(existingEntity, fields);
      return undefined;
    }
    const created = await identity.create(fields);
    return { data: { id: created.id, name: created.name, aliases: null } };
  };
  const existingEntity = (id: string): EntityRecord => {
    const entity = identity.entity(id);
    if (!entity) throw new SecretsError(400, 'entity not found from id');
    return entity;
  };
  const remove = async (entity: EntityRecord | undefined): Promise<undefined> => {
    if (entity) await identity.delete(entity);
  };

  const putAlias: CoreHandler = async ({ data }, { id = textField(data, 'id') }) => {
    const entity = id ? identity.byAliasId(id) : undefined;
    const alias = entity?.aliases.find((each) => each.id === id);
    const name = textField(data, 'name') ?? alias?.name;
    const mountAccessor = textField(data, 'mount_accessor') ?? alias?.mountAccessor;
    const customMetadata = mapField(data, 'custom_metadata') ?? alias?.customMetadata ?? {};
    if (id && !alias) throw new SecretsError(400, 'invalid alias ID');
    if (!name) throw new SecretsError(400, "'name' must be provided");
    if (!mountAccessor) throw new SecretsError(400, "'mount_accessor' must be provided");
    if (!mountOf(mountAccessor)?.path.startsWith('auth/')) {
      throw new SecretsError(400, `invalid mount accessor "${mountAccessor}"`);
    }
    if (entity && alias) {
      await identity.updateAlias(entity, alias.id, { ...alias, name, mountAccessor, customMetadata });
      return { data: { id: alias.id, canonical_id: entity.id } };
    }
    const canonical = textField(data, 'canonical_id') ?? textField(data, 'entity_id');
    if (identity.byAlias(mountAccessor, name))
      throw new SecretsError(400, 'alias is already tied to a different entity');
    const owner = canonical ? existingEntity(canonical) : await identity.create({});
    const updated = await identity.addAlias(owner, { name, mountAccessor, customMetadata });
    return { data: { id: updated.aliases.at(-1)?.id ?? '', canonical_id: updated.id } };
  };

  const lookup: CoreHandler = ({ data }) => {
    const [id, name, aliasId] = ['id', 'name', 'alias_id'].map((each) => textField(data, each));
    const [aliasName, accessor] = ['alias_name', 'alias_mount_accessor'].map((each) => textField(data, each));
    const match = id
      ? identity.entity(id)
      : name
        ? identity.byName(name)
        : aliasId
          ? identity.byAliasId(aliasId)
          : identity.byAlias(accessor ?? '', aliasName ?? '');
    return match && entityResponse(match);
  };

  const paths = new Paths()
    .on(
      'entity',
      'Create an entity, or update the one with the given `id`.',
      {
        update(request) {
          const id = textField(request.data, 'id');
          const name = textField(request.data, 'name');
          return putEntity(request, id ? existingEntity(id) : name ? identity.byName(name) : undefined);
        },
      },
      { id: text('The ID of an existing entity.'), ...entityFields },
    )
    .on('entity/id', 'List the entities by ID.', {
      list: () =>
        listResponse(
          identity
            .all()
            .map(({ id, name, aliases }) => [id, { name, aliases: aliases.map((alias) => alias.id) }]),
        ),
    })
    .on(
      'entity/id/:id',
      'Show, update or delete an entity.',
      {
        read: (_request, { id = '' }) => entityResponse(identity.entity(id)),
        update: (request, { id = '' }) => putEntity(request, existingEntity(id)),
        delete: (_request, { id = '' }) => remove(identity.entity(id)),
      },
      entityFields,
    )
    .on('entity/name', 'List the entities by name.', {
      list: () => listResponse(identity.all().map(({ name, id }) => [name, { id }])),
    })
    .on(
      'entity/name/:name',
      'Show, create, update or delete an entity.',
      {
        read: (_request, { name = '' }) => entityResponse(identity.byName(name)),
        update: (request, { name = '' }) => putEntity(request, identity.byName(name), name),
        delete: (_request, { name = '' }) => remove(identity.byName(name)),
      },
      entityFields,
    )
    .on(
      'entity-alias',
      'Create an alias of an entity, or update the one with the given `id`.',
      { update: putAlias },
      aliasFields,
    )
    .on('entity-alias/id', 'List the aliases.', {
      list: () =>
        listResponse(
          identity
            .all()
            .flatMap((entity) =>
              entity.aliases.map((alias): [string, Json] => [alias.id, showAlias(entity, alias)]),
            ),
        ),
    })
    .on(
      'entity-alias/id/:id',
      'Show, update or delete an alias.',
      {
        read(_request, { id = '' }) {
          const entity = identity.byAliasId(id);
          const alias = entity?.aliases.find((each) => each.id === id);
          if (!entity || !alias) throw notFound();
          return { data: showAlias(entity, alias) };
        },
        update: putAlias,
        async delete(_request, { id = '' }) {
          const entity = identity.byAliasId(id);
          if (entity) await identity.updateAlias(entity, id, undefined);
          return undefined;
        },
      },
      aliasFields,
    )
    .on(
      'lookup/entity',
      'Look up an entity by its ID, its name or an alias.',
      { update: lookup },
      {
        id: text('The ID of the entity.'),
        name: text('The name of the entity.'),
        alias_id: text('The ID of an alias.'),
        alias_name: text('The name of an alias, with `alias_mount_accessor`.'),
        alias_mount_accessor: text('The accessor of the auth method of the alias.'),
      },
    );
  return routedBackend('identity', paths);
}

function listResponse(entries: readonly (readonly [string, Json])[]): CoreResponse {
  return { data: { keys: entries.map(([key]) => key).sort(), key_info: Object.fromEntries(entries) } };
}
