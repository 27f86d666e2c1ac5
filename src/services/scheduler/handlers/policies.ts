import { messageOf } from '../../core/errors.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { maxPolicyLength } from '../../core/max-policy-length.ts';
import { parseRules } from '../acl/rules.ts';
import { blockingQuery, indexResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  anonymousPolicy,
  deletePolicy,
  hashOf,
  type Policy,
  policiesOf,
  policyOf,
  putPolicy,
} from '../model/acl.ts';
import { readBody } from '../read-body.ts';
import { requirePermission } from '../require-permission.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
const maxDescriptionLength = 256;

/** Creates or replaces a policy. */
export async function putPolicyRoute(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const input = await readBody(call, 'failed to decode the policy', (fields) => ({
    Name: fields.string('Name') || (params.name ?? ''),
    Description: fields.string('Description'),
    Rules: fields.string('Rules'),
  }));
  if (input.Name !== params.name) {
    throw new HttpError(400, 'ACL policy name does not match request path');
  }
  if (!namePattern.test(input.Name)) throw new HttpError(400, `invalid name "${input.Name}"`);
  if ([...input.Description].length > maxDescriptionLength) {
    throw new HttpError(400, `description longer than ${maxDescriptionLength}`);
  }
  checkRules(input.Rules);
  const { ModifyIndex } = await scheduler.state.update((transaction) =>
    putPolicy(transaction, { ...input, Hash: hashOf(JSON.stringify([input.Name, input.Rules])) }),
  );
  return indexResponse(ModifyIndex);
}

function checkRules(text: string): void {
  if (text.length > maxPolicyLength)
    throw new HttpError(400, `rules longer than ${maxPolicyLength} characters`);
  try {
    parseRules(text);
  } catch (error) {
    throw new HttpError(400, `failed to parse rules: ${messageOf(error)}`);
  }
}

/** A policy, for management tokens and tokens that have it. */
export function getPolicy(call: Call): Promise<HttpResponse> {
  const name = call.params.name ?? '';
  requirePermission(readablePolicies(call)(name));
  return blockingQuery(call, 'policies', (view) => {
    const policy = policyOf(view, name);
    return policy
      ? { value: policy, index: policy.ModifyIndex }
      : { notFoundMessage: 'ACL policy not found' };
  });
}

/** The policies, without their rules; for other tokens, only their own policies. */
export function listPolicies(call: Call): Promise<HttpResponse> {
  const isReadable = readablePolicies(call);
  const prefix = call.request.query.get('prefix') ?? '';
  return blockingQuery(call, 'policies', async (view) => {
    const readable = await filterInSlices(await policiesOf(view, prefix), ({ Name }) => isReadable(Name));
    return { value: await mapInSlices(readable, withoutRules) };
  });
}

function withoutRules({ Rules: _rules, ...rest }: Policy): object {
  return rest;
}

/** Those of the token; without one, those of the anonymous token. */
function readablePolicies({ permissions, request, scheduler }: Call): (name: string) => boolean {
  if (permissions.isManagement) return () => true;
  const names = scheduler.acl.tokenOf(request)?.Policies ?? [anonymousPolicy];
  return (name) => names.includes(name);
}

/** Deletes a policy; tokens that name it lose its permissions. */
export async function removePolicy(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const index = await scheduler.state.update((transaction) => {
    const name = params.name ?? '';
    if (!policyOf(transaction, name)) throw new HttpError(404, 'ACL policy not found');
    deletePolicy(transaction, name);
    return transaction.index;
  });
  return indexResponse(index);
}
