import * as v from 'valibot';
import type { Client } from './client.ts';
import { checked, noContentOr, someFields } from './decode.ts';
import { op } from './operation.ts';

const text = v.optional(v.string());
const texts = v.optional(v.nullable(v.array(v.string())));

/** An account as the service gives it, never with its password (docs/protocol/accounts.md#endpoints). */
const account = v.looseObject({
  ...{ id: v.string(), version: v.number(), type: text, auth_method_id: text, name: text, description: text },
  ...{ created_time: text, updated_time: text, authorized_actions: texts, managed_group_ids: texts },
  attributes: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  scope: v.optional(v.nullable(v.looseObject({ id: text, name: text }))),
});

/** A page of a list; fields that are empty are left out. */
const page = v.looseObject({
  items: v.optional(v.nullable(v.array(account))),
  response_type: text,
  list_token: v.nullish(v.string()),
  removed_ids: texts,
});

/** A token of a login, and whose it is. */
const login = v.looseObject({
  attributes: v.looseObject({
    ...{ token: v.string(), id: text, user_id: text, account_id: text, auth_method_id: text },
    ...{ scope_id: text, created_time: text, expiration_time: text },
  }),
});

const authToken = v.looseObject({ id: text, expiration_time: v.nullish(v.string()) });

export type Account = v.InferInput<typeof account>;
export type AccountsPage = v.InferInput<typeof page>;

export interface ListOf {
  auth_method_id: string;
  filter?: string;
  list_token?: string;
  page_size?: number;
}

/** An account by its ID, and the version that it must still have. */
interface Guarded {
  id: string;
  version: number;
}

const accounts = { service: 'accounts', path: '/v1/accounts' } as const;
const oneAccount = { service: 'accounts', path: '/v1/accounts/{id}' } as const;
const oneToken = { service: 'accounts', path: '/v1/auth-tokens/{id}' } as const;

/** The operations of the account service (docs/protocol/accounts.md#endpoints). */
export const accountsOperations = {
  listAccounts: op<ListOf>()({
    ...{ ...accounts, name: 'list accounts', method: 'GET' },
    query: ['auth_method_id', 'filter', 'list_token', 'page_size'],
    ...{ accepts: [200], retry: 'read', decode: checked(page) },
  }),
  createAccount: op<{ auth_method_id: string; attributes: object }>()({
    ...{ ...accounts, name: 'create account', method: 'POST', body: 'json' },
    ...{ accepts: [200, 201], retry: 'write', decode: checked(account) },
  }),
  readAccount: op<{ id: string }>()({
    ...{ ...oneAccount, name: 'read account', method: 'GET' },
    ...{ accepts: [200], retry: 'read', decode: checked(account) },
  }),
  // Fields that are there are changed, `null` clears, others stay.
  updateAccount: op<Guarded>()({
    ...{ ...oneAccount, name: 'update account', method: 'PATCH', body: 'json' },
    ...{ accepts: [200], retry: 'write', decode: checked(account) },
  }),
  deleteAccount: op<{ id: string }>()({
    ...{ ...oneAccount, name: 'delete account', method: 'DELETE' },
    ...{ accepts: [200, 204], retry: 'write', decode: noContentOr(someFields) },
  }),
  changePassword: op<Guarded & { current_password: string; new_password: string }>()({
    ...{ service: 'accounts', name: 'change password', method: 'POST' },
    ...{ path: `${oneAccount.path}:change-password`, body: 'json' },
    ...{ accepts: [200], retry: 'write', decode: checked(account) },
  }),
  // An empty password takes it away.
  setPassword: op<Guarded & { password: string }>()({
    ...{ service: 'accounts', name: 'set password', method: 'POST' },
    ...{ path: `${oneAccount.path}:set-password`, body: 'json' },
    ...{ accepts: [200], retry: 'write', decode: checked(account) },
  }),

  logIn: op<{ id: string; command: string; type: string; attributes: object }>()({
    ...{ service: 'accounts', name: 'log in', method: 'POST', path: '/v1/auth-methods/{id}:authenticate' },
    ...{ body: 'json', token: 'none', accepts: [200], retry: 'once', decode: checked(login) },
  }),
  readAuthToken: op<{ id: string }>()({
    ...{ ...oneToken, name: 'read auth token', method: 'GET' },
    ...{ accepts: [200], retry: 'read', decode: checked(authToken) },
  }),
  deleteAuthToken: op<{ id: string }>()({
    ...{ ...oneToken, name: 'delete auth token', method: 'DELETE' },
    ...{ accepts: [200, 204], retry: 'write', decode: noContentOr(someFields) },
  }),
} as const;

export type AccountsClient = Client<typeof accountsOperations>;
