import { HttpError } from '../core/http/http-service.ts';
import { Router } from '../core/http/router.ts';
import { checkedFirst } from '../core/operation.ts';
import type { Call, Handler } from './call.ts';
import { agentHealth, agentSelf, leader, members, peers, regions } from './handlers/agent.ts';
import { getNamespace, listNamespaces, putNamespaceRoute, removeNamespace } from './handlers/namespaces.ts';
import { getPolicy, listPolicies, putPolicyRoute, removePolicy } from './handlers/policies.ts';
import { getRole, getRoleByName, listRoles, putRoleRoute, removeRole } from './handlers/roles.ts';
import { bootstrap, getToken, listTokens, putTokenRoute, removeToken, selfToken } from './handlers/tokens.ts';
import { listVariables } from './handlers/variable-list.ts';
import {
  getVariable,
  putVariable,
  rejectMethod,
  rejectMissingPath,
  removeVariable,
} from './handlers/variables.ts';

/** Handlers for which the token of the caller does not matter. */
export const openHandlers: ReadonlySet<Handler> = new Set([agentHealth, leader, peers, regions, bootstrap]);

/** All routes of the scheduler, by HTTP method. */
export function schedulerRoutes(): Router<Handler> {
  return new Router<Handler>()
    .on('GET', 'v1/agent/health', agentHealth)
    .on('GET', 'v1/agent/self', agentSelf)
    .on('GET', 'v1/agent/members', members)
    .on('GET', 'v1/status/leader', leader)
    .on('GET', 'v1/status/peers', peers)
    .on('GET', 'v1/regions', regions)
    .on('GET', 'v1/namespaces', listNamespaces)
    .on('PUT|POST', 'v1/namespace', putNamespaceRoute)
    .on('GET', 'v1/namespace/:namespace', getNamespace)
    .on('PUT|POST', 'v1/namespace/:namespace', {
      ...putNamespaceRoute,
      id: 'putNamedNamespace',
      description: 'The name in the body must match the path.',
    })
    .on('DELETE', 'v1/namespace/:namespace', removeNamespace)
    .on('GET', 'v1/vars', listVariables)
    .on('*', 'v1/var', rejectMissingPath)
    .on('GET', 'v1/var/:path', getVariable)
    .on('PUT|POST', 'v1/var/:path', putVariable)
    .on('DELETE', 'v1/var/:path', removeVariable)
    .on('*', 'v1/var/:path', rejectMethod)
    .on('PUT|POST', 'v1/acl/bootstrap', bootstrap)
    .on('PUT|POST', 'v1/acl/token', requireAclEnabled(putTokenRoute))
    .on('GET', 'v1/acl/token/self', selfToken)
    .on('GET', 'v1/acl/token/:id', requireAclEnabled(getToken))
    .on(
      'PUT|POST',
      'v1/acl/token/:id',
      requireAclEnabled({ ...putTokenRoute, id: 'updateToken', summary: 'Update a token' }),
    )
    .on('DELETE', 'v1/acl/token/:id', requireAclEnabled(removeToken))
    .on('GET', 'v1/acl/tokens', requireAclEnabled(listTokens))
    .on('GET', 'v1/acl/roles', requireAclEnabled(listRoles))
    .on('PUT|POST', 'v1/acl/role', requireAclEnabled(putRoleRoute))
    .on('GET', 'v1/acl/role/name/:name', requireAclEnabled(getRoleByName))
    .on('GET', 'v1/acl/role/:id', requireAclEnabled(getRole))
    .on(
      'PUT|POST',
      'v1/acl/role/:id',
      requireAclEnabled({ ...putRoleRoute, id: 'updateRole', summary: 'Update a role' }),
    )
    .on('DELETE', 'v1/acl/role/:id', requireAclEnabled(removeRole))
    .on('GET', 'v1/acl/policies', requireAclEnabled(listPolicies))
    .on('GET', 'v1/acl/policy/:name', requireAclEnabled(getPolicy))
    .on('PUT|POST', 'v1/acl/policy/:name', requireAclEnabled(putPolicyRoute))
    .on('DELETE', 'v1/acl/policy/:name', requireAclEnabled(removePolicy));
}

function requireAclEnabled(handler: Handler): Handler {
  const check = ({ scheduler }: Call): void => {
    if (!scheduler.acl.isEnabled)
      throw new HttpError(400, 'ACL support disabled: bootstrap it with PUT /v1/acl/bootstrap');
  };
  return checkedFirst(handler, check);
}
