import { type Json, parseJson } from '../../../../wire/json.ts';
import { mapInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import { uuid } from '../../../core/uuid.ts';
import { readTokenParams, tokenParamFields } from '../../auth/token-params.ts';
import { type EngineRequest, type EngineResponse, SecretsError } from '../../engine.ts';
import { badRequest, notFound } from '../../errors.ts';
import { booleanField, durationField, integerField, mapField, textField } from '../../fields.ts';
import { duration, flag, integer, list, required, text } from '../../help/field.ts';
import type { AppRole, AppRoles } from '../../model/app-roles.ts';
import { checkCidrSubset, isBound, readCidrBlocks, withoutFullWidth } from '../../model/bound-cidrs.ts';
import type { SecretId } from '../../model/secret-ids.ts';
import { pageFields, pageOf } from '../../page.ts';
import { type Resource, resourcesOf } from '../../resource.ts';
import { showAppRole, showSecretId } from '../../views.ts';

/**
 * The auth method `approle`: machine logins with a role ID and secret IDs (docs/protocol/secrets.md#logins).
 */

const secretIdField = { secret_id: required(text('The secret ID.')) };
const newSecretIdFields = {
  metadata: s.json('Metadata of the tokens: an object, or its JSON text.'),
  ttl: duration('Time to live of the secret ID.'),
  num_uses: integer('Number of uses of the secret ID.'),
  cidr_list: list('CIDR blocks that may log in with the secret ID.'),
  token_bound_cidrs: list('CIDR blocks that may use the tokens.'),
};

const resource = resourcesOf<AppRoles>();

export const roles = resource({
  summary: 'List the roles.',
  query: pageFields,
  list: (appRoles, { input }) => ({ data: { keys: pageOf(appRoles.names(), input) } }),
});

export const role: Resource<AppRoles> = {
  summary: 'Show, write or delete a role.',
  fields: {
    bind_secret_id: flag('Whether a login requires a secret ID (default true).'),
    secret_id_num_uses: integer('Number of uses of a secret ID; 0: unlimited.'),
    secret_id_ttl: duration('Time to live of a secret ID; 0: unlimited.'),
    secret_id_bound_cidrs: list('CIDR blocks that may log in.'),
    bound_cidr_list: list('The older name of `secret_id_bound_cidrs`.'),
    role_id: text('The role ID (default: generated).'),
    ...tokenParamFields,
  },
  read: (appRoles, _request, name) => ({ data: showAppRole(requireRole(appRoles, name)) }),
  async write(appRoles, { data }, name) {
    const current = appRoles.get(name);
    const uses = integerField(data, 'secret_id_num_uses') ?? current?.secretIdUses ?? 0;
    if (uses < 0) throw badRequest('secret_id_num_uses cannot be negative');
    const bindSecretId = booleanField(data, 'bind_secret_id') ?? current?.bindSecretId ?? true;
    const cidrs =
      readCidrBlocks(data, 'secret_id_bound_cidrs') ??
      readCidrBlocks(data, 'bound_cidr_list') ??
      current?.secretIdBoundCidrs;
    const terms = readTokenParams(data, current?.terms, ['policies', 'period']);
    if (!bindSecretId && !cidrs?.length && !terms.boundCidrs?.length) {
      throw badRequest('at least one constraint should be enabled on the role');
    }
    await appRoles.put(name, {
      roleId: textField(data, 'role_id') || current?.roleId || uuid(appRoles.random),
      bindSecretId,
      secretIdUses: uses,
      secretIdTtl: durationField(data, 'secret_id_ttl') ?? current?.secretIdTtl ?? 0,
      ...(cidrs && { secretIdBoundCidrs: cidrs }),
      terms,
    });
  },
  delete: (appRoles, _request, name) => appRoles.delete(name),
};

export const roleId: Resource<AppRoles> = {
  summary: 'Show or set the role ID.',
  fields: { role_id: required(text('The role ID.')) },
  read: (appRoles, _request, name) => ({ data: { role_id: requireRole(appRoles, name).roleId } }),
  async write(appRoles, { data }, name) {
    const newRoleId = textField(data, 'role_id');
    if (!newRoleId) throw badRequest('missing role_id');
    await appRoles.put(name, { ...requireRole(appRoles, name), roleId: newRoleId });
  },
};

export const secretId: Resource<AppRoles> = {
  summary: 'Generate a secret ID, or list the accessors of existing ones.',
  fields: newSecretIdFields,
  write: (appRoles, request, name) => issueSecretId(appRoles, request, name, () => uuid(appRoles.random)),
  async list(appRoles, _request, name) {
    if (!appRoles.get(name)) throw badRequest(missingRole(name));
    const existing = await appRoles.secretIds.forRole(name.toLowerCase());
    return { data: { keys: await mapInSlices(existing, ({ accessor }) => accessor) } };
  },
};

export const customSecretId: Resource<AppRoles> = {
  summary: 'Create a custom secret ID.',
  fields: { ...secretIdField, ...newSecretIdFields },
  write(appRoles, request, name) {
    const chosen = requireText(request.data, 'secret_id');
    return issueSecretId(appRoles, request, name, () => chosen);
  },
};

/** How a request names a secret ID of a role. */
interface SecretIdName {
  readonly fields: Resource<AppRoles>['fields'] & object;
  /** @throws SecretsError 400: no name */
  find(appRoles: AppRoles, role: string, data: EngineRequest['data']): SecretId | undefined;
}

const bySecretId: SecretIdName = {
  fields: secretIdField,
  find: ({ secretIds }, name, data) => secretIds.find(name, requireText(data, 'secret_id')),
};
const byAccessor: SecretIdName = {
  fields: { secret_id_accessor: required(text('The accessor of the secret ID.')) },
  find: ({ secretIds }, name, data) => secretIds.byAccessor(name, requireText(data, 'secret_id_accessor')),
};

/** As in the product, a missing secret ID is a response without a body, and a missing accessor a 404 with data. */
export const lookUpSecretId = lookup('Show a secret ID.', bySecretId, () => undefined);
export const lookUpAccessor = lookup('Show the secret ID of an accessor.', byAccessor, (data) => ({
  status: 404,
  data: { error: missingAccessor(data) },
}));

function lookup(
  summary: string,
  { fields, find }: SecretIdName,
  missing: (data: EngineRequest['data']) => EngineResponse | undefined,
): Resource<AppRoles> {
  return {
    summary,
    fields,
    write(appRoles, { data }, name) {
      const found = find(appRoles, name.toLowerCase(), data);
      requireRole(appRoles, name, missingRole(name));
      return found ? { data: showSecretId(found) } : missing(data);
    },
  };
}

export const destroySecretId = destruction('Delete a secret ID.', bySecretId, () => undefined);
export const destroyAccessor = destruction('Delete the secret ID of an accessor.', byAccessor, (data) => {
  throw new SecretsError(404, missingAccessor(data));
});

function destruction(
  summary: string,
  { fields, find }: SecretIdName,
  missing: (data: EngineRequest['data']) => undefined,
): Resource<AppRoles> {
  return {
    summary,
    fields,
    async write(appRoles, { data }, name) {
      const found = find(appRoles, name.toLowerCase(), data);
      requireRole(appRoles, name, missingRole(name));
      if (found) await appRoles.secretIds.remove([found]);
      else missing(data);
    },
  };
}

const missingAccessor = (data: EngineRequest['data']): string =>
  `failed to find accessor entry for secret_id_accessor: ${JSON.stringify(textField(data, 'secret_id_accessor'))}`;

/** @throws SecretsError 400: missing or empty */
function requireText(data: EngineRequest['data'], name: string): string {
  const sent = textField(data, name);
  if (!sent) throw badRequest(`missing ${name}`);
  return sent;
}

export const login: Resource<AppRoles> = {
  summary: 'Log in with a role ID and a secret ID.',
  fields: { role_id: required(text('The role ID.')), secret_id: text('A secret ID of the role.') },
  async write(appRoles, { data, remoteAddress = '' }) {
    const sentRoleId = textField(data, 'role_id');
    if (!sentRoleId) throw badRequest('missing role_id');
    const name = appRoles.nameOf(sentRoleId);
    const existing = name === undefined ? undefined : appRoles.get(name);
    const loginError = badRequest('invalid role or secret ID');
    if (name === undefined || !existing) throw loginError;
    let metadata: Readonly<Record<string, string>> = { role_name: name };
    const ofRole = existing.secretIdBoundCidrs ?? [];
    let token = existing.terms;
    if (existing.bindSecretId) {
      const sentSecretId = textField(data, 'secret_id');
      if (!sentSecretId) throw badRequest('missing secret_id');
      const used = await appRoles.secretIds.use(name, sentSecretId);
      if (!used) throw loginError;
      metadata = { ...used.metadata, ...metadata };
      const { cidrs = [], tokenBoundCidrs = [] } = used;
      checkCidrSubset(cidrs, ofRole);
      if (cidrs.length > 0 && !isBound(remoteAddress, cidrs)) {
        throw badRequest(
          `source address "${remoteAddress}" unauthorized through CIDR restrictions on the secret ID`,
        );
      }
      if (tokenBoundCidrs.length > 0) token = { ...token, boundCidrs: tokenBoundCidrs.map(withoutFullWidth) };
    }
    if (ofRole.length > 0 && !isBound(remoteAddress, ofRole)) {
      throw badRequest(`source address "${remoteAddress}" unauthorized by CIDR restrictions on the role`);
    }
    return {
      login: {
        displayName: '',
        metadata,
        alias: { name: sentRoleId, metadata: { role_name: name } },
        token,
      },
    };
  },
};

/** @throws SecretsError 404 */
function requireRole(appRoles: AppRoles, name: string, text?: string): AppRole {
  const existing = appRoles.get(name);
  if (!existing) throw text === undefined ? notFound() : new SecretsError(404, text);
  return existing;
}

const missingRole = (name: string): string => `role ${JSON.stringify(name)} does not exist`;

async function issueSecretId(
  appRoles: AppRoles,
  { data }: EngineRequest,
  name: string,
  chooseSecretId: () => string,
): Promise<EngineResponse> {
  const { secretIdUses, secretIdTtl, bindSecretId, secretIdBoundCidrs, terms } = requireRole(
    appRoles,
    name,
    missingRole(name),
  );
  const newSecretId = chooseSecretId();
  if (!bindSecretId) throw badRequest('bind_secret_id is not set on the role');
  const uses = integerField(data, 'num_uses') ?? secretIdUses;
  if (uses < 0) throw badRequest('num_uses cannot be negative');
  const ttl = durationField(data, 'ttl') ?? secretIdTtl;
  const cidrs = readCidrBlocks(data, 'cidr_list') ?? [];
  const tokenBoundCidrs = readCidrBlocks(data, 'token_bound_cidrs', 'token CIDR blocks') ?? [];
  checkCidrSubset(cidrs, secretIdBoundCidrs ?? []);
  checkCidrSubset(tokenBoundCidrs, terms.boundCidrs ?? []);
  const metadata = readMetadata(data);
  const { accessor } = await appRoles.secretIds.create(name.toLowerCase(), newSecretId, {
    uses,
    ttl,
    metadata,
    cidrs,
    tokenBoundCidrs,
  });
  return {
    data: {
      secret_id: newSecretId,
      secret_id_accessor: accessor,
      secret_id_num_uses: uses,
      secret_id_ttl: ttl,
    },
  };
}

/** The metadata of a new secret ID: an object, or its JSON text. @throws SecretsError 400 */
function readMetadata(data: EngineRequest['data']): Readonly<Record<string, string>> {
  if (typeof data.metadata !== 'string') return mapField(data, 'metadata') ?? {};
  let metadata: Json;
  try {
    metadata = parseJson(data.metadata);
  } catch {
    throw badRequest('metadata is not a JSON object');
  }
  return mapField({ metadata }, 'metadata') ?? {};
}
