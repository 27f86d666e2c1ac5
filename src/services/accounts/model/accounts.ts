import { base62 } from '../../core/base62.ts';
import { passwordHash } from '../../core/password.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { isId, notUnique } from '../errors.ts';
import { type MethodType, methodType } from './auth-methods.ts';
import { ChangeBatch, resourceFields } from './change-log.ts';
import { removeMostTokens, removeTokens } from './tokens.ts';
import { uniqueKey } from './unique-names.ts';
import { detachAccount } from './users.ts';

export const accounts = table('accounts/', {
  ...resourceFields,
  type: methodType,
  method: s.string(),
  name: s.nullable(s.string()),
  description: s.nullable(s.string()),
  /** As in responses, without the password. */
  attributes: s.map(s.json()),
  password: s.nullable(passwordHash),
}).with({ lookups: (account) => uniqueKeys(account).map((key) => ({ key, value: account.id })) });
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

export const accountOf = (storage: Storage, id: string) => accounts.get(storage, id);

/** The account of an auth method with a login name. */
export function accountByLogin(storage: Storage, method: string, login: string): Account | undefined {
  const id = storage.get(uniqueKey(method, 'attributes.login_name', login));
  return typeof id === 'string' ? accountOf(storage, id) : undefined;
}

/**
 * Stores a new or changed account. Must not be called after an await since `existing` was read.
 * @throws InvalidFieldsError: another account of the auth method has its name or login
 */
export async function putAccount(
  storage: Storage,
  draft: Omit<Account, 'created' | 'changed'>,
  existing?: Account,
): Promise<Account> {
  checkUnique(storage, draft);
  const batch = new ChangeBatch(storage);
  const sequence = batch.recordChange(accountCollection(draft.method), draft, existing);
  const account: Account = { ...draft, created: existing?.created ?? sequence, changed: sequence };
  batch.add(...accounts.replace(account.id, existing, account));
  await batch.write();
  return account;
}

/** Removes an account after its tokens, of which many are removed in batches; its user is kept. */
export async function removeAccount(storage: Storage, id: string, now: Date): Promise<void> {
  await removeMostTokens(storage, id, now);
  const account = accountOf(storage, id);
  if (!account) return;
  const batch = new ChangeBatch(storage);
  recordAccountRemoval(batch, account, now);
  await batch.write();
}

export function recordAccountRemoval(batch: ChangeBatch, account: Account, now: Date): void {
  batch.recordRemoval(accountCollection(account.method), account, now);
  removeTokens(batch, account.id, now);
  detachAccount(batch, account.id);
  batch.add(...accounts.replace(account.id, account, undefined));
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
