import type { Json } from '../../../wire/json.ts';
import { type Backend, type CoreHandler, Paths, routedBackend, type TokenTerms } from '../backend.ts';
import { Refusal } from '../engine.ts';
import { booleanField, durationField, integerField, textField } from '../fields.ts';
import { duration, flag, integer, object, required, text } from '../help/field.ts';
import type { MethodParts } from '../mounts.ts';
import { nothing } from '../refusals.ts';
import { uuidOf } from '../uuid.ts';
import { type SecretId, SecretIds } from './secret-ids.ts';
import { readTerms, showTerms, termFields } from './terms.ts';

interface AppRole {
  readonly roleId: string;
  /** Whether a login requires a secret ID besides the role ID. */
  readonly bindSecretId: boolean;
  /** Of new secret IDs: number of uses (0: unlimited), and time to live in seconds (0: unlimited). */
  readonly secretIdUses: number;
  readonly secretIdTtl: number;
  readonly terms: TokenTerms;
}

const roleFields = {
  bind_secret_id: flag('Whether a login requires a secret ID (default true).'),
  secret_id_num_uses: integer('Number of uses of a secret ID; 0: unlimited.'),
  secret_id_ttl: duration('Time to live of a secret ID; 0: unlimited.'),
  role_id: text('The role ID (default: generated).'),
  ...termFields,
};
const secretIdField = { secret_id: required(text('The secret ID.')) };
const accessorField = { secret_id_accessor: required(text('The accessor of the secret ID.')) };
const newSecretIdFields = {
  metadata: object('Metadata of the tokens.'),
  ttl: duration('Time to live of the secret ID.'),
  num_uses: integer('Number of uses of the secret ID.'),
};

/**
 * The auth method `approle`: machine logins with a role ID and secret IDs (docs/protocol/secrets.md#logins).
 */
export function approle({ storage, random, clock }: MethodParts): Backend {
  const secretIds = new SecretIds({ storage: storage.below('secret/'), random, clock });
  const role = (name: string): AppRole | undefined =>
    storage.get(`role/${name.toLowerCase()}`) as unknown as AppRole | undefined;
  const known = (name: string): AppRole => {
    const found = role(name);
    if (!found) throw nothing();
    return found;
  };
  const put = async (name: string, value: AppRole) => {
    const owner = storage.get(`role-id/${value.roleId}`);
    if (owner !== undefined && owner !== name.toLowerCase()) {
      throw new Refusal(400, 'role_id already in use');
    }
    const before = role(name);
    await storage.write([
      ...(before && before.roleId !== value.roleId ? [{ key: `role-id/${before.roleId}` }] : []),
      { key: `role/${name.toLowerCase()}`, value: { ...value } as unknown as Json },
      { key: `role-id/${value.roleId}`, value: name.toLowerCase() },
    ]);
  };

  const issue: (chosen: boolean) => CoreHandler =
    (chosen) =>
    async ({ data }, { name = '' }) => {
      const { secretIdUses, secretIdTtl, bindSecretId } = known(name);
      const secretId = chosen ? textField(data, 'secret_id') : uuidOf(random(16));
      if (!secretId) throw new Refusal(400, 'missing secret_id');
      if (!bindSecretId) throw new Refusal(400, 'bind_secret_id is not set on the role');
      const uses = integerField(data, 'num_uses') ?? secretIdUses;
      if (uses < 0) throw new Refusal(400, 'num_uses cannot be negative');
      const ttl = durationField(data, 'ttl') ?? secretIdTtl;
      const metadata = secretIds.metadataOf(data);
      const { accessor } = await secretIds.create(name.toLowerCase(), secretId, { uses, ttl, metadata });
      return {
        data: {
          secret_id: secretId,
          secret_id_accessor: accessor,
          secret_id_num_uses: uses,
          secret_id_ttl: ttl,
        },
      };
    };
  type Find = (data: Readonly<Record<string, Json>>, role: string) => SecretId | undefined;
  const bySecretId: Find = (data, name) => secretIds.find(name, textField(data, 'secret_id') ?? '');
  const byAccessor: Find = (data, name) =>
    secretIds.byAccessor(name, textField(data, 'secret_id_accessor') ?? '');
  const lookup =
    (find: Find): CoreHandler =>
    ({ data }, { name = '' }) => {
      known(name);
      const found = find(data, name.toLowerCase());
      if (!found) throw nothing();
      return { data: secretIds.shown(found) };
    };
  const destroy =
    (find: Find): CoreHandler =>
    async ({ data }, { name = '' }) => {
      known(name);
      const found = find(data, name.toLowerCase());
      if (found) await secretIds.remove([found]);
      return undefined;
    };

  const paths = new Paths()
    .on('role', 'List the roles.', {
      list: () => ({ data: { keys: storage.keys('role/').map((key) => key.slice('role/'.length)) } }),
    })
    .on(
      'role/:name',
      'Show, write or delete a role.',
      {
        read: (_request, { name = '' }) => ({ data: shown(known(name)) }),
        async update({ data }, { name = '' }) {
          const before = role(name);
          const uses = integerField(data, 'secret_id_num_uses') ?? before?.secretIdUses ?? 0;
          if (uses < 0) throw new Refusal(400, 'secret_id_num_uses cannot be negative');
          await put(name, {
            roleId: textField(data, 'role_id') || before?.roleId || uuidOf(random(16)),
            bindSecretId: booleanField(data, 'bind_secret_id') ?? before?.bindSecretId ?? true,
            secretIdUses: uses,
            secretIdTtl: durationField(data, 'secret_id_ttl') ?? before?.secretIdTtl ?? 0,
            terms: readTerms(data, before?.terms),
          });
          return undefined;
        },
        async delete(_request, { name = '' }) {
          const before = role(name);
          if (!before) return undefined;
          await storage.write([{ key: `role/${name.toLowerCase()}` }, { key: `role-id/${before.roleId}` }]);
          await secretIds.remove(secretIds.of(name.toLowerCase()));
          return undefined;
        },
      },
      roleFields,
    )
    .on(
      'role/:name/role-id',
      'Show or set the role ID.',
      {
        read: (_request, { name = '' }) => ({ data: { role_id: known(name).roleId } }),
        async update({ data }, { name = '' }) {
          const roleId = textField(data, 'role_id');
          if (!roleId) throw new Refusal(400, 'missing role_id');
          await put(name, { ...known(name), roleId });
          return undefined;
        },
      },
      { role_id: required(text('The role ID.')) },
    )
    .on(
      'role/:name/secret-id',
      'Generate a secret ID, or list the accessors of existing ones.',
      {
        update: issue(false),
        list(_request, { name = '' }) {
          known(name);
          return { data: { keys: secretIds.of(name.toLowerCase()).map(({ accessor }) => accessor) } };
        },
      },
      newSecretIdFields,
    )
    .on(
      'role/:name/custom-secret-id',
      'Create a custom secret ID.',
      { update: issue(true) },
      { ...secretIdField, ...newSecretIdFields },
    )
    .on('role/:name/secret-id/lookup', 'Show a secret ID.', { update: lookup(bySecretId) }, secretIdField)
    .on('role/:name/secret-id/destroy', 'Delete a secret ID.', { update: destroy(bySecretId) }, secretIdField)
    .on(
      'role/:name/secret-id-accessor/lookup',
      'Show the secret ID of an accessor.',
      { update: lookup(byAccessor) },
      accessorField,
    )
    .on(
      'role/:name/secret-id-accessor/destroy',
      'Delete the secret ID of an accessor.',
      { update: destroy(byAccessor) },
      accessorField,
    )
    .on(
      'login',
      'Log in with a role ID and a secret ID.',
      {
        async update({ data }) {
          const roleId = textField(data, 'role_id');
          if (!roleId) throw new Refusal(400, 'missing role_id');
          const name = storage.get(`role-id/${roleId}`);
          const found = typeof name === 'string' ? role(name) : undefined;
          const refused = new Refusal(400, 'invalid role or secret ID');
          if (typeof name !== 'string' || !found) throw refused;
          let metadata: Readonly<Record<string, string>> = { role_name: name };
          if (found.bindSecretId) {
            const secretId = textField(data, 'secret_id');
            if (!secretId) throw new Refusal(400, 'missing secret_id');
            const used = await secretIds.use(name, secretId);
            if (!used) throw refused;
            metadata = { ...used.metadata, ...metadata };
          }
          return {
            login: {
              displayName: '',
              metadata,
              alias: { name: roleId, metadata: { role_name: name } },
              token: found.terms,
            },
          };
        },
      },
      { role_id: required(text('The role ID.')), secret_id: text('A secret ID of the role.') },
    );
  return routedBackend('approle', paths, [{ operation: 'update', path: 'login' }]);
}

function shown(role: AppRole): Readonly<Record<string, Json>> {
  return {
    bind_secret_id: role.bindSecretId,
    secret_id_num_uses: role.secretIdUses,
    secret_id_ttl: role.secretIdTtl,
    secret_id_bound_cidrs: null,
    local_secret_ids: false,
    ...showTerms(role.terms),
  };
}
