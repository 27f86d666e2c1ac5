import { messageOf } from '../../core/errors.ts';
import { decodeFields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { uuid } from '../../core/uuid.ts';
import { bindingRuleProblem } from '../auth/binding.ts';
import { selectorVariables } from '../auth/identity.ts';
import { authMethods, type BindingRule, bindingRules, bindingRulesOf, bindTypes } from '../auth/state.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import type { View } from '../model/tables.ts';
import { checkSameId, rejectMissing, removeRow } from './acl-rows.ts';

/** Creates a binding rule, or updates the one of the path; its auth method is immutable. */
export async function putBindingRuleRoute(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const input = await readRule(call);
  checkSameId(call, input.ID, 'Binding Rule');
  const rule = { ...checkRule(input), ID: params.id ?? uuid(registry.random) };
  checkReferences(registry.state.view, rule, params.id);
  await checkContent(registry.state.view, rule);
  const stored = await registry.state.update((transaction) => {
    // The auth method may have been deleted in the meantime.
    checkReferences(transaction, rule, params.id);
    return bindingRules.write(transaction, rule.ID, rule);
  });
  return writeResponse(call, stored);
}

type RuleInput = Awaited<ReturnType<typeof readRule>>;

function readRule({ request }: Call) {
  return decodeFields(request, 'Request decode failed', (fields) =>
    fields.texts('ID', 'Description', 'AuthMethod', 'Selector', 'BindType', 'BindName'),
  );
}

/** @throws HttpError 500: an unsupported bind type, which must not be ignored */
function checkRule(input: RuleInput): Omit<BindingRule, keyof Indexes> {
  const BindType = bindTypes.find((each) => each === input.BindType);
  if (BindType) return { ...input, BindType };
  const supported = input.BindType === 'templated-policy' ? ' (templated policies are not supported)' : '';
  throw invalidRule(`BindType should be one of: ${bindTypes.join(', ')}${supported}`);
}

/** @throws HttpError 404, 500 */
function checkReferences(
  view: View,
  { AuthMethod }: Omit<BindingRule, keyof Indexes>,
  id: string | undefined,
): void {
  const existing = id === undefined ? undefined : bindingRules.get(view, id);
  if (id !== undefined && !existing) rejectMissing('binding rule');
  if (existing && existing.AuthMethod !== AuthMethod)
    throw invalidRule('the AuthMethod of a binding rule is immutable');
  if (!authMethods.get(view, AuthMethod)) throw invalidRule(`there is no auth method "${AuthMethod}"`);
}

/** @throws HttpError 500 */
async function checkContent(view: View, rule: Omit<BindingRule, keyof Indexes>): Promise<void> {
  const method = authMethods.get(view, rule.AuthMethod);
  const problem = method && (await bindingRuleProblem(rule, selectorVariables(method)).catch(messageOf));
  if (problem) throw invalidRule(problem);
}

const invalidRule = (problem: string): HttpError => new HttpError(500, `Invalid Binding Rule: ${problem}`);

export function getBindingRule(call: Call): Promise<HttpResponse> {
  const { params } = call;
  return blockingQuery(call, ['binding-rules'], (view) => ({
    value: bindingRules.get(view, params.id ?? '') ?? rejectMissing('binding rule'),
  }));
}

export function listBindingRules(call: Call): Promise<HttpResponse> {
  const { request } = call;
  const method = request.query.get('authmethod') ?? '';
  return blockingQuery(call, ['binding-rules'], (view) => ({ value: bindingRulesOf(view, method) }));
}

export function removeBindingRule(call: Call): Promise<HttpResponse> {
  return removeRow(call, bindingRules, 'binding rule');
}
