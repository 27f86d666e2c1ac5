import * as v from 'valibot';
import type * as wire from '../wire/responses/accounts.ts';
import { accessOperations } from './accounts-access.ts';
import type { Client } from './client.ts';
import { checked, noContentOr, shown, someFields, text, texts } from './decode.ts';
import type { Decoder } from './operation.ts';
import { operationBuilders } from './operation-builders.ts';

const { get, post, patch, remove } = operationBuilders('accounts');

/** An account; responses never have the password (docs/protocol/accounts.md#endpoints). */
const account = v.looseObject({
  id: v.string(),
  /** The version that updates name; each change increases it. */
  version: v.number(),
  ...shown<wire.Account>({
    ...v.entriesFromList(
      ['type', 'auth_method_id', 'name', 'description', 'created_time', 'updated_time'],
      text,
    ),
    ...v.entriesFromList(['authorized_actions', 'managed_group_ids'], texts),
  }),
  /** Fields of the type of account, such as `login_name`. */
  attributes: v.nullish(v.record(v.string(), v.unknown())),
  scope: v.nullish(v.looseObject(shown<wire.Scope>({ id: text, name: text }))),
});

/** A page of a list; empty fields are omitted. */
const page = v.looseObject({
  items: v.nullish(v.array(account)),
  ...shown<wire.Page>({ response_type: text, list_token: v.nullish(v.string()), removed_ids: texts }),
});

/** The token of a login, and its account. */
const login = v.looseObject({
  ...shown<{ command?: string; type?: string }>(),
  attributes: v.looseObject({
    /** The token. */
    token: v.string(),
    ...shown<Omit<wire.AuthToken, 'expiration_time'>>(
      v.entriesFromList(['id', 'user_id', 'account_id', 'auth_method_id', 'scope_id', 'created_time'], text),
    ),
    /** RFC 3339. */
    expiration_time: text,
  }),
});

/** The start of an OIDC login: the page to open, and the secret that the token is requested with. */
const oidcStart = v.looseObject({
  attributes: v.looseObject({ auth_url: v.string(), token_id: v.string() }),
});

const authToken = v.looseObject(
  shown<wire.AuthToken>({
    ...v.entriesFromList(
      ['id', 'user_id', 'account_id', 'auth_method_id', 'created_time', 'approximate_last_used_time'],
      text,
    ),
    expiration_time: v.nullish(v.string()),
  }),
);

/** An auth method; without a token the service omits the times and the attributes. */
const authMethod = v.looseObject({
  id: v.string(),
  ...shown<wire.AuthMethod>({
    ...v.entriesFromList(['type', 'scope_id', 'name', 'description', 'created_time', 'updated_time'], text),
    version: v.optional(v.number()),
    is_primary: v.optional(v.boolean()),
    authorized_actions: texts,
  }),
  /** The settings of the type. */
  attributes: v.nullish(v.record(v.string(), v.unknown())),
});

const listFields = shown<wire.Page>({ response_type: text, list_token: v.nullish(v.string()) });
const authMethods = checked(v.looseObject({ ...listFields, items: v.nullish(v.array(authMethod)) }));
const authTokens = checked(v.looseObject({ ...listFields, items: v.nullish(v.array(authToken)) }));

/** The token of a login; undefined: the login is not completed yet (202). */
const asLogin = checked(login);
const loginOrPending: Decoder<Login | undefined> = (body, status) =>
  status === 202 ? undefined : asLogin(body);

export type Login = v.InferInput<typeof login>;
export type Account = v.InferInput<typeof account>;
export type AccountsPage = v.InferInput<typeof page>;

export interface ListOf {
  auth_method_id: string;
  filter?: string | undefined;
  list_token?: string | undefined;
  page_size?: number | undefined;
}

export type AuthMethod = v.InferInput<typeof authMethod>;
export type AuthToken = v.InferInput<typeof authToken>;

/** A list of a scope: `global`, or an organization. */
interface OfScope {
  scope_id: string;
  filter?: string | undefined;
  list_token?: string | undefined;
}

interface NewAuthMethod {
  scope_id: string;
  type: string;
  name: string;
  description?: string;
  attributes: object;
}

/** An account, and its expected version. */
interface Guarded {
  id: string;
  version: number;
}

const accountPath = '/v1/accounts/{id}';
const tokenPath = '/v1/auth-tokens/{id}';
const asAccount = checked(account);
const asAuthMethod = checked(authMethod);
/** `{}` */
const emptyObject = checked(v.looseObject({}));
const methodsPath = '/v1/auth-methods';
const methodPath = `${methodsPath}/{id}`;
const authenticatePath = `${methodPath}:authenticate`;
const ofScope = { query: ['scope_id', 'filter', 'list_token'] } as const;

/** The operations of the account service (docs/protocol/accounts.md#endpoints). */
export const accountsOperations = {
  listAccounts: get<ListOf>('list accounts', '/v1/accounts', {
    query: ['auth_method_id', 'filter', 'list_token', 'page_size'],
  })(checked(page)),
  // An account is looked up by its login name.
  findAccounts: get<ListOf>('list accounts', '/v1/accounts', {
    query: ['auth_method_id', 'filter', 'list_token'],
    isLookup: true,
  })(checked(page)),
  createAccount: post<{ auth_method_id: string; attributes: object }>('create account', '/v1/accounts', {
    accepts: [200, 201],
  })(asAccount),
  readAccount: get<{ id: string }>('read account', accountPath)(asAccount),
  // `null` clears a field; absent fields are unchanged.
  updateAccount: patch<Guarded & { attributes?: object }>('update account', accountPath)(asAccount),
  deleteAccount: remove<{ id: string }>('delete account', accountPath)(noContentOr(someFields)),
  changePassword: post<Guarded & { current_password: string; new_password: string }>(
    'change password',
    `${accountPath}:change-password`,
  )(asAccount),
  // An empty password removes it.
  setPassword: post<Guarded & { password: string }>('set password', `${accountPath}:set-password`)(asAccount),

  // Clients list auth methods before they log in. An invalid token would count as none.
  listAuthMethods: get<OfScope>('list auth methods', methodsPath, { ...ofScope, token: 'none' })(authMethods),
  findAuthMethods: get<OfScope>('find the primary auth method', methodsPath, {
    ...ofScope,
    token: 'none',
    preflight: true,
    isLookup: true,
  })(authMethods),
  // An auth method is looked up by its name.
  lookUpAuthMethods: get<OfScope>('list auth methods', methodsPath, { ...ofScope, isLookup: true })(
    authMethods,
  ),
  // Those that the token may see, also of the scopes below.
  listVisibleAuthMethods: get<OfScope & { recursive?: string }>('list auth methods', methodsPath, {
    query: ['scope_id', 'list_token', 'recursive'],
  })(authMethods),
  createAuthMethod: post<NewAuthMethod>('create auth method', methodsPath, { accepts: [200, 201] })(
    asAuthMethod,
  ),
  // As `updateAccount`.
  updateAuthMethod: patch<
    Guarded & { name?: string | null; description?: string | null; attributes?: object }
  >(
    'update auth method',
    methodPath,
  )(asAuthMethod),
  // Only of type oidc; the state of an LDAP auth method is an attribute.
  changeAuthMethodState: post<Guarded & { attributes: object }>(
    'change state of auth method',
    `${methodPath}:change-state`,
  )(asAuthMethod),
  deleteAuthMethod: remove<{ id: string }>('delete auth method', methodPath)(noContentOr(emptyObject)),
  readAuthMethod: get<{ id: string }>('read auth method', methodPath)(asAuthMethod),

  logIn: post<{ id: string; command: string; type: string; attributes: object }>('log in', authenticatePath, {
    token: 'none',
    retry: 'once',
  })(asLogin),
  // The service stores nothing before the login is completed in the browser.
  startOidcLogin: post<{ id: string; command: 'start' }>('start login', authenticatePath, {
    token: 'none',
    retry: 'repeat',
  })(checked(oidcStart)),
  // The token is sent once.
  requestOidcToken: post<{ id: string; command: 'token'; type: 'token'; attributes: { token_id: string } }>(
    'request token',
    authenticatePath,
    { token: 'none', retry: 'once', accepts: [200, 202] },
  )(loginOrPending),
  // Required to select the tokens of the current user.
  listOwnTokens: get<OfScope>('list auth tokens', '/v1/auth-tokens', { ...ofScope, isLookup: true })(
    authTokens,
  ),
  listAuthTokens: get<OfScope>('list auth tokens', '/v1/auth-tokens', ofScope)(authTokens),
  readAuthToken: get<{ id: string }>('read auth token', tokenPath)(checked(authToken)),
  deleteAuthToken: remove<{ id: string }>('delete auth token', tokenPath)(noContentOr(someFields)),

  ...accessOperations,
} as const;

export type AccountsClient = Client<typeof accountsOperations>;
