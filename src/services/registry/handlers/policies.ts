import { messageOf } from '../../core/errors.ts';
import { decodeFields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { maxPolicyLength } from '../../core/max-policy-length.ts';
import { uuid } from '../../core/uuid.ts';
import { parseRules } from '../acl/rules.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { byName, globalManagement, hashOf, type Policy, policies } from '../model/acl.ts';
import { notReplicating } from '../replication/status.ts';
import { checkSameId, rejectMissing, removeRow } from './acl-rows.ts';

const namePattern = /^[\w-]{1,128}$/;

/** Creates a policy, or updates the one of the path. */
export async function putPolicyRoute(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const input = await decodeFields(request, 'Request decode failed', (fields) =>
    fields.texts('ID', 'Name', 'Description', 'Rules'),
  );
  checkSameId(call, input.ID, 'Policy');
  if (!namePattern.test(input.Name)) {
    throw new HttpError(500, "Invalid Policy: invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  checkRules(input.Rules);
  const policy = await registry.state.update((transaction) => {
    if (params.id === globalManagement.ID) throw builtInPolicyError('Changing');
    if (params.id !== undefined && !policies.get(transaction, params.id)) rejectMissing('policy');
    const ID = params.id ?? uuid(registry.random);
    const other = byName(policies, transaction, input.Name);
    if (other && other.ID !== ID) {
      throw new HttpError(500, `Invalid Policy: A Policy with Name "${input.Name}" already exists`);
    }
    const Hash = hashOf(JSON.stringify([input.Name, input.Rules]));
    return policies.write(transaction, ID, { ...input, ID, Hash });
  });
  return writeResponse(call, policy);
}

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
  return blockingQuery(call, ['policies'], (view) => {
    const policy =
      params.name === undefined ? policies.get(view, params.id ?? '') : byName(policies, view, params.name);
    if (!policy) rejectMissing('policy');
    return { value: policy };
  });
}

export function listPolicies(call: Call): Promise<HttpResponse> {
  return blockingQuery(call, ['policies'], (view) => ({ value: policies.values(view).map(withoutRules) }));
}

const withoutRules = ({ Rules: _rules, ...rest }: Policy): object => rest;

export function removePolicy(call: Call): Promise<HttpResponse> {
  return removeRow(call, policies, 'policy', (transaction, id) => {
    if (id === globalManagement.ID) throw builtInPolicyError('Deleting');
    policies.delete(transaction, id);
  });
}

function builtInPolicyError(action: string): HttpError {
  return new HttpError(500, `${action} the builtin global-management policy is not permitted`);
}

/**
 * The replication status; the primary datacenter does not replicate
 * (docs/protocol/registry.md#acl-replication-status).
 */
export function getReplicationStatus(call: Call): HttpResponse {
  return nonBlockingQuery(call, { value: call.registry.replicator?.status ?? notReplicating });
}
