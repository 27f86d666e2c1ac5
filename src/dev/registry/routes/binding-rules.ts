import { messageOf } from '../../errors.ts';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import { uuid } from '../../uuid.ts';
import { faultOf } from '../auth/binding.ts';
import { knownOf } from '../auth/identity.ts';
import {
  authMethodOf,
  type BindingRule,
  bindingRuleOf,
  bindingRulesOf,
  bindTypes,
  deleteBindingRule,
  putBindingRule,
} from '../auth/state.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { read, written } from '../http/read.ts';
import type { View } from '../state/draft.ts';

/** Makes a binding rule, or changes the one that the path names; its auth method stays. */
export async function putBindingRuleRoute(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const wanted = await readRule(call);
  if (params.id !== undefined && wanted.ID !== '' && wanted.ID !== params.id) {
    throw new HttpRefusal(400, 'Binding Rule ID in URL and payload do not match');
  }
  const rule = { ...ruleFrom(wanted), ID: params.id ?? uuid(registry.random) };
  checkPlace(registry.state.view, rule, params.id);
  await checkContent(registry.state.view, rule);
  const put = await registry.state.change((draft) => {
    // What it belongs to may have gone in the meantime.
    checkPlace(draft, rule, params.id);
    return putBindingRule(draft, rule);
  });
  return written(call, put);
}

type Wanted = Awaited<ReturnType<typeof readRule>>;

function readRule({ request }: Call) {
  return decode(request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    return {
      ID: fields.text('ID'),
      Description: fields.text('Description'),
      AuthMethod: fields.text('AuthMethod'),
      Selector: fields.text('Selector'),
      BindType: fields.text('BindType'),
      BindName: fields.text('BindName'),
    };
  });
}

/** @throws HttpRefusal 500: it binds what is not known here, which is more than nothing to its author */
function ruleFrom(wanted: Wanted): Omit<BindingRule, keyof Indexes> {
  const BindType = bindTypes.find((each) => each === wanted.BindType);
  if (BindType) return { ...wanted, BindType };
  const supported = wanted.BindType === 'templated-policy' ? ' (templated policies are not supported)' : '';
  throw invalid(`BindType should be one of: ${bindTypes.join(', ')}${supported}`);
}

/** @throws HttpRefusal 404, 500 */
function checkPlace(
  view: View,
  { AuthMethod }: Omit<BindingRule, keyof Indexes>,
  id: string | undefined,
): void {
  const before = id === undefined ? undefined : bindingRuleOf(view, id);
  if (id !== undefined && !before) throw noRule();
  if (before && before.AuthMethod !== AuthMethod)
    throw invalid('the AuthMethod of a binding rule is immutable');
  if (!authMethodOf(view, AuthMethod)) throw invalid(`there is no auth method "${AuthMethod}"`);
}

/** @throws HttpRefusal 500 */
async function checkContent(view: View, rule: Omit<BindingRule, keyof Indexes>): Promise<void> {
  const method = authMethodOf(view, rule.AuthMethod);
  const fault = method && (await faultOf(rule, knownOf(method)).catch(messageOf));
  if (fault) throw invalid(fault);
}

function invalid(what: string): HttpRefusal {
  return new HttpRefusal(500, `Invalid Binding Rule: ${what}`);
}

function noRule(): HttpRefusal {
  return new HttpRefusal(404, 'Requested binding rule does not exist: ACL not found');
}

export function getBindingRule(call: Call): Promise<Answer> {
  const { authority, params } = call;
  demand(authority, 'acl:read', '');
  return read(call, ['binding-rules'], (view) => {
    const rule = bindingRuleOf(view, params.id ?? '');
    if (!rule) throw noRule();
    return { value: rule };
  });
}

/** All binding rules, or those of an auth method. */
export function listBindingRules(call: Call): Promise<Answer> {
  const { authority, request } = call;
  demand(authority, 'acl:read', '');
  const method = request.query.get('authmethod') ?? '';
  return read(call, ['binding-rules'], (view) => ({ value: bindingRulesOf(view, method) }));
}

export async function removeBindingRule(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const id = params.id ?? '';
  await registry.state.change((draft) => {
    if (!bindingRuleOf(draft, id)) throw new HttpRefusal(404, 'Cannot find binding rule to delete');
    deleteBindingRule(draft, id);
  });
  return written(call, true);
}
