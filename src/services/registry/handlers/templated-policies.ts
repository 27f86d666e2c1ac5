import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { decodeKnownFields, templateVariablesShape } from '../acl/body.ts';
import {
  syntheticPolicy,
  templateNames,
  templateOf,
  templateView,
  variablesProblem,
} from '../acl/templates.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { hashOf } from '../model/acl.ts';

/** The built-in policy templates by name (docs/protocol/registry.md#templated-policies). */
export function listTemplatedPolicies(call: Call): HttpResponse {
  return writeResponse(call, Object.fromEntries(templateNames.map((name) => [name, templateView(name)])));
}

export function getTemplatedPolicy(call: Call): HttpResponse {
  const { name = '' } = call.params;
  if (!templateOf(name)) throw new HttpError(400, `Invalid templated policy Name: ${name}`);
  return writeResponse(call, templateView(name));
}

/** The policy that a template becomes with the variables of the body. */
export async function previewTemplatedPolicy(call: Call): Promise<HttpResponse> {
  const { name = '' } = call.params;
  const quoted = JSON.stringify(name);
  if (!templateOf(name)) throw new HttpError(400, `templated policy ${quoted} does not exist`);
  const variables = await decodeKnownFields(
    call.request,
    'Failed to decode request body',
    templateVariablesShape,
    (fields) => ({ name: fields.string('Name') }),
  );
  const problem = variablesProblem(name, variables);
  if (problem !== undefined)
    throw new HttpError(400, `validation error for templated policy: ${quoted}: ${problem}`);
  return writeResponse(call, syntheticPolicy({ TemplateName: name, TemplateVariables: variables }, hashOf));
}
