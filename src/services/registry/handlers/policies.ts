import { messageOf } from '../../core/errors.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import { maxPolicyLength } from '../../core/max-policy-length.ts';
import { uuid, uuidPattern } from '../../core/uuid.ts';
import { decodeKnownFields, policyShape } from '../acl/body.ts';
import { readDatacenters } from '../acl/grants.ts';
import { checkUuid, policyNameProblem } from '../acl/names.ts';
import { parseRules } from '../acl/rules.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { byName, globalManagement, globalReadOnly, hashOf, type Policy, policies } from '../model/acl.ts';
import { notReplicating } from '../replication/status.ts';
import { checkSameId, rejectMissing, removeRow } from './acl-rows.ts';

/** Creates a policy, or updates the one of the path. */
export async function putPolicyRoute(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const input = await decodeKnownFields(request, 'Policy decoding failed', policyShape, (fields) => ({
    ...fields.texts('ID', 'Name', 'Description', 'Rules'),
    hasDatacenters: fields.has('Datacenters'),
    datacenters: readDatacenters(fields),
  }));
  const { hasDatacenters, datacenters, ...policy } = input;
  if (params.id === undefined && policy.ID !== '')
    throw new HttpError(400, 'Cannot specify the ID when creating a new policy');
  checkSameId(call, policy.ID, 'Policy');
  const problem = policyNameProblem(policy.Name);
  if (problem !== undefined) throw new HttpError(500, `Invalid Policy: ${problem}`);
  if (params.id !== undefined && !uuidPattern.test(params.id))
    throw new HttpError(500, 'Policy ID invalid UUID');
  const stored = await registry.state.update((transaction) => {
    const existing = params.id === undefined ? undefined : policies.get(transaction, params.id);
    if (params.id !== undefined && !existing) throw new HttpError(500, `cannot find policy ${params.id}`);
    const other = byName(policies, transaction, policy.Name);
    if (other && other.ID !== existing?.ID) {
      const noun = existing ? 'policy with name' : 'Policy with Name';
      throw new HttpError(500, `Invalid Policy: A ${noun} ${JSON.stringify(policy.Name)} already exists`);
    }
    if (existing && builtInPolicies.has(existing.ID)) {
      const { Name, Rules } = existing;
      if (hasDatacenters)
        throw new HttpError(500, `Changing the Datacenters of the ${Name} policy is not permitted`);
      if (policy.Rules !== Rules)
        throw new HttpError(500, `Changing the Rules for the builtin ${Name} policy is not permitted`);
    }
    checkRules(policy.Rules);
    const ID = existing?.ID ?? uuid(registry.random);
    const Hash = hashOf(JSON.stringify([policy.Name, policy.Rules, datacenters.Datacenters ?? []]));
    return policies.write(transaction, ID, { ...policy, ...datacenters, ID, Hash });
  });
  return writeResponse(call, stored);
}

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

export function getPolicy(call: Call): Promise<HttpResponse> {
  const { params } = call;
  if (params.id !== undefined) checkUuid('acl policy', params.id);
  const name = params.name === undefined ? undefined : unescapedName(params.name);
  return blockingQuery(call, ['policies'], (view) => {
    const policy = name === undefined ? policies.get(view, params.id ?? '') : byName(policies, view, name);
    if (!policy) rejectMissing('policy');
    return { value: policy };
  });
}

/** Clients of Consul escape the name twice, for its slash. @throws HttpError 500 */
function unescapedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new HttpError(500, `invalid URL escape in ${JSON.stringify(name)}`);
  }
}

export function listPolicies(call: Call): Promise<HttpResponse> {
  return blockingQuery(call, ['policies'], async (view) => ({
    value: await mapInSlices(await policies.list(view), withoutRules),
  }));
}

const withoutRules = ({ Rules: _rules, ...rest }: Policy): object => {
  return { ...rest, Datacenters: rest.Datacenters ?? null };
};

export function removePolicy(call: Call): Promise<HttpResponse> {
  return removeRow(call, policies, 'policy', (transaction, id) => {
    const { Name = '' } = policies.get(transaction, id) ?? {};
    if (builtInPolicies.has(id))
      throw new HttpError(500, `Delete operation not permitted on the builtin ${Name} policy`);
    policies.delete(transaction, id);
  });
}

/**
 * The replication status; the primary datacenter does not replicate
 * (docs/protocol/registry.md#acl-replication-status).
 */
export function getReplicationStatus(call: Call): HttpResponse {
  return nonBlockingQuery(call, { value: call.registry.replicator?.status ?? notReplicating });
}
