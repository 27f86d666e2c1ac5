import { HttpError, type HttpRequest, jsonResponse } from '../core/http/http-service.ts';
import { Router } from '../core/http/router.ts';
import { object } from '../core/schema/types.ts';
import { type Handler, operations } from './call.ts';
import {
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from './handlers/accounts.ts';
import {
  changeState,
  createMethod,
  deleteMethod,
  getMethod,
  listMethods,
  updateMethod,
} from './handlers/auth-methods.ts';
import { deleteAuthToken, getAuthToken, listAuthTokens } from './handlers/auth-tokens.ts';
import { authenticate } from './handlers/authenticate.ts';
import { changePassword, setPassword } from './handlers/passwords.ts';
import {
  addGrantScopes,
  addGrants,
  addPrincipals,
  removeGrantScopes,
  removeGrants,
  removePrincipals,
  setGrantScopes,
  setGrants,
  setPrincipals,
} from './handlers/role-members.ts';
import { createRole, deleteRole, getRole, listRoles, updateRole } from './handlers/roles.ts';
import { createScope, deleteScope, getScope, listScopes, updateScope } from './handlers/scopes.ts';
import { addAccounts, removeAccounts, setAccounts } from './handlers/user-accounts.ts';
import { createUser, deleteUser, getUser, listUsers, updateUser } from './handlers/users.ts';

const getHealth = operations('Health')('getHealth', 'Report that the service is available', {
  isUnauthenticated: true,
  returns: object({}),
  handle: () => jsonResponse(200, {}),
});

/** All routes of the account service, by HTTP method (docs/protocol/accounts.md#endpoints). */
const resourceRoutes = new Router<Handler>()
  // The product serves `/health`; a client that knows only the base `/v1` uses the second path.
  .on('GET', 'health', getHealth)
  .on('GET', 'v1/health', { ...getHealth, id: 'getHealthBelowBase' })
  .on('GET', 'v1/scopes', listScopes)
  .on('POST', 'v1/scopes', createScope)
  .on('GET', 'v1/scopes/:id', getScope)
  .on('PATCH', 'v1/scopes/:id', updateScope)
  .on('DELETE', 'v1/scopes/:id', deleteScope)
  .on('GET', 'v1/auth-methods', listMethods)
  .on('POST', 'v1/auth-methods', createMethod)
  .on('GET', 'v1/auth-methods/:id', getMethod)
  .on('PATCH', 'v1/auth-methods/:id', updateMethod)
  .on('DELETE', 'v1/auth-methods/:id', deleteMethod)
  .on('GET', 'v1/auth-tokens', listAuthTokens)
  .on('GET', 'v1/auth-tokens/:id', getAuthToken)
  .on('DELETE', 'v1/auth-tokens/:id', deleteAuthToken)
  .on('GET', 'v1/users', listUsers)
  .on('POST', 'v1/users', createUser)
  .on('GET', 'v1/users/:id', getUser)
  .on('PATCH', 'v1/users/:id', updateUser)
  .on('DELETE', 'v1/users/:id', deleteUser)
  .on('GET', 'v1/roles', listRoles)
  .on('POST', 'v1/roles', createRole)
  .on('GET', 'v1/roles/:id', getRole)
  .on('PATCH', 'v1/roles/:id', updateRole)
  .on('DELETE', 'v1/roles/:id', deleteRole)
  .on('GET', 'v1/accounts', listAccounts)
  .on('POST', 'v1/accounts', createAccount)
  .on('GET', 'v1/accounts/:id', getAccount)
  .on('PATCH', 'v1/accounts/:id', updateAccount)
  .on('DELETE', 'v1/accounts/:id', deleteAccount);

/** Actions on a resource: the path ends in `:id:action`. */
const actionRoutes = new Router<Handler>()
  .on('POST', 'v1/auth-methods/:id/authenticate', authenticate)
  .on('POST', 'v1/auth-methods/:id/change-state', changeState)
  .on('POST', 'v1/users/:id/add-accounts', addAccounts)
  .on('POST', 'v1/users/:id/set-accounts', setAccounts)
  .on('POST', 'v1/users/:id/remove-accounts', removeAccounts)
  .on('POST', 'v1/roles/:id/add-principals', addPrincipals)
  .on('POST', 'v1/roles/:id/set-principals', setPrincipals)
  .on('POST', 'v1/roles/:id/remove-principals', removePrincipals)
  .on('POST', 'v1/roles/:id/add-grants', addGrants)
  .on('POST', 'v1/roles/:id/set-grants', setGrants)
  .on('POST', 'v1/roles/:id/remove-grants', removeGrants)
  .on('POST', 'v1/roles/:id/add-grant-scopes', addGrantScopes)
  .on('POST', 'v1/roles/:id/set-grant-scopes', setGrantScopes)
  .on('POST', 'v1/roles/:id/remove-grant-scopes', removeGrantScopes)
  .on('POST', 'v1/accounts/:id/set-password', setPassword)
  .on('POST', 'v1/accounts/:id/change-password', changePassword);

const actions = [
  ...['authenticate', 'change-state', 'set-password', 'change-password'],
  ...['accounts', 'principals', 'grants', 'grant-scopes'].flatMap((each) =>
    ['add', 'set', 'remove'].map((verb) => `${verb}-${each}`),
  ),
];

/** As in the product, an action with another method than POST is part of an ID, and an unknown one is 400. */
export const routes = {
  routes: [...resourceRoutes.routes, ...actionRoutes.routes],
  handlers: [...resourceRoutes.handlers, ...actionRoutes.handlers],
  find(segments: readonly string[], { method }: Pick<HttpRequest, 'method'>) {
    const last = segments.at(-1) ?? '';
    const colon = last.lastIndexOf(':');
    if (colon < 0) return resourceRoutes.find(segments);
    const action = last.slice(colon + 1);
    const resource = [...segments.slice(0, -1), last.slice(0, colon)];
    if (!actions.includes(action) && resourceRoutes.find(resource)) throw new HttpError(400, '');
    const match = method === 'POST' ? actionRoutes.find([...resource, action]) : undefined;
    return match ?? resourceRoutes.find(segments);
  },
};
