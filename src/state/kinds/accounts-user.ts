import { allPages } from '../../api/account-pages.ts';
import type { AccountUser } from '../../api/accounts-access.ts';
import { isAccountTaken, isValueTaken } from '../../api/conditions/accounts.ts';
import { describeAs, unlessNotFound } from '../../errors.ts';
import { accountUser } from '../../objects/account-access.ts';
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
import { accountIdOf, accountNameOf } from './accounts-account.ts';
import { everyItem, guardedWrite, identitiesOf } from './accounts-lists.ts';
import { labelOf } from './accounts-scope.ts';
import {
  globalScope,
  type ListedObject,
  placed,
  placeKey,
  placeOf,
  scopeField,
  scopeIdOf,
  scopeReferences,
} from './accounts-scopes.ts';

const { description } = accountUser.properties;

const accountNames = field.set(
  field.object({ authMethod: field.string(), name: field.string() }, { required: ['authMethod', 'name'] }),
  {
    description:
      'Accounts of the scope by auth method and login name or subject: `[{ authMethod: staff, name: bob }]`.',
  },
);

/** In Boundary, users that stand for kinds of callers. */
export const isBuiltInUser = (id: string): boolean => ['u_anon', 'u_auth', 'u_recovery'].includes(id);

const all = { scope_id: globalScope, recursive: 'true' } as const;

/** The users of all scopes by their names; the list does not have their accounts. */
export const users = new IdIndex<ListedObject & Pick<AccountUser, 'account_ids'>>({
  async list(services) {
    const accounts = await services.accounts();
    return (await allPages((list_token) => accounts.findUsers({ ...all, list_token }))).items;
  },
  keyOf: placeKey,
  idOf: ({ id }) => id,
  read: async (services, id) => unlessNotFound((await services.accounts()).readUser({ id })),
});

async function liveOf(
  services: Services,
  user: ListedObject & Pick<AccountUser, 'account_ids'>,
): Promise<Live> {
  const { id, version = 0, scope_id = globalScope, description = '' } = user;
  const accounts: Json[] = [];
  for (const account of user.account_ids ?? []) {
    const name = await accountNameOf(services, scope_id, account);
    // Without permission to read it, its ID differs from every name.
    accounts.push(name ? { ...name } : { authMethod: '', name: account });
  }
  return { spec: { description, accounts }, version: String(version), uid: id, id };
}

/** The IDs of stated accounts. @throws LanyardError not_found */
const accountIdsOf = async (
  services: Services,
  scope: string,
  names: Json | undefined,
): Promise<string[]> => {
  const ids: string[] = [];
  for (const each of Array.isArray(names) ? names : [])
    ids.push(await accountIdOf(services, inMethod(scope, each)));
  return ids;
};

function inMethod(scope: string, account: Json): Identity {
  const { authMethod, name } = asObject(account);
  return { scope: { scope, authMethod: String(authMethod ?? '') }, key: String(name ?? '') };
}

const taken = describeAs(isValueTaken, 'conflict', 'another user of the scope has the same name');
const accountTaken = describeAs(isAccountTaken, 'conflict', 'an account already has another user', {
  hint: 'Remove it from the other user with `lanyard account user remove-accounts USER ACCOUNT`.',
});

async function create(services: Services, { identity, spec }: Write): Promise<void> {
  const { scope = globalScope } = identity.scope;
  const accounts = await services.accounts();
  const scope_id = await scopeIdOf(services, scope);
  const account_ids = await accountIdsOf(services, scope, spec.accounts);
  const text = labelOf(spec);
  const user = { scope_id, name: identity.key, ...(text !== null && { description: text }) };
  const { body } = await users
    .write(
      services,
      placed(scope_id, identity.key),
      ({ body }) => body.id,
      () => accounts.createUser(user),
    )
    .catch(taken);
  if (account_ids.length === 0) return;
  const { id, version } = body;
  await accounts.setUserAccounts({ id, version, account_ids }).catch(accountTaken);
}

async function update(
  services: Services,
  { identity, spec, live }: Write & { readonly live: Live },
): Promise<void> {
  const { scope = globalScope } = identity.scope;
  const accounts = await services.accounts();
  const { id = '' } = live;
  const place = await placeOf(services, identity);
  const isSetting = !isSame(
    normalize(accountNames, spec.accounts),
    normalize(accountNames, live.spec.accounts),
  );
  const account_ids = isSetting ? await accountIdsOf(services, scope, spec.accounts) : [];
  const current = async () => (await unlessNotFound(accounts.readUser({ id })))?.version;
  const description = labelOf(spec);
  let version = Number(live.version);
  if (description !== labelOf(live.spec)) {
    const send = () => accounts.updateUser({ id, version, description });
    const { body } = await guardedWrite(live, 'user', current, () => users.write(services, place, id, send));
    version = body.version;
  }
  if (!isSetting) return;
  await guardedWrite({ ...live, version: String(version) }, 'user', current, () =>
    accounts.setUserAccounts({ id, version, account_ids }).catch(accountTaken),
  );
}

/** The service rejects several accounts of an auth method. */
function check(_identity: Identity, { accounts }: JsonObject): readonly string[] {
  const names = (Array.isArray(accounts) ? accounts : []).map(asObject);
  const byMethod = Map.groupBy(names, ({ authMethod }) => String(authMethod ?? ''));
  return [...byMethod].flatMap(([authMethod, own]) =>
    new Set(own.map(({ name }) => name)).size > 1
      ? [`"accounts" has several accounts of auth method "${authMethod}": a user has at most one`]
      : [],
  );
}

/** A user with its accounts (docs/protocol/accounts.md#scopes-users-and-roles). */
export const accountsUser: Kind = {
  name: 'accounts.user',
  service: 'accounts',
  description: 'A user of the account service: the accounts of a person or program, which roles refer to.',
  scope: [scopeField('organizations')],
  nameIs: 'name of the user',
  canonicalName: (name) => name.trim(),
  schema: field.object({ description, accounts: accountNames }),
  level: 5,
  mark: { type: 'text', field: 'description' },
  guard: 'version',
  deleteGuard: 're-read',
  check,
  references: ({ scope: { scope = globalScope } }, { accounts }) => [
    ...scopeReferences(scope),
    ...(Array.isArray(accounts) ? accounts : []).map((each) => ({
      kind: 'accounts.account',
      identity: inMethod(scope, each),
    })),
  ],
  isBuiltIn: (_identity, live) =>
    isBuiltInUser(live?.id ?? '') || /^u_(1234567890|0987654321)$/.test(live?.id ?? ''),
  label: ({ scope: { scope }, key }) => (scope === globalScope ? key : `${scope}/${key}`),
  async list(services, known) {
    const accounts = await services.accounts();
    const items = await everyItem('users', (list_token) => accounts.listUsers({ ...all, list_token }));
    const listed = items.flatMap(({ scope_id, name }) =>
      name ? [{ scopeId: scope_id, identity: { key: name } }] : [],
    );
    return identitiesOf(services, listed, known);
  },
  ...users.reads({
    live: async (services, [user]) => user && liveOf(services, user),
    place: placeOf,
    isListPartial: true,
  }),
  create,
  update,
  async remove(services, identity, { id = '' }) {
    const accounts = await services.accounts();
    const place = await placeOf(services, identity);
    await users.write(services, place, id, () => accounts.deleteUser({ id }));
  },
};
