import { allPages } from '../../api/account-pages.ts';
import type { AccountRole } from '../../api/accounts-access.ts';
import { isValueTaken } from '../../api/conditions/accounts.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { accountRole } from '../../objects/account-access.ts';
import { GrantError, parseGrant } from '../../objects/grants/parse.ts';
import { field } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import { IdIndex } from '../id-index.ts';
import {
  asObject,
  type Identity,
  type JsonObject,
  type Kind,
  type Live,
  type Services,
  type Write,
} from '../kind.ts';
import { isSame, normalize } from '../normalize.ts';
import { everyItem, guardedWrite, identitiesOf } from './accounts-lists.ts';
import { principalIdOf, principalOf } from './accounts-principals.ts';
import { labelOf } from './accounts-scope.ts';
import {
  globalScope,
  type ListedObject,
  placed,
  placeKey,
  placeOf,
  referredScopeId,
  relativeScopes,
  scopeField,
  scopeIdOf,
  scopePathOf,
  scopeReferences,
} from './accounts-scopes.ts';

const schema = field.object({
  description: accountRole.properties.description,
  grant_scopes: field.set(field.string(), {
    default: ['this'],
    description:
      'Scopes that the grants apply to: this (the scope of the role; default), children, descendants, none, or scopes by name: ORGANIZATION or ORGANIZATION/PROJECT.',
  }),
  grant_strings: field.set(field.string({ form: 'grant' }), {
    description: 'Grants, such as `ids=*;type=target;actions=list,read`. IDs in them belong to one cluster.',
  }),
  principals: field.set(
    field.object({
      scope: field.string({ default: globalScope, description: 'Scope of the user (default: global).' }),
      name: field.string({ description: 'Name of a user.' }),
      id: field.string({
        pattern: /^(u|g|mgoidc|mgldap)_[0-9A-Za-z]+$/,
        description: 'u_anon, u_auth, or the ID of a group or of a user without a name.',
      }),
    }),
    { description: 'Who has the role: `[{ name: bob }, { scope: web, name: eve }, { id: u_auth }]`.' },
  ),
});

type Role = ListedObject & Pick<AccountRole, 'grant_scope_ids' | 'grant_strings' | 'principal_ids'>;

const all = { scope_id: globalScope, recursive: 'true' } as const;

/** The roles of all scopes by their names; the list has neither grants nor principals. */
const roles = new IdIndex<Role>({
  async list(services) {
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.findRoles({ ...all, list_token }))).items;
  },
  keyOf: placeKey,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readRole({ id })),
});

async function liveOf(services: Services, role: Role): Promise<Live> {
  const { id, version = 0, description = '' } = role;
  const grant_scopes: Json[] = [];
  for (const each of role.grant_scope_ids ?? [])
    grant_scopes.push(relativeScopes.includes(each) ? each : await scopePathOf(services, each));
  // An empty list of a file is the default.
  if (grant_scopes.length === 0) grant_scopes.push('none');
  const principals: Json[] = [];
  for (const each of role.principal_ids ?? []) principals.push(await principalOf(services, each));
  const grant_strings = [...(role.grant_strings ?? [])];
  return {
    spec: { description, grant_scopes, grant_strings, principals },
    version: String(version),
    uid: id,
    id,
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const textsOf = (value: Json | undefined): readonly string[] => listOf(value).map(String);

/** What the requests after the first one set; undefined: unchanged. */
interface Members {
  readonly grant_scope_ids: readonly string[] | undefined;
  readonly grant_strings: readonly string[] | undefined;
  readonly principal_ids: readonly string[] | undefined;
}

/** The IDs of what a role states and does not have. @throws LanyardError not_found, usage */
async function membersOf(services: Services, spec: JsonObject, before: JsonObject): Promise<Members> {
  const { grant_scopes, grant_strings, principals } = schema.properties;
  const isChanged = (property: Parameters<typeof normalize>[0], name: string): boolean =>
    !isSame(normalize(property, spec[name]), normalize(property, before[name]));
  const paths = textsOf(spec.grant_scopes);
  const scopeId = async (path: string) =>
    relativeScopes.includes(path) ? path : referredScopeId(services, path);
  return {
    grant_scope_ids: isChanged(grant_scopes, 'grant_scopes')
      ? await each(paths.length === 0 ? ['this'] : paths.filter((path) => path !== 'none'), scopeId)
      : undefined,
    grant_strings: isChanged(grant_strings, 'grant_strings') ? textsOf(spec.grant_strings) : undefined,
    principal_ids: isChanged(principals, 'principals')
      ? await each(listOf(spec.principals), (principal) => principalIdOf(services, asObject(principal)))
      : undefined,
  };
}

/** One after the other, without duplicates. */
async function each<Item>(items: readonly Item[], idOf: (item: Item) => Promise<string>): Promise<string[]> {
  const ids = new Set<string>();
  for (const item of items) ids.add(await idOf(item));
  return [...ids];
}

/** Principals come last: a new role has no effect before it is complete. */
async function setMembers(
  services: Services,
  { id, version }: { readonly id: string; readonly version: number },
  { grant_scope_ids, grant_strings, principal_ids }: Members,
): Promise<void> {
  const accounts = await services.accounts();
  const current = async () => (await unlessNotFound(accounts.readRole({ id })))?.version;
  let now = version;
  const step = async (write: (guard: { id: string; version: number }) => Promise<{ body: AccountRole }>) => {
    const seen = { spec: {}, id, version: String(now) };
    now = (await guardedWrite(seen, 'role', current, () => write({ id, version: now }))).body.version;
  };
  if (grant_scope_ids) await step((guard) => accounts.setRoleGrantScopes({ ...guard, grant_scope_ids }));
  if (grant_strings) await step((guard) => accounts.setRoleGrants({ ...guard, grant_strings }));
  if (principal_ids) await step((guard) => accounts.setRolePrincipals({ ...guard, principal_ids }));
}

const taken = describeAs(isValueTaken, 'conflict', 'another role of the scope has the same name');

async function create(services: Services, { identity, spec }: Write): Promise<void> {
  const { scope, key } = identity;
  const accounts = await services.accounts();
  const scope_id = await scopeIdOf(services, scope.scope);
  const members = await membersOf(services, spec, {});
  const text = labelOf(spec);
  const role = { scope_id, name: key, ...(text !== null && { description: text }) };
  const { body } = await roles
    .write(
      services,
      placed(scope_id, key),
      ({ body }) => body.id,
      () => accounts.createRole(role),
    )
    .catch(taken);
  await setMembers(services, body, members);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const accounts = await services.accounts();
  const { id = '' } = live;
  const place = await placeOf(services, identity);
  const members = await membersOf(services, spec, live.spec);
  const description = labelOf(spec);
  let version = Number(live.version);
  if (description !== labelOf(live.spec)) {
    const current = async () => (await unlessNotFound(accounts.readRole({ id })))?.version;
    const send = () => accounts.updateRole({ id, version, description });
    const { body } = await guardedWrite(live, 'role', current, () => roles.write(services, place, id, send));
    version = body.version;
  }
  await setMembers(services, { id, version }, members);
}

function check(
  { scope }: Identity,
  { grant_scopes, grant_strings, principals }: JsonObject,
): readonly string[] {
  return [
    ...textsOf(grant_strings).flatMap(grantProblem),
    ...textsOf(grant_scopes).flatMap((path) =>
      path === scope.scope ? [`"grant_scopes" must have "this" instead of "${path}"`] : [],
    ),
    ...listOf(principals).flatMap((each) => {
      const { name, id } = asObject(each);
      return Boolean(name) === Boolean(id) ? ['each of "principals" must have either a name or an id'] : [];
    }),
  ];
}

/** A grant of an earlier version with a single ID is accepted if the role has it. Words are left to the service. */
function grantProblem(text: string): readonly string[] {
  if (/(^|;)id=|"id"/.test(text)) return [];
  try {
    parseGrant(text);
    return [];
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    return [`invalid grant ${JSON.stringify(text)}: ${error.message}`];
  }
}

/** IDs that no other cluster has. */
function idsIn({ grant_strings, principals }: JsonObject): readonly string[] {
  const inGrants = textsOf(grant_strings).flatMap((text) => text.match(/\b[a-z]+_[0-9A-Za-z]{10}\b/g) ?? []);
  const ofPrincipals = listOf(principals).flatMap((each) => {
    const { id } = asObject(each);
    return typeof id === 'string' && !['u_anon', 'u_auth'].includes(id) ? [id] : [];
  });
  return [...new Set([...inGrants, ...ofPrincipals])].sort();
}

/** A role: grants, the scopes that they apply to, and who has them (docs/protocol/accounts.md#permissions). */
export const accountsRole: Kind = {
  name: 'accounts.role',
  service: 'accounts',
  description: 'A role of the account service: grants, the scopes that they apply to, and who has them.',
  scope: [scopeField('projects')],
  nameIs: 'name of the role',
  canonicalName: (name) => name.trim(),
  schema,
  level: 6,
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  check,
  references: ({ scope }, { grant_scopes, principals }) => [
    ...scopeReferences(scope.scope),
    ...textsOf(grant_scopes).flatMap((path) =>
      [...relativeScopes, 'none'].includes(path) ? [] : scopeReferences(path),
    ),
    ...listOf(principals).flatMap((each) => {
      const { scope: path = globalScope, name } = asObject(each);
      if (typeof name !== 'string') return [];
      return [{ kind: 'accounts.user', identity: { scope: { scope: String(path) }, key: name.trim() } }];
    }),
  ],
  isBuiltIn: (_identity, live) => live?.id === 'r_1234567890',
  exportNotes: (spec) => {
    const ids = idsIn(spec);
    return ids.length === 0 ? [] : [`IDs that only this cluster has: ${ids.join(', ')}`];
  },
  label: ({ scope: { scope }, key }) => (scope === globalScope ? key : `${scope}/${key}`),
  async list(services, known) {
    const accounts = await services.accounts();
    const items = await everyItem('roles', (list_token) => accounts.listRoles({ ...all, list_token }));
    const listed = items.flatMap(({ scope_id, name }) =>
      name ? [{ scopeId: scope_id, identity: { key: name } }] : [],
    );
    return identitiesOf(services, listed, known);
  },
  ...roles.reads({
    live: async (services, [role]) => role && liveOf(services, role),
    place: placeOf,
    isListPartial: true,
  }),
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const accounts = await services.accounts();
    const place = await placeOf(services, identity);
    await roles.write(services, place, id, () => accounts.deleteRole({ id }));
  },
};
