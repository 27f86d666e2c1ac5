import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../base62.ts';
import { type Answer, jsonAnswer } from '../../http/service.ts';
import { demandAdmin } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf, type Fields } from '../http/fields.ts';
import { badField, checkId, notFound } from '../http/refusals.ts';
import { listAnswer } from '../list/list.ts';
import { type MethodType, methodOf, methodPrefixes, methodsOf, newMethod } from '../state/auth-methods.ts';
import { scopeOf } from '../state/scopes.ts';
import { methodView } from '../views.ts';

/** Everybody may see which auth methods a scope has: to log in begins with it. */
export function listMethods(call: Call): Promise<Answer> {
  const { storage } = call.service;
  const scope = call.request.query.get('scope_id') ?? '';
  if (scope === '') throw badField('scope_id', 'This field is required.');
  if (!scopeOf(storage, scope)) throw notFound();
  return listAnswer(call, methodsOf(scope), (id) => {
    const method = methodOf(storage, id);
    return method && methodView(call, method);
  });
}

export function getMethod(call: Call): Answer {
  const method = methodOf(call.service.storage, checkId(call.params.id, Object.values(methodPrefixes)));
  if (!method) throw notFound();
  demandAdmin(call);
  return jsonAnswer(200, methodView(call, method));
}

export async function createMethod(call: Call): Promise<Answer> {
  demandAdmin(call);
  const { storage, random } = call.service;
  const body = await bodyOf(call.request);
  const scope = body.required('scope_id');
  const type = body.required('type');
  const [name, description] = [body.label('name'), body.label('description')];
  if (!isMethodType(type)) {
    body.problem('type', 'This field must be password, oidc or ldap.');
    body.check();
    throw notFound();
  }
  const attributes = attributesOf[type](body.inner('attributes'));
  body.check();
  const place = scopeOf(storage, scope);
  if (!place) throw notFound();
  if (place.type === 'project') throw badField('scope_id', 'A project has no auth methods.');
  const draft = { id: methodPrefixes[type] + base62(10, random), type, scope, name, description, attributes };
  const { method, changes } = newMethod(storage, draft, timeOf(call.service));
  await storage.write(changes);
  return jsonAnswer(200, methodView(call, method));
}

function isMethodType(type: string): type is MethodType {
  return Object.hasOwn(methodPrefixes, type);
}

type Attributes = { readonly [name: string]: Json };

/**
 * How an auth method is set up. Of a provider or directory elsewhere only what is no secret is kept: nothing here
 * calls it.
 */
const attributesOf: Readonly<Record<MethodType, (fields: Fields) => Attributes>> = {
  password: (fields) => ({
    min_login_name_length: fields.count('min_login_name_length') ?? 3,
    min_password_length: fields.count('min_password_length') ?? 8,
  }),
  oidc: (fields) => ({
    state: 'inactive',
    issuer: fields.required('issuer'),
    ...given(fields, 'text', ['client_id', 'api_url_prefix']),
    ...given(fields, 'count', ['max_age']),
    ...given(fields, 'texts', ['signing_algorithms', 'idp_ca_certs', 'allowed_audiences']),
    ...given(fields, 'texts', ['claims_scopes', 'account_claim_maps']),
  }),
  ldap: (fields) => ({
    state: fields.text('state') ?? 'inactive',
    urls: requiredTexts(fields, 'urls'),
    ...given(fields, 'boolean', ['start_tls', 'insecure_tls', 'discover_dn', 'anon_group_search']),
    ...given(fields, 'boolean', ['enable_groups', 'use_token_groups']),
    ...given(fields, 'text', ['upn_domain', 'user_dn', 'user_attr', 'user_filter']),
    ...given(fields, 'text', ['group_dn', 'group_attr', 'group_filter', 'bind_dn']),
    ...given(fields, 'texts', ['certificates', 'account_attribute_maps']),
  }),
};

function given(
  fields: Fields,
  kind: 'text' | 'texts' | 'boolean' | 'count',
  names: readonly string[],
): Attributes {
  const values = names.map((name) => [name, fields[kind](name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

function requiredTexts(fields: Fields, name: string): string[] {
  const texts = fields.texts(name) ?? [];
  if (texts.length === 0) fields.problem(name, 'This is a required field.');
  return texts;
}
