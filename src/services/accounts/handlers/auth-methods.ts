import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../core/base62.ts';
import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { compact } from '../attributes.ts';
import { requireAdmin } from '../auth.ts';
import { type Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, notFound, notUnique } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { isListScope, listScopes, readListScope, scopeExpected } from '../list/list-scope.ts';
import {
  authMethods,
  type MethodType,
  methodCollection,
  methodOf,
  methodPrefixes,
  createMethod as storeMethod,
} from '../model/auth-methods.ts';
import { scopeOf } from '../model/scopes.ts';
import { methodView } from '../views.ts';

/** Requires no token: a client lists auth methods before it logs in. */
export function listMethods(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const collections = listScopes(call, readListScope(call)).map(methodCollection);
  return listResponse(call, collections, (id) => {
    const method = methodOf(storage, id);
    return method && methodView(call, method);
  });
}

export function getMethod(call: Call): HttpResponse {
  const method = methodOf(call.service.storage, checkId(call.params.id, Object.values(methodPrefixes)));
  if (!method) throw notFound();
  requireAdmin(call);
  return jsonResponse(200, methodView(call, method));
}

export async function createMethod(call: Call): Promise<HttpResponse> {
  const { storage, random } = call.service;
  const body = await readBody(call.request);
  const scope = body.string('scope_id') ?? '';
  if (!isListScope(scope)) body.addProblem('scope_id', scopeExpected);
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  if (body.has('is_primary')) body.addProblem('is_primary', 'This field is read only.');
  const type = body.string('type') ?? '';
  const [name, description] = [body.label('name'), body.label('description')];
  if (!isMethodType(type)) {
    body.addProblem('type', 'This field must be password, oidc or ldap.');
    body.check();
    throw notFound();
  }
  const attributes = attributeReaders[type](body.attributes());
  body.check();
  if (!scopeOf(storage, scope)) throw notFound();
  requireAdmin(call);
  if (name !== null && authMethods.values(storage).some((each) => each.scope === scope && each.name === name))
    throw notUnique();
  const draft = { id: methodPrefixes[type] + base62(10, random), type, scope, name, description, attributes };
  return jsonResponse(200, methodView(call, await storeMethod(storage, draft, timeOf(call.service))));
}

function isMethodType(type: string): type is MethodType {
  return Object.hasOwn(methodPrefixes, type);
}

type Attributes = { readonly [name: string]: Json };

/**
 * The attributes of an auth method. Secrets of identity providers and directories are not stored: the service never
 * calls them.
 */
const attributeReaders: Readonly<Record<MethodType, (fields: Fields) => Attributes>> = {
  password: (fields) => ({
    min_login_name_length: fields.positiveInteger('min_login_name_length') ?? 3,
    min_password_length: fields.positiveInteger('min_password_length') ?? 8,
  }),
  oidc: (fields) => ({
    state: 'inactive',
    issuer: fields.required('issuer'),
    ...presentFields(fields, 'string', ['client_id', 'api_url_prefix']),
    ...presentFields(fields, 'positiveInteger', ['max_age']),
    ...presentFields(fields, 'strings', ['signing_algorithms', 'idp_ca_certs', 'allowed_audiences']),
    ...presentFields(fields, 'strings', ['claims_scopes', 'account_claim_maps']),
  }),
  ldap: (fields) => ({
    state: fields.string('state') ?? 'inactive',
    urls: requiredStrings(fields, 'urls'),
    ...presentFields(fields, 'boolean', ['start_tls', 'insecure_tls', 'discover_dn', 'anon_group_search']),
    ...presentFields(fields, 'boolean', ['enable_groups', 'use_token_groups']),
    ...presentFields(fields, 'string', ['upn_domain', 'user_dn', 'user_attr', 'user_filter']),
    ...presentFields(fields, 'string', ['group_dn', 'group_attr', 'group_filter', 'bind_dn']),
    ...presentFields(fields, 'strings', ['certificates', 'account_attribute_maps']),
  }),
};

function presentFields(
  fields: Fields,
  kind: 'string' | 'strings' | 'boolean' | 'positiveInteger',
  names: readonly string[],
): Attributes {
  return compact(Object.fromEntries(names.map((name) => [name, fields[kind](name)])));
}

function requiredStrings(fields: Fields, name: string): string[] {
  const strings = fields.strings(name) ?? [];
  if (strings.length === 0) fields.addProblem(name, 'This is a required field.');
  return strings;
}
