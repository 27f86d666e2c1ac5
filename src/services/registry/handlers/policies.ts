import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import { maxPolicyLength } from '../../core/max-policy-length.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import { checkUuid, policyNameProblem } from '../acl/names.ts';
import { parseRules } from '../acl/rules.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import {
  byName,
  globalManagement,
  globalReadOnly,
  hashOf,
  policies,
  policy,
  policyMetadata,
} from '../model/acl.ts';
import { notReplicating } from '../replication/status.ts';
import { checkPathId, checkSameId, rejectMissing, removing, rowToPut, writing } from './acl-rows.ts';

const operation = operations('ACL');
const readOperation = readOperations('ACL');

/** Creates a policy, or updates the policy of the path. */
export const putPolicy = operation('createPolicy', 'Create a policy', {
  ...writing('Policy', policy),
  async handle(call) {
    const { params, registry } = call;
    const { Datacenters, ...input } = await call.body();
    const { Name, Rules } = input;
    if (params.id === undefined && input.ID !== '')
      throw new HttpError(400, 'Cannot specify the ID when creating a new policy');
    checkSameId(call, input.ID, 'Policy');
    const problem = policyNameProblem(Name);
    if (problem !== undefined) throw new HttpError(500, `Invalid Policy: ${problem}`);
    checkPathId(call, 'Policy');
    const stored = await registry.state.update((transaction) => {
      const existing = rowToPut(policies, transaction, params.id, { name: Name, title: 'Policy' });
      if (existing && builtInPolicies.has(existing.ID)) {
        if (Datacenters)
          throw new HttpError(
            500,
            `Changing the Datacenters of the ${existing.Name} policy is not permitted`,
          );
        if (Rules !== existing.Rules) {
          const problem = `Changing the Rules for the builtin ${existing.Name} policy is not permitted`;
          throw new HttpError(500, problem);
        }
      }
      checkRules(Rules);
      const ID = existing?.ID ?? uuid(registry.random);
      const Hash = hashOf(JSON.stringify([Name, Rules, Datacenters ?? []]));
      const limits = Datacenters && Datacenters.length > 0 ? { Datacenters } : {};
      return policies.write(transaction, ID, { ...input, ...limits, ID, Hash });
    });
    return writeResponse(call, stored);
  },
});

const builtInPolicies: ReadonlySet<string> = new Set([globalManagement.ID, globalReadOnly.ID]);

function checkRules(text: string): void {
  if (text.length > maxPolicyLength)
    throw new HttpError(500, `Failed to parse ACL rules: longer than ${maxPolicyLength} characters`);
  try {
    parseRules(text);
  } catch (error) {
    throw new HttpError(500, `Failed to parse ACL rules: ${messageOf(error)}`);
  }
}

export const getPolicy = readOperation('getPolicy', 'Read a policy', {
  returns: policy,
  errors: [400, 404],
  handle(call) {
    const { params } = call;
    if (params.id !== undefined) checkUuid('acl policy', params.id);
    const name = params.name === undefined ? undefined : unescapedName(params.name);
    return blockingQuery(call, ['policies'], (view) => ({
      value:
        (name === undefined ? policies.get(view, params.id ?? '') : byName(policies, view, name)) ??
        rejectMissing('policy'),
    }));
  },
});

/** Clients of Consul escape the name twice, for its slash. @throws HttpError 500 */
function unescapedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new HttpError(500, `invalid URL escape in ${JSON.stringify(name)}`);
  }
}

export const listPolicies = readOperation('listPolicies', 'List policies, without their rules', {
  returns: s.list(policyMetadata),
  handle: (call) =>
    blockingQuery(call, ['policies'], async (view) => ({
      value: await mapInSlices(await policies.list(view), ({ Datacenters = null, ...each }) => ({
        ...each,
        Datacenters,
      })),
    })),
});

export const removePolicy = operation(
  'deletePolicy',
  'Delete a policy',
  removing(policies, 'policy', (transaction, id) => {
    const { Name = '' } = policies.get(transaction, id) ?? {};
    if (builtInPolicies.has(id))
      throw new HttpError(500, `Delete operation not permitted on the builtin ${Name} policy`);
    policies.delete(transaction, id);
  }),
);

const replicationStatus = s.named(
  'ReplicationStatus',
  s.object({
    Enabled: s.boolean(),
    Running: s.boolean(),
    SourceDatacenter: s.string(),
    ReplicationType: s.string(),
    ...s.each(['ReplicatedIndex', 'ReplicatedRoleIndex', 'ReplicatedTokenIndex'], s.integer()),
    ...s.each(['LastSuccess', 'LastError'], s.time()),
    LastErrorMessage: s.string(),
  }),
);

/**
 * The replication status; the primary datacenter does not replicate
 * (docs/protocol/registry.md#acl-replication-status).
 */
export const getReplicationStatus = readOperation(
  'getReplicationStatus',
  'Get the status of ACL replication',
  {
    isUnauthenticated: true,
    returns: replicationStatus,
    handle: (call) => nonBlockingQuery(call, { value: call.registry.replicator?.status ?? notReplicating }),
  },
);
