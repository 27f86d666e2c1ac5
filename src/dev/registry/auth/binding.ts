import { filterOf } from '../../bexpr/filter.ts';
import { messageOf } from '../../errors.ts';
import { HttpRefusal } from '../../http/service.ts';
import { isIdentity } from '../acl/grants.ts';
import { type Grants, policyByName, roleByName, type Token } from '../state/acl.ts';
import type { View } from '../state/draft.ts';
import type { Identity } from './identity.ts';
import type { BindingRule } from './state.ts';

const place = /\$\{([^{}]*)\}/g;

/** What can be put in the places of a name: by what stands in them; undefined: nothing can. */
type Lookup = (variable: string) => string | undefined;

/** May a thing of the rule's kind have this name? */
function canBeBound(type: BindingRule['BindType'], name: string): boolean {
  if (type === 'service' || type === 'node') return isIdentity(name);
  return /^[\w-]+$/.test(name) && name.length <= (type === 'role' ? 256 : 128);
}

function filled(name: string, lookup: Lookup): string {
  return name.replaceAll(place, (_whole, variable: string) => lookup(variable.trim()) ?? '');
}

/**
 * What is wrong with a rule, of what is known of callers of its auth method; undefined: nothing.
 * @param known e.g. `value.x`, `list.y`
 */
export async function faultOf(
  { BindType, BindName, Selector }: Pick<BindingRule, 'BindType' | 'BindName' | 'Selector'>,
  known: readonly string[],
): Promise<string | undefined> {
  const variables = [...BindName.matchAll(place)].map(([, variable = '']) => variable.trim());
  const odd = variables.find((each) => each.startsWith('list.') || !known.includes(each));
  if (odd !== undefined) return `BindName names "${odd}", which the auth method does not tell of callers`;
  if (
    !canBeBound(
      BindType,
      filled(BindName, () => 'x'),
    )
  ) {
    return `BindName "${BindName}" cannot be the name of a ${BindType}`;
  }
  if (Selector === '') return undefined;
  const { selectors } = await filterOf(Selector);
  const unknown = selectors.map((each) => each.join('.')).find((each) => !known.includes(each));
  return unknown && `Selector looks at "${unknown}", which the auth method does not tell of callers`;
}

/** The rules that select a caller. @throws HttpRefusal 500: to find out is too much work */
export async function matching(rules: readonly BindingRule[], identity: Identity): Promise<BindingRule[]> {
  const found: BindingRule[] = [];
  for (const rule of rules) if (await selects(rule, identity)) found.push(rule);
  return found;
}

async function selects({ ID, Selector }: BindingRule, identity: Identity): Promise<boolean> {
  if (Selector === '') return true;
  try {
    return (await filterOf(Selector)).passes(identity);
  } catch (error) {
    throw new HttpRefusal(500, `the Selector of binding rule ${ID}: ${messageOf(error)}`);
  }
}

/**
 * What rules give a caller together. Roles and policies that are not there are left out.
 * @returns undefined: nothing at all
 * @throws HttpRefusal 500: what is known of the caller makes a name that cannot be
 */
export function bound(
  view: View,
  rules: readonly BindingRule[],
  identity: Identity,
  datacenter: string,
): (Grants & Pick<Token, 'Roles'>) | undefined {
  const named = (type: BindingRule['BindType']) => [
    ...new Set(rules.filter(({ BindType }) => BindType === type).map((rule) => nameOf(rule, identity))),
  ];
  const Policies = named('policy').flatMap((name) => policyByName(view, name)?.ID ?? []);
  const Roles = named('role').flatMap((name) => roleByName(view, name)?.ID ?? []);
  const ServiceIdentities = named('service').map((ServiceName) => ({ ServiceName }));
  const NodeIdentities = named('node').map((NodeName) => ({ NodeName, Datacenter: datacenter }));
  if ([Policies, Roles, ServiceIdentities, NodeIdentities].every((each) => each.length === 0))
    return undefined;
  return {
    Policies,
    ...(Roles.length > 0 && { Roles }),
    ...(ServiceIdentities.length > 0 && { ServiceIdentities }),
    ...(NodeIdentities.length > 0 && { NodeIdentities }),
  };
}

function nameOf({ BindName, BindType }: BindingRule, identity: Identity): string {
  const name = filled(BindName, (variable) => {
    const [part = '', of = ''] = variable.split('.');
    const value = identity[part]?.[of];
    return typeof value === 'string' ? value : undefined;
  });
  if (canBeBound(BindType, name)) return name;
  throw new HttpRefusal(500, `computed bind name for ${BindType} is invalid: "${name}"`);
}
