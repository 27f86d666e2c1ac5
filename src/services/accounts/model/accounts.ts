import { createHash } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../core/base62.ts';
import type { PasswordHash } from '../../core/password.ts';
import type { Change, PagedStorage } from '../../core/store/storage.ts';
import { notUnique } from '../errors.ts';
import type { MethodType } from './auth-methods.ts';
import { type Resource, recordChange, recordRemoval } from './change-log.ts';
import { tokenRemovals } from './tokens.ts';

export interface Account extends Resource {
  readonly type: MethodType;
  readonly method: string;
  readonly name: string | null;
  readonly description: string | null;
  /** As in responses; without the password. */
  readonly attributes: { readonly [name: string]: Json };
  readonly password: PasswordHash | null;
}

/** Prefixes of IDs (docs/protocol/accounts.md#logins-and-ids). */
export const accountPrefixes: Readonly<Record<MethodType, string>> = {
  password: 'acctpw_',
  oidc: 'acctoidc_',
  ldap: 'acctldap_',
};

export function newAccountId(type: MethodType, random: (length: number) => Uint8Array): string {
  return accountPrefixes[type] + base62(10, random);
}

const accountKey = (id: string) => `accounts/${id}`;
export const accountCollection = (method: string): string => `accounts/${method}`;

export function accountOf(storage: PagedStorage, id: string): Account | undefined {
  return storage.get(accountKey(id)) as unknown as Account | undefined;
}

/** The account with a login name in an auth method. */
export function accountByLogin(storage: PagedStorage, method: string, login: string): Account | undefined {
  const id = storage.get(uniqueKey(method, 'attributes.login_name', login));
  return typeof id === 'string' ? accountOf(storage, id) : undefined;
}

const userKey = (id: string) => `users/${id}`;

/** Whether the account has a user. The first login in a primary auth method creates it. */
export const hasUser = (storage: PagedStorage, id: string): boolean => storage.get(userKey(id)) !== undefined;

/** Creates the user of an account. */
export const userChange = (id: string): Change => ({ key: userKey(id), value: true });

/**
 * Stores an account, new or changed; no await between reading the existing one and this call.
 *
 * @throws InvalidFieldsError: another account of the auth method has its name or login
 */
export async function putAccount(
  storage: PagedStorage,
  draft: Omit<Account, 'created' | 'changed'>,
  existing?: Account,
): Promise<Account> {
  checkUnique(storage, draft);
  const { sequence, changes } = recordChange(storage, accountCollection(draft.method), draft, existing);
  const account: Account = { ...draft, created: existing?.created ?? sequence, changed: sequence };
  await storage.write([
    ...changes,
    ...(existing ? uniqueKeys(existing).map(([key]) => ({ key })) : []),
    ...uniqueKeys(account).map(([key]) => ({ key, value: account.id })),
    { key: accountKey(account.id), value: account as unknown as Json },
  ]);
  return account;
}

/** Removes an account and the tokens of its logins. */
export function removeAccount(storage: PagedStorage, account: Account, now: Date): Promise<void> {
  const changes: Change[] = [
    ...recordRemoval(storage, accountCollection(account.method), account, now),
    ...uniqueKeys(account).map(([key]) => ({ key })),
    ...tokenRemovals(storage, account.id),
    { key: userKey(account.id) },
    { key: accountKey(account.id) },
  ];
  return storage.write(changes);
}

type UniqueFields = Pick<Account, 'id' | 'type' | 'method' | 'name' | 'attributes'>;

/** @throws InvalidFieldsError */
export function checkUnique(storage: PagedStorage, account: UniqueFields): void {
  for (const [key, field] of uniqueKeys(account)) {
    const other = storage.get(key);
    if (other !== undefined && other !== account.id) throw notUnique(field);
  }
}

/** Keys for the values that are unique in an auth method, and their fields. */
function uniqueKeys({ type, method, name, attributes }: UniqueFields): [string, string][] {
  const field = type === 'oidc' ? 'attributes.subject' : 'attributes.login_name';
  const login =
    type === 'oidc' ? JSON.stringify([attributes.issuer, attributes.subject]) : `${attributes.login_name}`;
  return [
    [uniqueKey(method, field, login), field],
    ...(name === null ? [] : [[uniqueKey(method, 'name', name), 'name'] satisfies [string, string]]),
  ];
}

function uniqueKey(method: string, field: string, value: string): string {
  return `unique/${method}/${field}/${createHash('sha256').update(value).digest('hex')}`;
}
