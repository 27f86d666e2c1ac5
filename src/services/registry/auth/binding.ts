import { compileFilter } from '../../core/bexpr/filter.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { isIdentityName } from '../acl/grants.ts';
import { type Grants, policyByName, roleByName, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import type { Identity } from './identity.ts';
import type { BindingRule } from './state.ts';

const placeholder = /\$\{([^{}]*)\}/g;

/** What can be put in the places of a name: by what stands in them; undefined: nothing can. */
type Lookup = (variable: string) => string | undefined;

/** May a thing of the rule's kind have this name? */
function canBeBound(type: BindingRule['BindType'], name: string): boolean {
  if (type === 'service' || type === 'node') return isIdentityName(name);
  return /^[\w-]+$/.test(name) && name.length <= (type === 'role' ? 256 : 128);
}

function fillTemplate(name: string, lookup: Lookup): string {
  return name.replaceAll(placeholder, (_match, variable: string) => lookup(variable.trim()) ?? '');
}

/**
 * What is wrong with a rule, of what is known of callers of its auth method; undefined: nothing.
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

/** The rules that select a caller. @throws HttpError 500: to find out is too much work */
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
 * What rules give a caller together. Roles and policies that are not there are left out.
 * @returns undefined: nothing at all
 * @throws HttpError 500: what is known of the caller makes a name that cannot be
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
  const Policies = boundNames('policy').flatMap((name) => policyByName(view, name)?.ID ?? []);
  const Roles = boundNames('role').flatMap((name) => roleByName(view, name)?.ID ?? []);
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
