import { messageOf } from '../../errors.ts';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { maxPolicyLength } from '../../skip-space.ts';
import { parseRules } from '../acl/rules.ts';
import type { Call } from '../http/call.ts';
import { done, read } from '../http/read.ts';
import { demand } from '../http/refusals.ts';
import { deletePolicy, hashOf, type Policy, policiesOf, policyOf, putPolicy } from '../state/acl.ts';

const nameForm = /^[a-zA-Z0-9-]{1,128}$/;
const longestDescription = 256;

/** Makes a policy, or puts all that it is anew. */
export async function putPolicyRoute(call: Call): Promise<Answer> {
  const { authority, params, request, scheduler } = call;
  demand(authority.manages);
  const wanted = await decode(request, 'failed to decode the policy', (body) => {
    const fields = new Fields(body);
    return {
      Name: fields.text('Name') || (params.name ?? ''),
      Description: fields.text('Description'),
      Rules: fields.text('Rules'),
    };
  });
  if (wanted.Name !== params.name) {
    throw new HttpRefusal(400, 'ACL policy name does not match request path');
  }
  if (!nameForm.test(wanted.Name)) throw new HttpRefusal(400, `invalid name "${wanted.Name}"`);
  if ([...wanted.Description].length > longestDescription) {
    throw new HttpRefusal(400, `description longer than ${longestDescription}`);
  }
  checkRules(wanted.Rules);
  const { ModifyIndex } = await scheduler.state.change((draft) =>
    putPolicy(draft, { ...wanted, Hash: hashOf(JSON.stringify([wanted.Name, wanted.Rules])) }),
  );
  return done(ModifyIndex);
}

function checkRules(text: string): void {
  if (text.length > maxPolicyLength)
    throw new HttpRefusal(400, `rules longer than ${maxPolicyLength} characters`);
  try {
    parseRules(text);
  } catch (error) {
    throw new HttpRefusal(400, `failed to parse rules: ${messageOf(error)}`);
  }
}

/** A policy, for those who manage and those whose token has it. */
export function getPolicy(call: Call): Promise<Answer> {
  const name = call.params.name ?? '';
  demand(ownPolicies(call)(name));
  return read(call, 'policies', (view) => {
    const policy = policyOf(view, name);
    return policy ? { value: policy, index: policy.ModifyIndex } : { missing: 'ACL policy not found' };
  });
}

/** The policies, without their rules; those who do not manage see those of their token. */
export function listPolicies(call: Call): Promise<Answer> {
  const isOwn = ownPolicies(call);
  const prefix = call.request.query.get('prefix') ?? '';
  return read(call, 'policies', (view) => ({
    value: policiesOf(view, prefix)
      .filter(({ Name }) => isOwn(Name))
      .map(listed),
  }));
}

function listed({ Rules: _rules, ...rest }: Policy): object {
  return rest;
}

/** @throws HttpRefusal 403: the caller has no token */
function ownPolicies({ authority, request, scheduler }: Call): (name: string) => boolean {
  if (authority.manages) return () => true;
  const token = scheduler.access.tokenOf(request);
  demand(token !== undefined);
  return (name) => token?.Policies.includes(name) ?? false;
}

/** Deletes a policy; tokens that name it have lost it. */
export async function removePolicy(call: Call): Promise<Answer> {
  const { authority, params, scheduler } = call;
  demand(authority.manages);
  const index = await scheduler.state.change((draft) => {
    const name = params.name ?? '';
    if (!policyOf(draft, name)) throw new HttpRefusal(404, 'ACL policy not found');
    deletePolicy(draft, name);
    return draft.index;
  });
  return done(index);
}
