import { base62 } from '../../core/base62.ts';
import { passwordHash } from '../../core/password.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { RowOf } from '../../core/store/table.ts';
import { isId, notUnique } from '../errors.ts';
import { type MethodType, methodType } from './auth-methods.ts';
import { type ChangeBatch, resourceTable, writeBatch } from './change-log.ts';
import {
  actions,
  anyObject,
  anyText,
  attributesOf,
  labels,
  limitedText,
  readOnlyId,
  scopeInfo,
  times,
  updateOf,
} from './fields.ts';
import { removeMostTokens, removeTokens } from './tokens.ts';
import { uniqueKey } from './unique-names.ts';
import { detachAccount } from './users.ts';

const requiredForType = 'This is a required field for this type.';
const loginName = s.required(s.string('Types password and ldap.'), requiredForType);
const person = s.each(['full_name', 'email'], s.optional(s.string('Types oidc and ldap.')));

/** An address without a path. */
const issuer = s.converted(
  s.string('Type oidc: URL of the issuer; default: the issuer of the auth method.'),
  (value) => {
    if (typeof value !== 'string' || value === '') return value === '' ? value : undefined;
    if (!/^https?:\/\//i.test(limitedText(value)))
      throw new Error('The path segment of the url should be empty.');
    if (!URL.canParse(value)) throw new Error('Cannot be parsed as a url.');
    return value;
  },
);

/** The attributes of accounts by their type (docs/protocol/accounts.md#endpoints). */
export const accountAttributes = {
  password: {
    login_name: loginName,
    password: s.requestOnly(
      s.optional(anyText('Type password: initial password; without one, the account cannot log in.')),
    ),
  },
  oidc: {
    issuer,
    subject: s.required(s.string('Type oidc: subject of the identity provider.'), requiredForType),
    ...person,
    token_claims: s.optional(anyObject('Type oidc: claims of the token.')),
    userinfo_claims: s.optional(anyObject('Type oidc: claims of the user.')),
  },
  ldap: {
    login_name: loginName,
    ...person,
    dn: s.optional(s.string('Type ldap: distinguished name.')),
    member_of_groups: s.optional(s.list(s.string(), 'Type ldap: groups.')),
  },
};

/** The attributes of all types; a row has them without the password. */
export const anyAttributes = s.object(
  s.partial({ ...accountAttributes.password, ...accountAttributes.oidc, ...accountAttributes.ldap }),
);

export const accountSchema = s.named(
  'Account',
  s.object({
    id: readOnlyId,
    scope: scopeInfo,
    ...labels,
    ...times,
    type: s.described('The type of the auth method.', methodType),
    auth_method_id: s.required(s.string()),
    attributes: s.required(attributesOf(anyAttributes), 'This is a required field.'),
    authorized_actions: actions,
  }),
);

export const accountUpdate = updateOf('Account', {
  type: s.described('Must match the account.', methodType),
  auth_method_id: s.string('Must match the account.'),
  ...labels,
  attributes: s.nullable(
    attributesOf(s.object(s.partial({ login_name: s.string('Type password: the new login name.') }))),
  ),
});

export const accounts = resourceTable(
  'accounts/',
  {
    ...labels,
    type: methodType,
    method: s.string(),
    attributes: anyAttributes,
    password: s.nullable(passwordHash),
  },
  ({ method }) => accountCollection(method),
).with({ lookups: (account) => uniqueKeys(account).map((key) => ({ key, value: account.id })) });
export type Account = RowOf<typeof accounts>;

/** Prefixes of IDs (docs/protocol/accounts.md#logins-and-ids). */
const accountPrefixes: Readonly<Record<MethodType, string>> = {
  password: 'acctpw_',
  oidc: 'acctoidc_',
  ldap: 'acctldap_',
};

/** The former prefix of account IDs of type password (docs/protocol/accounts.md#logins-and-ids). */
const legacyPrefix = 'apw_';

/** The type of an account by its ID; undefined: the ID is malformed. */
export function accountTypeOf(id: string): MethodType | undefined {
  if (isId(id, [legacyPrefix])) return 'password';
  const types = Object.entries(accountPrefixes) as [MethodType, string][];
  return types.find(([, prefix]) => isId(id, [prefix]))?.[0];
}

export function newAccountId(type: MethodType, random: (length: number) => Uint8Array): string {
  return accountPrefixes[type] + base62(10, random);
}

export const accountCollection = (method: string): string => `accounts/${method}`;

/** The account of an auth method with a login name. */
export function accountByLogin(storage: Storage, method: string, login: string): Account | undefined {
  const id = storage.get(uniqueKey(method, 'attributes.login_name', login));
  return typeof id === 'string' ? accounts.get(storage, id) : undefined;
}

/** Stores an account, without an await since `existing` was read. @throws InvalidFieldsError: its name or login is taken */
export async function putAccount(
  storage: Storage,
  draft: Omit<Account, 'created' | 'changed'>,
  existing?: Account,
): Promise<Account> {
  checkUnique(storage, draft);
  return writeBatch(storage, (batch) => accounts.write(batch, draft, existing));
}

/** Removes an account after its tokens, of which many are removed in batches; its user is kept. */
export async function removeAccount(storage: Storage, id: string, now: Date): Promise<void> {
  await removeMostTokens(storage, id, now);
  const account = accounts.get(storage, id);
  if (account) await writeBatch(storage, (batch) => recordAccountRemoval(batch, account, now));
}

export function recordAccountRemoval(batch: ChangeBatch, account: Account, now: Date): void {
  accounts.delete(batch, account, now);
  removeTokens(batch, account.id, now);
  detachAccount(batch, account.id);
}

type UniqueFields = Pick<Account, 'id' | 'type' | 'method' | 'name' | 'attributes'>;

/** @throws InvalidFieldsError */
export function checkUnique(storage: Storage, account: UniqueFields): void {
  for (const key of uniqueKeys(account)) {
    const other = storage.get(key);
    if (other !== undefined && other !== account.id) throw notUnique();
  }
}

/** Storage keys of the values that are unique among the accounts of an auth method. */
function uniqueKeys({ type, method, name, attributes }: UniqueFields): string[] {
  const field = type === 'oidc' ? 'attributes.subject' : 'attributes.login_name';
  const login =
    type === 'oidc' ? JSON.stringify([attributes.issuer, attributes.subject]) : `${attributes.login_name}`;
  return [uniqueKey(method, field, login), ...(name === null ? [] : [uniqueKey(method, 'name', name)])];
}
