import { messageOf } from '../../errors.ts';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { maxPolicyLength } from '../../skip-space.ts';
import { uuid } from '../../uuid.ts';
import { parseRules } from '../acl/rules.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { read, readOnce, written } from '../http/read.ts';
import { notReplicating } from '../replication/status.ts';
import {
  deletePolicy,
  globalManagement,
  hashOf,
  type Policy,
  policiesOf,
  policyByName,
  policyOf,
  putPolicy,
} from '../state/acl.ts';

const nameForm = /^[\w-]{1,128}$/;

/** Makes a policy, or changes the one that the path names. */
export async function putPolicyRoute(call: Call): Promise<Answer> {
  const { authority, params, registry, request } = call;
  demand(authority, 'acl:write', '');
  const wanted = await decode(request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    return {
      ID: fields.text('ID'),
      Name: fields.text('Name'),
      Description: fields.text('Description'),
      Rules: fields.text('Rules'),
    };
  });
  if (params.id !== undefined && wanted.ID !== '' && wanted.ID !== params.id) {
    throw new HttpRefusal(400, 'Policy ID in URL and payload do not match');
  }
  if (!nameForm.test(wanted.Name)) {
    throw new HttpRefusal(500, "Invalid Policy: invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  checkRules(wanted.Rules);
  const policy = await registry.state.change((draft) => {
    if (params.id === globalManagement.ID) throw builtIn('Changing');
    if (params.id !== undefined && !policyOf(draft, params.id)) throw noPolicy();
    const ID = params.id ?? uuid(registry.random);
    const other = policyByName(draft, wanted.Name);
    if (other && other.ID !== ID) {
      throw new HttpRefusal(500, `Invalid Policy: A Policy with Name "${wanted.Name}" already exists`);
    }
    return putPolicy(draft, { ...wanted, ID, Hash: hashOf(JSON.stringify([wanted.Name, wanted.Rules])) });
  });
  return written(call, policy);
}

function checkRules(text: string): void {
  if (text.length > maxPolicyLength)
    throw new HttpRefusal(500, `Failed to parse ACL rules: longer than ${maxPolicyLength} characters`);
  try {
    parseRules(text);
  } catch (error) {
    throw new HttpRefusal(500, `Failed to parse ACL rules: ${messageOf(error)}`);
  }
}

/** A policy by its ID, or by its name. */
export function getPolicy(call: Call): Promise<Answer> {
  const { authority, params } = call;
  demand(authority, 'acl:read', '');
  return read(call, ['policies'], (view) => {
    const policy =
      params.name === undefined ? policyOf(view, params.id ?? '') : policyByName(view, params.name);
    if (!policy) throw noPolicy();
    return { value: policy };
  });
}

/** All policies, without their rules. */
export function listPolicies(call: Call): Promise<Answer> {
  demand(call.authority, 'acl:read', '');
  return read(call, ['policies'], (view) => ({ value: policiesOf(view).map(listed) }));
}

function listed({ Rules: _rules, ...rest }: Policy): object {
  return rest;
}

export async function removePolicy(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const id = params.id ?? '';
  await registry.state.change((draft) => {
    if (id === globalManagement.ID) throw builtIn('Deleting');
    if (!policyOf(draft, id)) throw new HttpRefusal(404, 'Cannot find policy to delete');
    deletePolicy(draft, id);
  });
  return written(call, true);
}

function noPolicy(): HttpRefusal {
  return new HttpRefusal(404, 'Requested policy does not exist: ACL not found');
}

function builtIn(what: string): HttpRefusal {
  return new HttpRefusal(500, `${what} the builtin global-management policy is not permitted`);
}

/**
 * How this datacenter follows the primary one, which itself follows none
 * (docs/protocol/registry.md#acl-replication-status).
 */
export function replication(call: Call): Answer {
  return readOnce(call, { value: call.registry.replicator?.status ?? notReplicating });
}
