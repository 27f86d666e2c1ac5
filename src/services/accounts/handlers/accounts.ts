import { type HttpRequest, type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { hashPassword } from '../../core/password.ts';
import {
  attributesInMethod,
  checkNames,
  checkUpdatable,
  isAttribute,
  isTooShort,
  minLengths,
  newAttributes,
  updatedAttributes,
} from '../attributes.ts';
import { readAccountType, requireAccount, requireAdmin } from '../auth.ts';
import { type Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { invalidField, notFound, versionMismatch } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import {
  type Account,
  accountCollection,
  accountOf,
  checkUnique,
  newAccountId,
  putAccount,
  removeAccount,
} from '../model/accounts.ts';
import { type AuthMethod, type MethodType, methodOf, methodTypeOf } from '../model/auth-methods.ts';
import { accountView } from '../views.ts';

export function listAccounts(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const id = call.request.query.get('auth_method_id') ?? '';
  if (!methodTypeOf(id)) throw invalidField('auth_method_id', 'Invalid formatted identifier.');
  const method = requireMethod(call, id);
  return listResponse(call, [accountCollection(method.id)], (id) => {
    const account = accountOf(storage, id);
    return account && accountView(call, account);
  });
}

export function getAccount(call: Call): HttpResponse {
  return jsonResponse(200, accountView(call, requireAccount(call, 'read')));
}

/**
 * Creates an account. As in the product, the form of the request is checked first, then the auth method, then the
 * caller, then what depends on the auth method.
 * @throws HttpError 400, 401, 403, 404
 */
export async function createAccount(call: Call): Promise<HttpResponse> {
  const { storage, random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const { type, methodId } = readMethodId(body);
  const fields = body.attributes();
  checkNames(type, fields);
  const given = body.has('attributes') ? newAttributes(type, fields) : {};
  const labels = readNewLabels(body, type);
  body.check();
  const method = requireMethod(call, methodId);
  const attributes = attributesInMethod(method, given, fields);
  const password = readNewPassword(fields, method);
  body.check();
  const draft = { ...labels, type, method: methodId, id: newAccountId(type, random), attributes };
  checkUnique(storage, draft);
  const hash = password === null ? null : await hashPassword(password, random, scryptCost);
  // The auth method may have been deleted meanwhile.
  requireMethod(call, methodId);
  const now = timeOf(call.service);
  const account = { ...draft, version: 1, createdAt: now, updatedAt: now, password: hash };
  return jsonResponse(200, accountView(call, await putAccount(storage, account)));
}

/** @throws InvalidFieldsError 400: missing, or not the ID of an auth method */
function readMethodId(body: Fields): { readonly type: MethodType; readonly methodId: string } {
  const methodId = body.string('auth_method_id') ?? '';
  const type = methodTypeOf(methodId);
  if (methodId === '') throw invalidField('auth_method_id', 'This field is required.');
  if (!type) throw invalidField('auth_method_id', 'Unknown auth method type from ID.');
  return { type, methodId };
}

function readNewLabels(body: Fields, methodType: MethodType): Pick<Account, 'name' | 'description'> {
  const type = body.string('type');
  if (type !== undefined && type !== methodType)
    body.addProblem('type', "Doesn't match the parent resource's type.");
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  if (!body.has('attributes')) body.addProblem('attributes', 'This is a required field.');
  return { name: body.label('name'), description: body.label('description') };
}

/** The password is optional, but not empty; without one, the account cannot log in until it is set. */
function readNewPassword(attributes: Fields, method: AuthMethod): string | null {
  if (method.type !== 'password') return null;
  const password = attributes.get('password') === '' ? '' : (attributes.string('password') ?? null);
  if (password !== null && isTooShort(password, minLengths(method).password))
    attributes.addProblem('password', 'Password is too short.');
  return password;
}

/** An auth method whose accounts the caller may manage. @throws HttpError 401, 403, 404 */
function requireMethod(call: Call, id: string): AuthMethod {
  const method = methodOf(call.service.storage, id);
  if (!method) throw notFound();
  requireAdmin(call);
  return method;
}

/**
 * Changes the fields of the body, or those in `update_mask`; null unsets a field.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function updateAccount(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const body = await readBody(call.request);
  const type = readAccountType(call, body, 'Improperly formatted path identifier.');
  const version = readVersion(body);
  const { labels, attributes, attributeNames } = readChanges(call.request, body, type);
  body.check();
  const account = requireAccount(call, 'manage');
  const method = methodOf(storage, account.method);
  if (!method) throw notFound();
  if (body.has('auth_method_id') && body.string('auth_method_id') !== account.method)
    body.addProblem('auth_method_id', 'This is a read only field.');
  if (Object.keys(labels).length + attributeNames.length === 0)
    body.addProblem('update_mask', 'No valid fields provided in the update mask.');
  const changes = { ...labels, attributes: updatedAttributes(account, method, attributes, attributeNames) };
  body.check();
  if (version !== account.version) throw versionMismatch(account.id);
  const updated = { ...account, ...changes, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonResponse(200, accountView(call, await putAccount(storage, updated, account)));
}

/** The version known to the caller. Problems are collected in the fields. */
export function readVersion(body: Fields): number {
  if (body.has('version') && body.get('version') !== 0) return body.positiveInteger('version') ?? 0;
  body.addProblem('version', 'Existing resource version is required for an update.');
  return 0;
}

interface AccountChanges {
  readonly labels: Partial<Pick<Account, 'name' | 'description'>>;
  readonly attributes: Fields;
  /** The attributes to change. */
  readonly attributeNames: readonly string[];
}

/** @param type of the account; undefined: its ID is malformed */
function readChanges(request: HttpRequest, body: Fields, type: MethodType | undefined): AccountChanges {
  if (body.has('type') && type !== undefined && body.string('type') !== type)
    body.addProblem('type', 'Cannot modify the resource type.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.addProblem(field, 'This is a read only field and cannot be specified in an update request.');
  const attributes = body.attributes();
  if (type !== undefined) checkNames(type, attributes);
  const paths = readUpdateMask(request) ?? [
    ...body.names,
    ...attributes.names.map((name) => `attributes.${name}`),
  ];
  const labelNames = (['name', 'description'] as const).filter((name) => paths.includes(name));
  const attributeNames = paths
    .map((path) => /^attributes\.(.+)$/.exec(path)?.[1] ?? '')
    .filter((name) => isAttribute(name));
  if (type !== undefined) checkUpdatable(type, attributes, attributeNames);
  const labels = Object.fromEntries(labelNames.map((name) => [name, body.label(name)]));
  return { labels, attributes, attributeNames };
}

/** The paths of the fields to change, from the query; undefined: no mask. */
export function readUpdateMask({ query }: HttpRequest): string[] | undefined {
  const paths = query.getAll('update_mask').flatMap((mask) => mask.split(','));
  return paths.length === 0 ? undefined : paths.map((path) => path.trim());
}

/** @throws HttpError 401, 403, 404 */
export async function deleteAccount(call: Call): Promise<HttpResponse> {
  const account = requireAccount(call, 'manage', 'Incorrectly formatted identifier.');
  await removeAccount(call.service.storage, account.id, call.service.clock());
  return { status: 204 };
}
