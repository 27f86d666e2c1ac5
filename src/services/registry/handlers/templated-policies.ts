import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import {
  syntheticPolicy,
  templateNames,
  templateOf,
  templateView,
  variablesProblem,
} from '../acl/templates.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { hashOf, policy, templateVariables } from '../model/acl.ts';

const operation = operations('ACL');

const templatedPolicy = s.named(
  'TemplatedPolicy',
  s.object({
    TemplateName: s.string(),
    Schema: s.string('JSON Schema of the variables, as text; empty: none.'),
    Template: s.string(),
    Description: s.string(),
  }),
);

/** The built-in policy templates by name (docs/protocol/registry.md#templated-policies). */
export const listTemplatedPolicies = operation(
  'listTemplatedPolicies',
  'List the templates of policies by name',
  {
    returns: s.map(templatedPolicy),
    handle: (call) =>
      writeResponse(call, Object.fromEntries(templateNames.map((name) => [name, templateView(name)]))),
  },
);

export const getTemplatedPolicy = operation('getTemplatedPolicy', 'Read a template of policies', {
  returns: templatedPolicy,
  handle(call) {
    const { name = '' } = call.params;
    if (!templateOf(name)) throw new HttpError(400, `Invalid templated policy Name: ${name}`);
    return writeResponse(call, templateView(name));
  },
});

/** The policy that a template becomes with the variables of the body. */
export const previewTemplatedPolicy = operation(
  'previewTemplatedPolicy',
  'Show the policy of a template with variables',
  {
    body: templateVariables,
    bodyError: 'Failed to decode request body',
    rejectsUnknownFields: 'with hint',
    returns: policy,
    async handle(call) {
      const { name = '' } = call.params;
      const quoted = JSON.stringify(name);
      if (!templateOf(name)) throw new HttpError(400, `templated policy ${quoted} does not exist`);
      const TemplateVariables = await call.body();
      const problem = variablesProblem(name, TemplateVariables);
      if (problem !== undefined)
        throw new HttpError(400, `validation error for templated policy: ${quoted}: ${problem}`);
      return writeResponse(call, syntheticPolicy({ TemplateName: name, TemplateVariables }, hashOf));
    },
  },
);
