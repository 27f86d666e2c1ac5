import { compileFilter } from '../../core/bexpr/filter.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { isIdentityName } from '../acl/grants.ts';
import { byName, type Grants, policies, roles, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import type { Identity } from './identity.ts';
import type { BindingRule } from './state.ts';

const placeholder = /\$\{([^{}]*)\}/g;

/** The value of a variable in a bind name; undefined: unknown. */
type Lookup = (variable: string) => string | undefined;

function canBeBound(type: BindingRule['BindType'], name: string): boolean {
  if (type === 'service' || type === 'node') return isIdentityName(name);
  return /^[\w-]+$/.test(name) && name.length <= (type === 'role' ? 256 : 128);
}

function fillTemplate(name: string, lookup: Lookup): string {
  return name.replaceAll(placeholder, (_match, variable: string) => lookup(variable.trim()) ?? '');
}

/**
 * The problem of a rule, given the variables of its auth method; undefined: none.
 *
 * @param knownVariables e.g. `value.x`, `list.y`
 */
export async function bindingRuleProblem(
  { BindType, BindName, Selector }: Pick<BindingRule, 'BindType' | 'BindName' | 'Selector'>,
  knownVariables: readonly string[],
): Promise<string | undefined> {
  const variables = [...BindName.matchAll(placeholder)].map(([, variable = '']) => variable.trim());
  const unknownVariable = variables.find(
    (each) => each.startsWith('list.') || !knownVariables.includes(each),
  );
  if (unknownVariable !== undefined)
    return `BindName names "${unknownVariable}", which the auth method does not tell of callers`;
  if (
    !canBeBound(
      BindType,
      fillTemplate(BindName, () => 'x'),
    )
  ) {
    return `BindName "${BindName}" cannot be the name of a ${BindType}`;
  }
  if (Selector === '') return undefined;
  const { selectors } = await compileFilter(Selector);
  const unknown = selectors.map((each) => each.join('.')).find((each) => !knownVariables.includes(each));
  return unknown && `Selector looks at "${unknown}", which the auth method does not tell of callers`;
}

/** The rules that select a caller. @throws HttpError 500: the evaluation is too expensive */
export async function matchingRules(
  rules: readonly BindingRule[],
  identity: Identity,
): Promise<BindingRule[]> {
  const matches: BindingRule[] = [];
  for (const rule of rules) if (await isSelected(rule, identity)) matches.push(rule);
  return matches;
}

async function isSelected({ ID, Selector }: BindingRule, identity: Identity): Promise<boolean> {
  if (Selector === '') return true;
  try {
    return (await compileFilter(Selector)).matches(identity);
  } catch (error) {
    throw new HttpError(500, `the Selector of binding rule ${ID}: ${messageOf(error)}`);
  }
}

/**
 * The combined grants of rules. Roles and policies that do not exist are omitted.
 *
 * @returns undefined: none
 * @throws HttpError 500: the identity of the caller yields an invalid name
 */
export function boundGrants(
  view: View,
  rules: readonly BindingRule[],
  identity: Identity,
  datacenter: string,
): (Grants & Pick<Token, 'Roles'>) | undefined {
  const boundNames = (type: BindingRule['BindType']) => [
    ...new Set(rules.filter(({ BindType }) => BindType === type).map((rule) => boundName(rule, identity))),
  ];
  const Policies = boundNames('policy').flatMap((name) => byName(policies, view, name)?.ID ?? []);
  const Roles = boundNames('role').flatMap((name) => byName(roles, view, name)?.ID ?? []);
  const ServiceIdentities = boundNames('service').map((ServiceName) => ({ ServiceName }));
  const NodeIdentities = boundNames('node').map((NodeName) => ({ NodeName, Datacenter: datacenter }));
  if ([Policies, Roles, ServiceIdentities, NodeIdentities].every((each) => each.length === 0))
    return undefined;
  return {
    Policies,
    ...(Roles.length > 0 && { Roles }),
    ...(ServiceIdentities.length > 0 && { ServiceIdentities }),
    ...(NodeIdentities.length > 0 && { NodeIdentities }),
  };
}

function boundName({ BindName, BindType }: BindingRule, identity: Identity): string {
  const name = fillTemplate(BindName, (variable) => {
    const [part = '', key = ''] = variable.split('.');
    const value = identity[part]?.[key];
    return typeof value === 'string' ? value : undefined;
  });
  if (canBeBound(BindType, name)) return name;
  throw new HttpError(500, `computed bind name for ${BindType} is invalid: "${name}"`);
}
