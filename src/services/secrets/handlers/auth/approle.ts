import { type Json, parseJson } from '../../../../wire/json.ts';
import { mapInSlices } from '../../../core/in-slices.ts';
import { read } from '../../../core/schema/read.ts';
import * as s from '../../../core/schema/types.ts';
import { uuid } from '../../../core/uuid.ts';
import { appRoleFields, newSecretId, shownAppRole, shownSecretId } from '../../auth/app-role-types.ts';
import { newTokenParams } from '../../auth/token-params.ts';
import type { EngineResponse } from '../../engine.ts';
import { badRequest, notFound, orBadRequest, SecretsError } from '../../errors.ts';
import type { AppRole, AppRoles } from '../../model/app-roles.ts';
import { checkCidrSubset, cidrBlocksOf, isBound, withoutFullWidth } from '../../model/bound-cidrs.ts';
import type { SecretId } from '../../model/secret-ids.ts';
import { pageFields, pageOf } from '../../page.ts';
import { readingRules } from '../../reading-rules.ts';
import { type InputOf, resourcesOf } from '../../resource.ts';
import { orEmpty, token } from '../../returns.ts';
import { showAppRole, showSecretId } from '../../views.ts';

/** The auth method `approle`: logins with a role ID and secret IDs (docs/protocol/secrets.md#logins). */

const resource = resourcesOf<AppRoles>();

const { secret_id, secret_id_accessor } = s.partial({
  secret_id: s.required(s.string('The secret ID.')),
  secret_id_accessor: s.required(s.string('The accessor of the secret ID.')),
});
const newSecretIdFields = s.partial({
  metadata: s.json('Metadata of the tokens: an object, or its JSON text.'),
  ttl: s.duration('Time to live of the secret ID.'),
  num_uses: s.integer('Number of uses of the secret ID.'),
  cidr_list: s.list(s.string(), 'CIDR blocks that may log in with the secret ID.'),
  token_bound_cidrs: s.list(s.string(), 'CIDR blocks that may use the tokens.'),
});
export const roles = resource({
  summary: 'List the roles.',
  query: pageFields,
  list: (appRoles, { input }) => ({ data: { keys: pageOf(appRoles.names(), input) } }),
});

export const role = resource({
  summary: 'Show, write or delete a role.',
  fields: appRoleFields,
  returns: { read: shownAppRole },
  read: (appRoles, _request, name) => ({ data: showAppRole(requireRole(appRoles, name)) }),
  async write(appRoles, { input }, name) {
    const current = appRoles.get(name);
    const uses = input.secret_id_num_uses ?? current?.secretIdUses ?? 0;
    if (uses < 0) throw badRequest('secret_id_num_uses cannot be negative');
    const bindSecretId = input.bind_secret_id ?? current?.bindSecretId ?? true;
    const cidrs =
      cidrBlocksOf(input.secret_id_bound_cidrs) ??
      cidrBlocksOf(input.bound_cidr_list) ??
      current?.secretIdBoundCidrs;
    const terms = newTokenParams(input, current?.terms);
    if (!bindSecretId && !cidrs?.length && !terms.boundCidrs?.length)
      throw badRequest('at least one constraint should be enabled on the role');
    await appRoles.put(name, {
      roleId: input.role_id || current?.roleId || uuid(appRoles.random),
      bindSecretId,
      secretIdUses: uses,
      secretIdTtl: input.secret_id_ttl ?? current?.secretIdTtl ?? 0,
      ...(cidrs && { secretIdBoundCidrs: cidrs }),
      terms,
    });
  },
  delete: (appRoles, _request, name) => appRoles.delete(name),
});

export const roleId = resource({
  summary: 'Show or set the role ID.',
  fields: { role_id: s.required(s.string('The role ID.')) },
  returns: { read: s.object({ role_id: s.string() }) },
  read: (appRoles, _request, name) => ({ data: { role_id: requireRole(appRoles, name).roleId } }),
  async write(appRoles, { input }, name) {
    const newRoleId = orBadRequest(input.role_id, 'missing role_id');
    await appRoles.put(name, { ...requireRole(appRoles, name), roleId: newRoleId });
  },
});

export const secretId = resource({
  summary: 'Generate a secret ID, or list the accessors of existing ones.',
  fields: newSecretIdFields,
  returns: { write: newSecretId },
  write: (appRoles, { input }, name) => issueSecretId(appRoles, input, name, () => uuid(appRoles.random)),
  async list(appRoles, _request, name) {
    if (!appRoles.get(name)) throw badRequest(missingRole(name));
    const existing = await appRoles.secretIds.forRole(name.toLowerCase());
    return { data: { keys: await mapInSlices(existing, ({ accessor }) => accessor) } };
  },
});

export const customSecretId = resource({
  summary: 'Create a custom secret ID.',
  fields: { secret_id, ...newSecretIdFields },
  returns: { write: newSecretId },
  write(appRoles, { input }, name) {
    const chosen = orBadRequest(input.secret_id, 'missing secret_id');
    return issueSecretId(appRoles, input, name, () => chosen);
  },
});

const nameFields = { secret_id, secret_id_accessor };
type Named = InputOf<typeof nameFields>;

interface SecretIdName {
  readonly fields: Partial<typeof nameFields>;
  /** @throws SecretsError 400: no name */
  find(appRoles: AppRoles, role: string, input: Named): SecretId | undefined;
}

const bySecretId: SecretIdName = {
  fields: { secret_id },
  find: ({ secretIds }, name, input) =>
    secretIds.find(name, orBadRequest(input.secret_id, 'missing secret_id')),
};
const byAccessor: SecretIdName = {
  fields: { secret_id_accessor },
  find: ({ secretIds }, name, input) =>
    secretIds.byAccessor(name, orBadRequest(input.secret_id_accessor, 'missing secret_id_accessor')),
};

/** As in the product, a missing secret ID is a response without a body, and a missing accessor a 404 with data. */
export const lookUpSecretId = lookup('Show a secret ID.', bySecretId, () => undefined);
export const lookUpAccessor = lookup('Show the secret ID of an accessor.', byAccessor, (input) => ({
  status: 404,
  data: { error: missingAccessor(input) },
}));

function lookup(
  summary: string,
  { fields, find }: SecretIdName,
  missing: (input: Named) => EngineResponse | undefined,
) {
  return resource({
    summary,
    fields: fields as typeof nameFields,
    returns: { write: orEmpty(shownSecretId) },
    write(appRoles, { input }, name) {
      const found = find(appRoles, name.toLowerCase(), input);
      requireRole(appRoles, name, missingRole(name));
      return found ? { data: showSecretId(found) } : missing(input);
    },
  });
}

export const destroySecretId = destruction('Delete a secret ID.', bySecretId, () => undefined);
export const destroyAccessor = destruction('Delete the secret ID of an accessor.', byAccessor, (input) => {
  throw new SecretsError(404, missingAccessor(input));
});

function destruction(summary: string, { fields, find }: SecretIdName, missing: (input: Named) => undefined) {
  return resource({
    summary,
    fields: fields as typeof nameFields,
    async write(appRoles, { input }, name) {
      const found = find(appRoles, name.toLowerCase(), input);
      requireRole(appRoles, name, missingRole(name));
      if (found) await appRoles.secretIds.remove([found]);
      else missing(input);
    },
  });
}

const missingAccessor = ({ secret_id_accessor: accessor }: Named): string =>
  `failed to find accessor entry for secret_id_accessor: ${JSON.stringify(accessor)}`;

export const login = resource({
  summary: 'Log in with a role ID and a secret ID.',
  fields: {
    role_id: s.required(s.string('The role ID.')),
    secret_id: s.string('A secret ID of the role.'),
  },
  returns: { write: token },
  async write(appRoles, { input, remoteAddress = '' }) {
    const sentRoleId = orBadRequest(input.role_id, 'missing role_id');
    const name = appRoles.nameOf(sentRoleId);
    const existing = name === undefined ? undefined : appRoles.get(name);
    const loginError = badRequest('invalid role or secret ID');
    if (name === undefined || !existing) throw loginError;
    let metadata: Readonly<Record<string, string>> = { role_name: name };
    const ofRole = existing.secretIdBoundCidrs ?? [];
    let terms = existing.terms;
    if (existing.bindSecretId) {
      const sentSecretId = orBadRequest(input.secret_id, 'missing secret_id');
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
      if (tokenBoundCidrs.length > 0) terms = { ...terms, boundCidrs: tokenBoundCidrs.map(withoutFullWidth) };
    }
    if (ofRole.length > 0 && !isBound(remoteAddress, ofRole))
      throw badRequest(`source address "${remoteAddress}" unauthorized by CIDR restrictions on the role`);
    return {
      login: {
        displayName: '',
        metadata,
        alias: { name: sentRoleId, metadata: { role_name: name } },
        token: terms,
      },
    };
  },
});

/** @throws SecretsError 404 */
function requireRole(appRoles: AppRoles, name: string, text?: string): AppRole {
  const existing = appRoles.get(name);
  if (!existing) throw text === undefined ? notFound() : new SecretsError(404, text);
  return existing;
}

const missingRole = (name: string): string => `role ${JSON.stringify(name)} does not exist`;

async function issueSecretId(
  appRoles: AppRoles,
  input: InputOf<typeof newSecretIdFields>,
  name: string,
  chooseSecretId: () => string,
): Promise<EngineResponse> {
  const { secretIdUses, secretIdTtl, bindSecretId, secretIdBoundCidrs, terms } = requireRole(
    appRoles,
    name,
    missingRole(name),
  );
  const chosen = chooseSecretId();
  if (!bindSecretId) throw badRequest('bind_secret_id is not set on the role');
  const uses = input.num_uses ?? secretIdUses;
  if (uses < 0) throw badRequest('num_uses cannot be negative');
  const ttl = input.ttl ?? secretIdTtl;
  const cidrs = cidrBlocksOf(input.cidr_list) ?? [];
  const tokenBoundCidrs = cidrBlocksOf(input.token_bound_cidrs, 'token CIDR blocks') ?? [];
  checkCidrSubset(cidrs, secretIdBoundCidrs ?? []);
  checkCidrSubset(tokenBoundCidrs, terms.boundCidrs ?? []);
  const metadata = readMetadata(input.metadata);
  const { accessor } = await appRoles.secretIds.create(name.toLowerCase(), chosen, {
    uses,
    ttl,
    metadata,
    cidrs,
    tokenBoundCidrs,
  });
  return {
    data: {
      secret_id: chosen,
      secret_id_accessor: accessor,
      secret_id_num_uses: uses,
      secret_id_ttl: ttl,
    },
  };
}

/** The metadata of a new secret ID: an object, or its JSON text. @throws SecretsError 400 */
function readMetadata(sent: Json | undefined): Readonly<Record<string, string>> {
  let metadata = sent;
  if (typeof sent === 'string') {
    try {
      metadata = parseJson(sent);
    } catch {
      throw badRequest('metadata is not a JSON object');
    }
  }
  return read(s.object({ metadata: s.map(s.string()) }), { metadata: metadata ?? null }, readingRules)
    .metadata;
}
