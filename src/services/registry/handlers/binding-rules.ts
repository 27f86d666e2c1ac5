import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import { checkUuid } from '../acl/names.ts';
import { bindingProblem, selectorProblem } from '../auth/binding.ts';
import { bindVariables, identityFields } from '../auth/identity.ts';
import {
  type AuthMethod,
  authMethodOf,
  bindingRule,
  bindingRules,
  bindingRulesOf,
  bindTypes,
} from '../auth/state.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import type { View } from '../model/tables.ts';
import { checkPathId, checkSameId, rejectMissing, removing, writing } from './acl-rows.ts';

const operation = operations('Auth methods');
const readOperation = readOperations('Auth methods');

/** Creates a binding rule, or updates the rule of the path; its auth method is immutable. */
export const putBindingRule = operation('createBindingRule', 'Create a binding rule', {
  ...writing('BindingRule', bindingRule),
  async handle(call) {
    const { params, registry } = call;
    const input = await call.body();
    checkSameId(call, input.ID, 'BindingRule');
    checkPathId(call, 'Binding Rule');
    const ID = params.id ?? uuid(registry.random);
    const checked = await checkRule(input, requireMethod(registry.state.view, input, params.id));
    const stored = await registry.state.update((transaction) => {
      // The auth method may have been deleted in the meantime.
      const { Name } = requireMethod(transaction, input, params.id);
      return bindingRules.write(transaction, ID, { ...checked, AuthMethod: input.AuthMethod || Name, ID });
    });
    return writeResponse(call, stored);
  },
});

type RuleInput = s.Input<typeof bindingRule>;

/** The auth method of a rule, by default the auth method of the existing rule. @throws HttpError 500 */
function requireMethod(view: View, input: RuleInput, id: string | undefined): AuthMethod {
  const existing = id === undefined ? undefined : bindingRules.get(view, id);
  if (id !== undefined && !existing) throw new HttpError(500, `cannot find binding rule ${id}`);
  const name = input.AuthMethod || (existing?.AuthMethod ?? '');
  if (existing && existing.AuthMethod !== name)
    throw new HttpError(500, 'the AuthMethod field of an Binding Rule is immutable');
  if (name === '') throw invalidRule('no AuthMethod is set');
  const method = authMethodOf(view, name);
  if (!method) throw new HttpError(500, `cannot find auth method with name ${JSON.stringify(name)}`);
  return method;
}

/** @throws HttpError 500 */
async function checkRule(input: RuleInput, method: AuthMethod) {
  const problem = await selectorProblem(input.Selector, identityFields(method));
  if (problem !== undefined)
    throw new HttpError(500, `invalid Binding Rule: Selector is invalid: ${problem}`);
  if (input.BindType === '') throw invalidRule('no BindType is set');
  if (input.BindName === '') throw invalidRule('no BindName is set');
  if (input.BindType !== 'templated-policy' && input.BindVars) {
    throw new HttpError(
      500,
      'invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.',
    );
  }
  const BindType = bindTypes.find((each) => each === input.BindType);
  const bindProblem = BindType
    ? bindingProblem({ ...input, BindType }, bindVariables(method))
    : `invalid Binding Rule: unknown BindType ${JSON.stringify(input.BindType)}`;
  if (!BindType || bindProblem !== undefined)
    throw invalidRule(`invalid BindName or BindVars: ${bindProblem}`);
  return { ...input, BindType };
}

const invalidRule = (problem: string): HttpError => new HttpError(500, `Invalid Binding Rule: ${problem}`);

export const getBindingRule = readOperation('getBindingRule', 'Read a binding rule', {
  returns: bindingRule,
  errors: [400, 404],
  handle(call) {
    const { id = '' } = call.params;
    checkUuid('acl binding rule', id);
    return blockingQuery(call, ['binding-rules'], (view) => ({
      value: bindingRules.get(view, id) ?? rejectMissing('binding rule'),
    }));
  },
});

export const listBindingRules = readOperation('listBindingRules', 'List binding rules', {
  query: { authmethod: s.string('Only rules of this auth method.') },
  returns: s.list(bindingRule),
  handle(call) {
    const { authmethod } = call.query();
    return blockingQuery(call, ['binding-rules'], async (view) => ({
      value: await bindingRulesOf(view, authmethod),
    }));
  },
});

export const removeBindingRule = operation(
  'deleteBindingRule',
  'Delete a binding rule',
  removing(bindingRules, 'binding rule'),
);
