import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { maxPolicyLength } from '../../core/max-policy-length.ts';
import * as s from '../../core/schema/types.ts';
import { parseRules } from '../acl/rules.ts';
import { blockingQuery, foundRow, listing, reading, writeIndex, writing } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { errorList, problems, requirePermission } from '../errors.ts';
import {
  anonymousPolicy,
  hashOf,
  type Policy,
  policies,
  policy,
  policyMetadata,
  policyNamesOf,
} from '../model/acl.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
const maxDescriptionLength = 256;

const operation = operations('ACL');

export const putPolicyRoute = operation('putPolicy', 'Create or replace a policy', {
  ...writing,
  body: policy,
  bodyError: 'failed to decode the policy',
  async handle(call) {
    const { permissions, params } = call;
    requirePermission(permissions.isManagement);
    const body = await call.body();
    const input = { ...body, Name: body.Name || (params.name ?? '') };
    if (input.Name !== params.name) throw new HttpError(400, 'ACL policy name does not match request path');
    if (!namePattern.test(input.Name)) throw new HttpError(400, `invalid name "${input.Name}"`);
    if ([...input.Description].length > maxDescriptionLength)
      throw new HttpError(400, `description longer than ${maxDescriptionLength}`);
    checkRules(input.Rules);
    const { JobACL, ...fields } = input;
    checkJob(JobACL);
    const row = {
      ...fields,
      ...(JobACL && { JobACL }),
      Hash: hashOf(JSON.stringify([input.Name, input.Description, input.Rules, JobACL])),
    };
    return writeIndex(call, (transaction) => policies.write(transaction, input.Name, row).ModifyIndex);
  },
});

/** @throws HttpError 400: a part of a job without the part that has it */
function checkJob(job: s.Input<typeof policy>['JobACL']): void {
  if (job === null) return;
  const { Namespace, JobID, Group, Task } = job;
  const found = problems([
    JobID !== '' && Namespace === '' && 'namespace must be set to set job ID',
    Group !== '' && JobID === '' && 'job ID must be set to set group',
    Task !== '' && Group === '' && 'group must be set to set task',
  ]);
  if (found.length > 0) throw new HttpError(400, `policy 0 invalid: ${errorList(found)}`);
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

export const getPolicy = operation('getPolicy', 'Read a policy', {
  description: 'For management tokens, and tokens that have it.',
  ...reading,
  returns: policy,
  handle(call) {
    const name = call.params.name ?? '';
    requirePermission(name === anonymousPolicy || readablePolicies(call)(name));
    return blockingQuery(call, 'policies', (view) =>
      foundRow(policies.get(view, name), 'ACL policy not found', policyView),
    );
  },
});

export const listPolicies = operation('listPolicies', 'List policies, without their rules', {
  description: 'For other than management tokens, only their own policies.',
  ...listing,
  returns: s.list(policyMetadata),
  handle(call) {
    const isReadable = readablePolicies(call);
    const { prefix } = call.query();
    return blockingQuery(call, 'policies', async (view) => ({
      value: await mapInSlices(
        await filterInSlices(await policies.list(view, prefix), ({ Name }) => isReadable(Name)),
        policyView,
      ),
    }));
  },
});

/** A policy in a response. */
const policyView = ({ JobACL, ...row }: Policy): object => ({ ...row, JobACL: JobACL ?? null });

/** The policies of the token and its roles, or of the anonymous token. */
function readablePolicies({ permissions, request, scheduler }: Call): (name: string) => boolean {
  if (permissions.isManagement) return () => true;
  const token = scheduler.acl.tokenOf(request);
  const names = token ? policyNamesOf(scheduler.state.view, token) : [anonymousPolicy];
  return (name) => names.includes(name);
}

export const removePolicy = operation('deletePolicy', 'Delete a policy', {
  description: 'Tokens that name it lose its permissions.',
  ...writing,
  errors: [400, 404],
  handle(call) {
    requirePermission(call.permissions.isManagement);
    return writeIndex(call, (transaction) => {
      const name = call.params.name ?? '';
      if (!policies.get(transaction, name)) throw new HttpError(404, 'ACL policy not found');
      policies.delete(transaction, name);
      return transaction.index;
    });
  },
});
