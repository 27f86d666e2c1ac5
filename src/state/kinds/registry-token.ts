import { isAclTokenTaken, isMissingAclObject } from '../../api/conditions/registry.ts';
import type { AclToken } from '../../api/registry-acl.ts';
import type { InDatacenter } from '../../api/registry-datacenter.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { registryToken as schema } from '../../objects/registry-acl.ts';
import { compact } from '../../wire/objects.ts';
import type { JsonObject, Kind, Live, Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { grantsOf, linkedObjects, linksOf } from './registry-grants.ts';
import { completeList } from './registry-lists.ts';
import { sharedIn, tokenIn } from './registry-shared.ts';

async function liveOf(services: Services, token: AclToken): Promise<Live> {
  const registry = await services.registry();
  const { Description = '', Local = false, AuthMethod, ExpirationTime, ModifyIndex = 0 } = token;
  const Roles = await linksOf(
    token.Roles,
    async (id) => (await registry.readRole({ id, ...(await sharedIn(services, 'roles')) })).body.Name,
  );
  return {
    spec: {
      Description,
      ...(await grantsOf(services, token)),
      Roles,
      Local,
      ...compact({ ExpirationTime, AuthMethod: AuthMethod || undefined }),
    },
    version: String(ModifyIndex),
    // The time of the creation: a token that was created again has the same accessor ID.
    uid: token.CreateTime ?? token.AccessorID,
    id: token.AccessorID,
  };
}

/** The registry rejects an empty lifetime. */
function bodyOf(spec: JsonObject, AccessorID: string): JsonObject {
  const { ExpirationTTL, ...fields } = withWireNames(schema, spec);
  return { ...fields, ...(ExpirationTTL ? { ExpirationTTL } : {}), AccessorID };
}

const anonymous = '00000000-0000-0000-0000-000000000002';

/** The tokens of `acl bootstrap` and of the configuration of servers. */
const managementTokens = ['Bootstrap Token (Global Management)', 'Initial Management Token'];

const isManagementToken = ({ Description, Policies }: JsonObject): boolean =>
  managementTokens.includes(String(Description)) &&
  JSON.stringify(Policies) === '[{"Name":"global-management"}]';

const isGlobal = ({ Local }: Pick<AclToken, 'Local'>): boolean => !Local;

async function listTokens(services: Services, where: InDatacenter) {
  const tokens = await (await services.registry()).listTokens({ consistent: '', ...where });
  return completeList(services, 'tokens', tokens);
}

async function findToken(
  services: Services,
  which: InDatacenter & { readonly id: string },
): Promise<AclToken | undefined> {
  return unlessNotFound((await services.registry()).readToken(which), isMissingAclObject);
}

/** A token of the registry (docs/protocol/registry.md#acl-token). Its secret is never returned. */
export const registryToken: Kind = {
  name: 'registry.token',
  service: 'registry',
  description: 'A token of the service registry.',
  scope: [],
  nameIs: 'accessor ID of the token, a UUID',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 4,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  references: (_identity, { Policies, Roles }) => [
    ...linkedObjects('registry.policy', Policies),
    ...linkedObjects('registry.role', Roles),
  ],
  isBuiltIn: ({ key }, live) =>
    key === anonymous ||
    (live !== undefined && (live.spec.AuthMethod !== undefined || isManagementToken(live.spec))),
  async list(services) {
    const where = await sharedIn(services, 'tokens');
    const shared = where.dc === undefined ? [] : (await listTokens(services, where)).filter(isGlobal);
    const others = await listTokens(services, {});
    const local = where.dc === undefined ? others : others.filter(({ Local }) => Local);
    return [...shared, ...local].map(({ AccessorID }) => ({ scope: {}, key: AccessorID.toLowerCase() }));
  },
  async read(services, { key }) {
    const where = await sharedIn(services, 'tokens');
    const here = await findToken(services, { id: key });
    if (here?.Local || where.dc === undefined) return here && liveOf(services, here);
    const shared = await findToken(services, { id: key, ...where });
    return shared && isGlobal(shared) ? liveOf(services, shared) : undefined;
  },
  async create(services, { identity, spec }) {
    const registry = await services.registry();
    await tokenIn(services, withWireNames(schema, spec).Local === true);
    await registry
      .createToken(bodyOf(spec, identity.key))
      .catch(describeAs(isAclTokenTaken, 'conflict', `token ${identity.key} already exists`));
  },
  async update(services, { spec, live }) {
    const registry = await services.registry();
    const id = live.id ?? '';
    const where = await tokenIn(services, live.spec.Local === true);
    const { SecretID, ExpirationTTL, ExpirationTime, ...body } = bodyOf(spec, id);
    // The service keeps what cannot be changed.
    await registry.updateToken({ ...body, id });
    if (!SecretID || SecretID === (await registry.readToken({ id, ...where })).body.SecretID) return;
    // Another secret: only a new token has it.
    await registry.deleteToken({ id });
    await registry.createToken({
      ...body,
      SecretID,
      ...(ExpirationTTL ? { ExpirationTTL } : { ExpirationTime: ExpirationTime ?? null }),
    });
  },
  async remove(services, _identity, live) {
    await tokenIn(services, live.spec.Local === true);
    await (await services.registry()).deleteToken({ id: live.id ?? '' });
  },
};
