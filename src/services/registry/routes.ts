import { HttpError } from '../core/http/http-service.ts';
import { Router } from '../core/http/router.ts';
import { checkedFirst, type HandlerOf, type Operation } from '../core/operation.ts';
import type { Context, Handler } from './call.ts';
import { agentSelf, agentVersion, caRoots, leader, listMembers, peers } from './handlers/agent.ts';
import * as agentChecks from './handlers/agent-checks.ts';
import { agentHealthById, agentHealthByName } from './handlers/agent-health.ts';
import * as agentServices from './handlers/agent-services.ts';
import * as authMethods from './handlers/auth-methods.ts';
import { authorize } from './handlers/authorize.ts';
import * as bindingRules from './handlers/binding-rules.ts';
import { bootstrap } from './handlers/bootstrap.ts';
import * as catalog from './handlers/catalog.ts';
import { discoveryChain, overriddenChain } from './handlers/chain.ts';
import * as config from './handlers/config.ts';
import * as health from './handlers/health.ts';
import { deleteKey, getKey, putKey } from './handlers/kv.ts';
import { createLegacyToken, translateText, translateToken } from './handlers/legacy.ts';
import { login, logout } from './handlers/login.ts';
import { oidcAuthUrl, oidcCallback } from './handlers/oidc.ts';
import * as policies from './handlers/policies.ts';
import { createQuery, getQuery, listQueries, removeQuery, updateQuery } from './handlers/queries.ts';
import { deregister, register } from './handlers/register.ts';
import { getRole, listRoles, putRole, removeRole } from './handlers/roles.ts';
import * as sessions from './handlers/sessions.ts';
import { getSnapshot, putSnapshot } from './handlers/snapshot.ts';
import * as templates from './handlers/templated-policies.ts';
import * as tokens from './handlers/tokens.ts';
import { putTransaction } from './handlers/txn.ts';
import { missingNames, unsupportedPaths } from './path-errors.ts';
import { executeQuery, explainQuery } from './query/results.ts';
import { requirePermission } from './require-permission.ts';

/** Whether a handler ignores the token of the request; `selfToken` reads it itself. */
export const ignoresToken = (handler: HandlerOf<never>): boolean =>
  handler === tokens.selfToken || (typeof handler !== 'function' && handler.isUnauthenticated === true);

const withoutKey = 'with the empty key: of all keys';

/** The routes of paths without a trailing slash. */
export const registryRoutes = (): Router<Handler> => withUnsupported(serviceRoutes());

/** The routes of paths with a trailing slash, which the patterns leave out: mostly, a name is missing. */
export function slashRoutes(): Router<Handler> {
  const routes = new Router<Handler>()
    .on('GET', 'v1/kv', getKey)
    .on('PUT', 'v1/kv', putKey)
    .on('DELETE', 'v1/kv', deleteKey)
    .on('GET|DELETE', 'v1/config', config.rejectMissingKind)
    .on('GET', 'v1/config/:kind', config.listConfig)
    .on('DELETE', 'v1/config/:kind', config.rejectMissingName)
    .on('GET', 'v1/agent/service', agentServices.readAgentService)
    .on('PUT', 'v1/agent/service/deregister', agentServices.deregisterAgentService)
    .on('PUT', 'v1/agent/service/maintenance', agentServices.maintainAgentService)
    .on('GET', 'v1/agent/health/service/id', agentHealthById)
    .on('GET', 'v1/agent/health/service/name', agentHealthByName);
  for (const verb of ['deregister', 'pass', 'warn', 'fail', 'update'])
    routes.on('PUT', `v1/agent/check/${verb}`, agentChecks.deregisterAgentCheck);
  for (const [verbs, paths, status, message] of missingNames) {
    const reject = () => {
      throw new HttpError(status, message);
    };
    for (const path of paths) routes.on(verbs, `v1/${path}`, reject);
  }
  return withUnsupported(routes);
}

function withUnsupported(routes: Router<Handler>): Router<Handler> {
  for (const path of unsupportedPaths) {
    const reject = () => {
      throw new HttpError(501, `${path} is not supported by the embedded registry`);
    };
    routes.on('*', `v1/${path}`, reject).on('*', `v1/${path}/*rest`, reject);
  }
  return routes;
}

function serviceRoutes(): Router<Handler> {
  return new Router<Handler>()
    .on('GET', 'v1/status/leader', leader)
    .on('GET', 'v1/status/peers', peers)
    .on('GET', 'v1/agent/self', agentSelf)
    .on('GET', 'v1/agent/version', agentVersion)
    .on('GET', 'v1/connect/ca/roots', caRoots)
    .on('GET', 'v1/agent/members', listMembers)
    .on('PUT', 'v1/agent/maintenance', agentServices.maintainAgent)
    .on('GET', 'v1/agent/services', agentServices.listAgentServices)
    .on('GET', 'v1/agent/service/*id', agentServices.readAgentService)
    .on('PUT', 'v1/agent/service/register', agentServices.registerAgentService)
    .on('PUT', 'v1/agent/service/deregister/*id', agentServices.deregisterAgentService)
    .on('PUT', 'v1/agent/service/maintenance/*id', agentServices.maintainAgentService)
    .on('GET', 'v1/agent/health/service/id/*id', agentHealthById)
    .on('GET', 'v1/agent/health/service/name/*name', agentHealthByName)
    .on('GET', 'v1/agent/checks', agentChecks.listAgentChecks)
    .on('PUT', 'v1/agent/check/register', agentChecks.registerAgentCheck)
    .on('PUT', 'v1/agent/check/deregister/*id', agentChecks.deregisterAgentCheck)
    .on('PUT', 'v1/agent/check/pass/*id', agentChecks.passAgentCheck)
    .on('PUT', 'v1/agent/check/warn/*id', agentChecks.warnAgentCheck)
    .on('PUT', 'v1/agent/check/fail/*id', agentChecks.failAgentCheck)
    .on('PUT', 'v1/agent/check/update/*id', agentChecks.updateAgentCheck)
    .on('GET', 'v1/discovery-chain/:service', discoveryChain)
    .on('POST', 'v1/discovery-chain/:service', overriddenChain)
    .on('PUT', 'v1/config', config.putConfig)
    .on('GET|DELETE', 'v1/config', config.rejectMissingKind)
    .on('GET', 'v1/config/:kind', config.listConfig)
    .on('DELETE', 'v1/config/:kind', config.rejectMissingName)
    .on('GET', 'v1/config/:kind/:name', config.getConfig)
    .on('DELETE', 'v1/config/:kind/:name', config.deleteConfig)
    .on('GET', 'v1/kv', { ...getKey, id: 'getAllKeys', summary: `Read or list keys, ${withoutKey}` })
    .on('PUT', 'v1/kv', {
      ...putKey,
      id: 'putEmptyKey',
      summary: 'Write the empty key; always an error',
      responses: {},
    })
    .on('DELETE', 'v1/kv', { ...deleteKey, id: 'deleteAllKeys', summary: `Delete keys, ${withoutKey}` })
    .on('GET', 'v1/kv/:key', getKey)
    .on('PUT', 'v1/kv/:key', putKey)
    .on('DELETE', 'v1/kv/:key', deleteKey)
    .on('PUT', 'v1/session/create', sessions.createSessionRoute)
    .on('PUT', 'v1/session/destroy/:id', sessions.destroySession)
    .on('PUT', 'v1/session/renew/:id', sessions.renewSession)
    .on('GET', 'v1/session/info/:id', sessions.sessionInfo)
    .on('GET', 'v1/session/node/:node', {
      ...sessions.listSessions,
      id: 'listNodeSessions',
      summary: 'List sessions of a node',
    })
    .on('GET', 'v1/session/list', sessions.listSessions)
    .on('PUT', 'v1/catalog/register', register)
    .on('PUT', 'v1/catalog/deregister', deregister)
    .on('GET', 'v1/catalog/datacenters', catalog.listDatacenters)
    .on('GET', 'v1/catalog/nodes', catalog.listNodes)
    .on('GET', 'v1/catalog/services', catalog.listServices)
    .on('GET', 'v1/catalog/service/:service', catalog.catalogService)
    .on('GET', 'v1/catalog/connect/:service', catalog.catalogConnect)
    .on('GET', 'v1/catalog/node/:node', catalog.catalogNode)
    .on('GET', 'v1/catalog/node-services/:node', catalog.catalogNodeServices)
    .on('GET', 'v1/catalog/gateway-services/:gateway', catalog.listGatewayServices)
    .on('GET', 'v1/health/service/:service', health.healthService)
    .on('GET', 'v1/health/connect/:service', health.healthConnect)
    .on('GET', 'v1/health/ingress/:service', health.healthIngress)
    .on('GET', 'v1/health/node/:node', health.healthNode)
    .on('GET', 'v1/health/checks/:service', health.healthChecks)
    .on('GET', 'v1/health/state/:state', health.healthState)
    .on('POST', 'v1/query', createQuery)
    .on('GET', 'v1/query', listQueries)
    .on('PUT', 'v1/query/:query', updateQuery)
    .on('GET', 'v1/query/:query', getQuery)
    .on('DELETE', 'v1/query/:query', removeQuery)
    .on('GET', 'v1/query/:query/execute', executeQuery)
    .on('GET', 'v1/query/:query/explain', explainQuery)
    .on('PUT', 'v1/txn', putTransaction)
    .on('GET', 'v1/snapshot', getSnapshot)
    .on('PUT', 'v1/snapshot', putSnapshot)
    .on('PUT', 'v1/acl/bootstrap', bootstrap)
    .on('GET', 'v1/acl/replication', policies.getReplicationStatus)
    .on('PUT', 'v1/acl/create', acl('write', createLegacyToken))
    .on('POST', 'v1/acl/rules/translate', acl('read', translateText))
    .on('GET', 'v1/acl/rules/translate/:accessor', acl('read', translateToken))
    .on('PUT', 'v1/acl/token', acl('write', tokens.createToken))
    .on('GET', 'v1/acl/token/self', tokens.selfToken)
    .on('GET', 'v1/acl/token/:id', acl('read', tokens.getToken))
    .on('PUT', 'v1/acl/token/:id', acl('write', tokens.updateToken))
    .on('DELETE', 'v1/acl/token/:id', acl('write', tokens.removeToken))
    .on('PUT', 'v1/acl/token/:id/clone', acl('write', tokens.cloneToken))
    .on('GET', 'v1/acl/tokens', acl('read', tokens.listTokens))
    .on('PUT', 'v1/acl/policy', acl('write', policies.putPolicy))
    .on('GET', 'v1/acl/policy/:id', acl('read', policies.getPolicy))
    .on('GET', 'v1/acl/policy/name/:name', acl('read', byName(policies.getPolicy)))
    .on('PUT', 'v1/acl/policy/:id', acl('write', update(policies.putPolicy)))
    .on('DELETE', 'v1/acl/policy/:id', acl('write', policies.removePolicy))
    .on('GET', 'v1/acl/policies', acl('read', policies.listPolicies))
    .on('PUT', 'v1/acl/role', acl('write', putRole))
    .on('GET', 'v1/acl/role/:id', acl('read', getRole))
    .on('GET', 'v1/acl/role/name/:name', acl('read', byName(getRole)))
    .on('PUT', 'v1/acl/role/:id', acl('write', update(putRole)))
    .on('DELETE', 'v1/acl/role/:id', acl('write', removeRole))
    .on('GET', 'v1/acl/roles', acl('read', listRoles))
    .on('PUT', 'v1/acl/auth-method', acl('write', authMethods.putAuthMethod))
    .on('GET', 'v1/acl/templated-policies', acl('read', templates.listTemplatedPolicies))
    .on('GET', 'v1/acl/templated-policy/name/:name', acl('read', templates.getTemplatedPolicy))
    .on('POST', 'v1/acl/templated-policy/preview/:name', acl('read', templates.previewTemplatedPolicy))
    .on('GET', 'v1/acl/auth-method/:name', acl('read', authMethods.getAuthMethod))
    .on('PUT', 'v1/acl/auth-method/:name', acl('write', update(authMethods.putAuthMethod)))
    .on('DELETE', 'v1/acl/auth-method/:name', acl('write', authMethods.removeAuthMethod))
    .on('GET', 'v1/acl/auth-methods', acl('read', authMethods.listAuthMethods))
    .on('PUT', 'v1/acl/binding-rule', acl('write', bindingRules.putBindingRule))
    .on('GET', 'v1/acl/binding-rule/:id', acl('read', bindingRules.getBindingRule))
    .on('PUT', 'v1/acl/binding-rule/:id', acl('write', update(bindingRules.putBindingRule)))
    .on('DELETE', 'v1/acl/binding-rule/:id', acl('write', bindingRules.removeBindingRule))
    .on('GET', 'v1/acl/binding-rules', acl('read', bindingRules.listBindingRules))
    .on('POST', 'v1/internal/acl/authorize', authorize)
    .on('POST', 'v1/acl/login', login)
    .on('POST', 'v1/acl/logout', logout)
    .on('POST', 'v1/acl/oidc/auth-url', oidcAuthUrl)
    .on('POST', 'v1/acl/oidc/callback', oidcCallback);
}

/** A route that requires the permission to read, or to write, tokens and policies. */
function acl(right: 'read' | 'write', handler: Handler): Handler {
  return checkedFirst(handler, ({ permissions }) => requirePermission(permissions, `acl:${right}`, ''));
}

/** The operation that reads an object by its ID, for the route that has its name. */
const byName = (read: Operation<Context>): Operation<Context> => ({
  ...read,
  id: `${read.id}ByName`,
  summary: `${read.summary} by its name`,
});

/** The operation that creates an object, for the route that has its ID or name. */
const update = (create: Operation<Context>): Operation<Context> => ({
  ...create,
  id: create.id.replace('create', 'update'),
  summary: create.summary.replace('Create', 'Update'),
  errors: [404],
});
