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

/** Creates a binding rule, or updates the one of the path; its auth method is immutable. */
export async function putBindingRuleRoute(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const input = await readRule(call);
  if (params.id !== undefined && input.ID !== '' && input.ID !== params.id) {
    throw new HttpError(400, 'Binding Rule ID in URL and payload do not match');
  }
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
  return decodeFields(request, 'Request decode failed', (fields) => ({
    ID: fields.string('ID'),
    Description: fields.string('Description'),
    AuthMethod: fields.string('AuthMethod'),
    Selector: fields.string('Selector'),
    BindType: fields.string('BindType'),
    BindName: fields.string('BindName'),
  }));
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
  if (id !== undefined && !existing) throw ruleNotFound();
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

function invalidRule(problem: string): HttpError {
  return new HttpError(500, `Invalid Binding Rule: ${problem}`);
}

function ruleNotFound(): HttpError {
  return new HttpError(404, 'Requested binding rule does not exist: ACL not found');
}

export function getBindingRule(call: Call): Promise<HttpResponse> {
  const { params } = call;
  return blockingQuery(call, ['binding-rules'], (view) => {
    const rule = bindingRules.get(view, params.id ?? '');
    if (!rule) throw ruleNotFound();
    return { value: rule };
  });
}

/** All binding rules, or those of an auth method. */
export function listBindingRules(call: Call): Promise<HttpResponse> {
  const { request } = call;
  const method = request.query.get('authmethod') ?? '';
  return blockingQuery(call, ['binding-rules'], (view) => ({ value: bindingRulesOf(view, method) }));
}

export async function removeBindingRule(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const id = params.id ?? '';
  await registry.state.update((transaction) => {
    if (!bindingRules.get(transaction, id)) throw new HttpError(404, 'Cannot find binding rule to delete');
    bindingRules.delete(transaction, id);
  });
  return writeResponse(call, true);
}
