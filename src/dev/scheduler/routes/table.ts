import { Routes } from '../../http/routes.ts';
import { HttpRefusal } from '../../http/service.ts';
import type { Handler } from '../http/call.ts';
import { agentHealth, agentSelf, leader, peers, regions } from './agent.ts';
import { getNamespace, listNamespaces, putNamespaceRoute, removeNamespace } from './namespaces.ts';
import { getPolicy, listPolicies, putPolicyRoute, removePolicy } from './policies.ts';
import { bootstrap, getToken, listTokens, putTokenRoute, removeToken, selfToken } from './tokens.ts';
import { listVariables } from './variable-list.ts';
import { getVariable, missingPath, putVariable, removeVariable, wrongMethod } from './variables.ts';

/** Every route of the scheduler, by HTTP method. */
export function schedulerRoutes(): Routes<Handler> {
  return new Routes<Handler>()
    .on('GET', 'v1/agent/health', agentHealth)
    .on('GET', 'v1/agent/self', agentSelf)
    .on('GET', 'v1/status/leader', leader)
    .on('GET', 'v1/status/peers', peers)
    .on('GET', 'v1/regions', regions)
    .on('GET', 'v1/namespaces', listNamespaces)
    .on('PUT|POST', 'v1/namespace', putNamespaceRoute)
    .on('GET', 'v1/namespace/:namespace', getNamespace)
    .on('PUT|POST', 'v1/namespace/:namespace', putNamespaceRoute)
    .on('DELETE', 'v1/namespace/:namespace', removeNamespace)
    .on('GET', 'v1/vars', listVariables)
    .on('GET|PUT|POST|DELETE', 'v1/var', missingPath)
    .on('GET', 'v1/var/:path', getVariable)
    .on('PUT|POST', 'v1/var/:path', putVariable)
    .on('DELETE', 'v1/var/:path', removeVariable)
    .on('PATCH|OPTIONS', 'v1/var/:path', wrongMethod)
    .on('PUT|POST', 'v1/acl/bootstrap', bootstrap)
    .on('PUT|POST', 'v1/acl/token', controlled(putTokenRoute))
    .on('GET', 'v1/acl/token/self', controlled(selfToken))
    .on('GET', 'v1/acl/token/:id', controlled(getToken))
    .on('PUT|POST', 'v1/acl/token/:id', controlled(putTokenRoute))
    .on('DELETE', 'v1/acl/token/:id', controlled(removeToken))
    .on('GET', 'v1/acl/tokens', controlled(listTokens))
    .on('GET', 'v1/acl/policies', controlled(listPolicies))
    .on('GET', 'v1/acl/policy/:name', controlled(getPolicy))
    .on('PUT|POST', 'v1/acl/policy/:name', controlled(putPolicyRoute))
    .on('DELETE', 'v1/acl/policy/:name', controlled(removePolicy));
}

/** Of use only when access is controlled. */
function controlled(handler: Handler): Handler {
  return (call) => {
    if (!call.scheduler.access.on) {
      throw new HttpRefusal(400, 'ACL support disabled: bootstrap it with PUT /v1/acl/bootstrap');
    }
    return handler(call);
  };
}
