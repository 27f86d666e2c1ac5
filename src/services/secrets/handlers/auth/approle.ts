import type { Json } from '../../../../wire/json.ts';
import { readTokenParams, showTokenParams, tokenParamFields } from '../../auth/token-params.ts';
import { type Backend, type CoreHandler, Paths, routedBackend, type TokenParams } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { notFound } from '../../errors.ts';
import { booleanField, durationField, integerField, textField } from '../../fields.ts';
import { duration, flag, integer, object, required, text } from '../../help/field.ts';
import type { AuthMethodParts } from '../../model/mounts.ts';
import { type SecretId, SecretIds } from '../../model/secret-ids.ts';
import { uuidOf } from '../../uuid-of.ts';

interface AppRole {
  readonly roleId: string;
  /** Whether a login requires a secret ID besides the role ID. */
  readonly bindSecretId: boolean;
  /** Of new secret IDs: number of uses (0: unlimited), and time to live in seconds (0: unlimited). */
  readonly secretIdUses: number;
  readonly secretIdTtl: number;
  readonly terms: TokenParams;
}

const roleFields = {
  bind_secret_id: flag('Whether a login requires a secret ID (default true).'),
  secret_id_num_uses: integer('Number of uses of a secret ID; 0: unlimited.'),
  secret_id_ttl: duration('Time to live of a secret ID; 0: unlimited.'),
  role_id: text('The role ID (default: generated).'),
  ...tokenParamFields,
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
export function approle({ storage, random, clock }: AuthMethodParts): Backend {
  const secretIds = new SecretIds({ storage: storage.withPrefix('secret/'), random, clock });
  const role = (name: string): AppRole | undefined =>
    storage.get(`role/${name.toLowerCase()}`) as unknown as AppRole | undefined;
  const requireRole = (name: string): AppRole => {
    const existing = role(name);
    if (!existing) throw notFound();
    return existing;
  };
  const putRole = async (name: string, value: AppRole) => {
    const owner = storage.get(`role-id/${value.roleId}`);
    if (owner !== undefined && owner !== name.toLowerCase()) {
      throw new SecretsError(400, 'role_id already in use');
    }
    const current = role(name);
    await storage.write([
      ...(current && current.roleId !== value.roleId ? [{ key: `role-id/${current.roleId}` }] : []),
      { key: `role/${name.toLowerCase()}`, value: { ...value } as unknown as Json },
      { key: `role-id/${value.roleId}`, value: name.toLowerCase() },
    ]);
  };

  const issue: (isCustom: boolean) => CoreHandler =
    (isCustom) =>
    async ({ data }, { name = '' }) => {
      const { secretIdUses, secretIdTtl, bindSecretId } = requireRole(name);
      const secretId = isCustom ? textField(data, 'secret_id') : uuidOf(random(16));
      if (!secretId) throw new SecretsError(400, 'missing secret_id');
      if (!bindSecretId) throw new SecretsError(400, 'bind_secret_id is not set on the role');
      const uses = integerField(data, 'num_uses') ?? secretIdUses;
      if (uses < 0) throw new SecretsError(400, 'num_uses cannot be negative');
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
      requireRole(name);
      const existing = find(data, name.toLowerCase());
      if (!existing) throw notFound();
      return { data: secretIds.show(existing) };
    };
  const destroy =
    (find: Find): CoreHandler =>
    async ({ data }, { name = '' }) => {
      requireRole(name);
      const existing = find(data, name.toLowerCase());
      if (existing) await secretIds.remove([existing]);
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
        read: (_request, { name = '' }) => ({ data: showRole(requireRole(name)) }),
        async update({ data }, { name = '' }) {
          const current = role(name);
          const uses = integerField(data, 'secret_id_num_uses') ?? current?.secretIdUses ?? 0;
          if (uses < 0) throw new SecretsError(400, 'secret_id_num_uses cannot be negative');
          await putRole(name, {
            roleId: textField(data, 'role_id') || current?.roleId || uuidOf(random(16)),
            bindSecretId: booleanField(data, 'bind_secret_id') ?? current?.bindSecretId ?? true,
            secretIdUses: uses,
            secretIdTtl: durationField(data, 'secret_id_ttl') ?? current?.secretIdTtl ?? 0,
            terms: readTokenParams(data, current?.terms),
          });
          return undefined;
        },
        async delete(_request, { name = '' }) {
          const current = role(name);
          if (!current) return undefined;
          await storage.write([{ key: `role/${name.toLowerCase()}` }, { key: `role-id/${current.roleId}` }]);
          await secretIds.remove(secretIds.forRole(name.toLowerCase()));
          return undefined;
        },
      },
      roleFields,
    )
    .on(
      'role/:name/role-id',
      'Show or set the role ID.',
      {
        read: (_request, { name = '' }) => ({ data: { role_id: requireRole(name).roleId } }),
        async update({ data }, { name = '' }) {
          const roleId = textField(data, 'role_id');
          if (!roleId) throw new SecretsError(400, 'missing role_id');
          await putRole(name, { ...requireRole(name), roleId });
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
          requireRole(name);
          return { data: { keys: secretIds.forRole(name.toLowerCase()).map(({ accessor }) => accessor) } };
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
          if (!roleId) throw new SecretsError(400, 'missing role_id');
          const name = storage.get(`role-id/${roleId}`);
          const existing = typeof name === 'string' ? role(name) : undefined;
          const loginError = new SecretsError(400, 'invalid role or secret ID');
          if (typeof name !== 'string' || !existing) throw loginError;
          let metadata: Readonly<Record<string, string>> = { role_name: name };
          if (existing.bindSecretId) {
            const secretId = textField(data, 'secret_id');
            if (!secretId) throw new SecretsError(400, 'missing secret_id');
            const used = await secretIds.use(name, secretId);
            if (!used) throw loginError;
            metadata = { ...used.metadata, ...metadata };
          }
          return {
            login: {
              displayName: '',
              metadata,
              alias: { name: roleId, metadata: { role_name: name } },
              token: existing.terms,
            },
          };
        },
      },
      { role_id: required(text('The role ID.')), secret_id: text('A secret ID of the role.') },
    );
  return routedBackend('approle', paths, [{ operation: 'update', path: 'login' }]);
}

function showRole(role: AppRole): Readonly<Record<string, Json>> {
  return {
    bind_secret_id: role.bindSecretId,
    secret_id_num_uses: role.secretIdUses,
    secret_id_ttl: role.secretIdTtl,
    secret_id_bound_cidrs: null,
    local_secret_ids: false,
    ...showTokenParams(role.terms),
  };
}
