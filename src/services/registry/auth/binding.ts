import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { isIdentityName, isRoleName, policyNameProblem } from '../acl/names.ts';
import { templateOf, variablesProblem, withoutRepeated } from '../acl/templates.ts';
import type { FieldsByName } from '../filter/fields.ts';
import { compileFilter } from '../filter/filter.ts';
import { byName, type Grants, policies, roles, type TemplatedPolicy, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import type { Identity } from './identity.ts';
import { InterpolationError, interpolate } from './interpolate.ts';
import type { BindingRule } from './state.ts';

/** The value of a variable in a bind name; undefined: unknown. */
type Lookup = (variable: string) => string | undefined;

type Binding = Pick<BindingRule, 'BindType' | 'BindName' | 'BindVars'>;

const isValidName = {
  service: isIdentityName,
  node: isIdentityName,
  role: isRoleName,
  policy: (name: string) => policyNameProblem(name) === undefined,
};

/** @throws InterpolationError a placeholder that cannot be replaced, or an invalid name */
function bindName(type: keyof typeof isValidName, text: string, lookup: Lookup): string {
  const name = withPrefix('error interpreting template', () => interpolate(text, lookup));
  if (isValidName[type](name)) return name;
  throw new InterpolationError(`invalid bind name: ${JSON.stringify(name)}`);
}

/** @throws InterpolationError an unknown template, or invalid variables */
function bindTemplate({ BindName, BindVars }: Binding, lookup: Lookup): TemplatedPolicy {
  const template = templateOf(BindName);
  if (!template) {
    throw new InterpolationError(
      `Bind name for templated-policy bind type does not match existing template name: ${BindName}`,
    );
  }
  const { name } = BindVars ?? {};
  const variables = BindVars && {
    ...(name !== undefined && {
      name: withPrefix('failed to interpret templated policy variables', () => interpolate(name, lookup)),
    }),
  };
  const problem = variablesProblem(BindName, variables);
  if (problem !== undefined) throw new InterpolationError(`templated policy failed validation: ${problem}`);
  return {
    TemplateID: template.id,
    TemplateName: BindName,
    ...(variables && { TemplateVariables: variables }),
  };
}

function withPrefix<Result>(prefix: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof InterpolationError ? new InterpolationError(`${prefix}: ${error.message}`) : error;
  }
}

/**
 * The problem with what a rule binds; undefined: none.
 *
 * @param variables of the auth method, such as `value.x`
 */
export function bindingProblem(binding: Binding, variables: readonly string[]): string | undefined {
  const { BindType, BindName } = binding;
  const lookup: Lookup = (variable) => (variables.includes(variable) ? 'fake' : undefined);
  try {
    if (BindType === 'templated-policy') bindTemplate(binding, lookup);
    else bindName(BindType, BindName, lookup);
    return undefined;
  } catch (error) {
    if (error instanceof InterpolationError)
      return `failed to validate bindType ${JSON.stringify(BindType)}: ${error.message}`;
    throw error;
  }
}

/** The problem with a selector for identities with these fields; undefined: none. */
export async function selectorProblem(selector: string, fields: FieldsByName): Promise<string | undefined> {
  if (selector === '') return undefined;
  return compileFilter(selector, fields).then(() => undefined, messageOf);
}

/** The rules that select a caller. @throws HttpError 500: the evaluation is too expensive */
export async function matchingRules(
  rules: readonly BindingRule[],
  identity: Identity,
  fields: FieldsByName,
): Promise<BindingRule[]> {
  const matches: BindingRule[] = [];
  for await (const rule of yieldingIterator(rules))
    if (await isSelected(rule, identity, fields)) matches.push(rule);
  return matches;
}

async function isSelected(
  { ID, Selector }: BindingRule,
  identity: Identity,
  fields: FieldsByName,
): Promise<boolean> {
  if (Selector === '') return true;
  // The selector of an earlier version may be invalid: it selects no caller.
  const filter = await compileFilter(Selector, fields).catch(() => undefined);
  try {
    return ((await filter?.select([identity]))?.length ?? 0) > 0;
  } catch (error) {
    throw new HttpError(500, `the Selector of binding rule ${ID}: ${messageOf(error)}`);
  }
}

/**
 * The combined grants of rules. Roles and policies that do not exist are omitted.
 *
 * @param variables of the auth method, such as `value.x`
 * @returns undefined: none
 * @throws HttpError 500: the identity of the caller yields an invalid name
 */
export function boundGrants(
  view: View,
  rules: readonly BindingRule[],
  identity: Identity,
  variables: readonly string[],
  datacenter: string,
): (Grants & Pick<Token, 'Roles'>) | undefined {
  const lookup: Lookup = (variable) => {
    if (!variables.includes(variable)) return undefined;
    const [part = '', key = ''] = variable.split('.');
    return String(identity[part]?.[key] ?? '');
  };
  const ofType = (type: BindingRule['BindType']) => rules.filter(({ BindType }) => BindType === type);
  const boundNames = (type: keyof typeof isValidName) => [
    ...new Set(ofType(type).map(({ BindName }) => orFail(() => bindName(type, BindName, lookup)))),
  ];
  const Policies = boundNames('policy').flatMap((name) => byName(policies, view, name)?.ID ?? []);
  const Roles = boundNames('role').flatMap((name) => byName(roles, view, name)?.ID ?? []);
  const ServiceIdentities = boundNames('service').map((ServiceName) => ({ ServiceName }));
  const NodeIdentities = boundNames('node').map((NodeName) => ({ NodeName, Datacenter: datacenter }));
  const TemplatedPolicies = withoutRepeated(
    ofType('templated-policy').map((rule) => orFail(() => bindTemplate(rule, lookup))),
  );
  const all = [Policies, Roles, ServiceIdentities, NodeIdentities, TemplatedPolicies];
  if (all.every((each) => each.length === 0)) return undefined;
  return {
    Policies,
    ...(Roles.length > 0 && { Roles }),
    ...(ServiceIdentities.length > 0 && { ServiceIdentities }),
    ...(NodeIdentities.length > 0 && { NodeIdentities }),
    ...(TemplatedPolicies.length > 0 && { TemplatedPolicies }),
  };
}

/** @throws HttpError 500 */
function orFail<Result>(bind: () => Result): Result {
  try {
    return bind();
  } catch (error) {
    throw error instanceof InterpolationError ? new HttpError(500, error.message) : error;
  }
}
