import { type HttpRequest, type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { hashPassword } from '../../core/password.ts';
import {
  checkNames,
  isAttribute,
  isTooShort,
  minLengths,
  newAttributes,
  updatedAttributes,
} from '../attributes.ts';
import { requireAccount, requireAdmin } from '../auth.ts';
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
import { type AuthMethod, methodOf, methodTypeOf } from '../model/auth-methods.ts';
import { accountView } from '../views.ts';

export function listAccounts(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const method = requireMethod(call, call.request.query.get('auth_method_id') ?? '');
  requireAdmin(call);
  return listResponse(call, accountCollection(method.id), (id) => {
    const account = accountOf(storage, id);
    return account && accountView(call, account);
  });
}

export function getAccount(call: Call): HttpResponse {
  return jsonResponse(200, accountView(call, requireAccount(call, 'read')));
}

/** @throws HttpError 400, 401, 403, 404 */
export async function createAccount(call: Call): Promise<HttpResponse> {
  const { storage, random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const method = requireMethod(call, body.string('auth_method_id') ?? '');
  requireAdmin(call);
  const fields = body.nested('attributes');
  checkNames(method.type, fields);
  const attributes = body.has('attributes') ? newAttributes(method, fields) : {};
  const draft = { ...readNewAccount(body, method), id: newAccountId(method.type, random), attributes };
  const password = readNewPassword(fields, method);
  body.check();
  checkUnique(storage, draft);
  const hash = password === null ? null : await hashPassword(password, random, scryptCost);
  const now = timeOf(call.service);
  const account = { ...draft, version: 1, createdAt: now, updatedAt: now, password: hash };
  return jsonResponse(200, accountView(call, await putAccount(storage, account)));
}

function readNewAccount(
  body: Fields,
  method: AuthMethod,
): Pick<Account, 'type' | 'method' | 'name' | 'description'> {
  const type = body.string('type');
  if (type !== undefined && type !== method.type)
    body.addProblem('type', "Doesn't match the parent resource's type.");
  if (body.has('version')) body.addProblem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.addProblem(field, 'This is a read only field.');
  if (!body.has('attributes')) body.addProblem('attributes', 'This is a required field.');
  return {
    type: method.type,
    method: method.id,
    name: body.label('name'),
    description: body.label('description'),
  };
}

/** The password is optional; without one, the account cannot log in until it is set. */
function readNewPassword(attributes: Fields, method: AuthMethod): string | null {
  if (method.type !== 'password') return null;
  const password = attributes.string('password') ?? null;
  if (password !== null && isTooShort(password, minLengths(method).password))
    attributes.addProblem('password', 'Password is too short.');
  return password;
}

/** @throws HttpError 400, 404 */
function requireMethod({ service }: Call, id: string): AuthMethod {
  if (id === '') throw invalidField('auth_method_id', 'This field is required.');
  if (!methodTypeOf(id)) throw invalidField('auth_method_id', 'Unknown auth method type from ID.');
  const method = methodOf(service.storage, id);
  if (!method) throw notFound();
  return method;
}

/**
 * Changes the fields of the body, or those in `update_mask`; null unsets a field.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function updateAccount(call: Call): Promise<HttpResponse> {
  requireAccount(call, 'manage', 'Improperly formatted path identifier.');
  const { storage } = call.service;
  const body = await readBody(call.request);
  const account = requireAccount(call, 'manage');
  const version = readVersion(body);
  const changes = readChanges(call, body, account);
  body.check();
  if (version !== account.version) throw versionMismatch(account.id);
  const updated = { ...account, ...changes, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonResponse(200, accountView(call, await putAccount(storage, updated, account)));
}

/** The version known to the caller. Problems are collected in the fields. */
export function readVersion(body: Fields): number {
  if (!body.has('version'))
    body.addProblem('version', 'Existing resource version is required for an update.');
  return body.positiveInteger('version') ?? 0;
}

function readChanges(
  { request, service }: Call,
  body: Fields,
  account: Account,
): Partial<Pick<Account, 'name' | 'description' | 'attributes'>> {
  const method = methodOf(service.storage, account.method);
  if (!method) throw notFound();
  if (body.has('type') && body.string('type') !== account.type)
    body.addProblem('type', 'Cannot modify the resource type.');
  if (body.has('auth_method_id') && body.string('auth_method_id') !== account.method)
    body.addProblem('auth_method_id', 'This is a read only field.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.addProblem(field, 'This is a read only field and cannot be specified in an update request.');
  const attributes = body.nested('attributes');
  checkNames(account.type, attributes);
  const paths = readUpdateMask(request) ?? [
    ...body.names,
    ...attributes.names.map((name) => `attributes.${name}`),
  ];
  const labelNames = (['name', 'description'] as const).filter((name) => paths.includes(name));
  const attributeNames = paths
    .map((path) => /^attributes\.(.+)$/.exec(path)?.[1] ?? '')
    .filter((name) => isAttribute(name));
  if (labelNames.length + attributeNames.length === 0)
    body.addProblem('update_mask', 'No valid fields provided in the update mask.');
  return {
    ...Object.fromEntries(labelNames.map((name) => [name, body.label(name)])),
    attributes: updatedAttributes(account, method, attributes, attributeNames),
  };
}

/** The paths of the fields to change, from the query; undefined: no mask. */
function readUpdateMask({ query }: HttpRequest): string[] | undefined {
  const paths = query.getAll('update_mask').flatMap((mask) => mask.split(','));
  return paths.length === 0 ? undefined : paths.map((path) => path.trim());
}

/** @throws HttpError 401, 403, 404 */
export async function deleteAccount(call: Call): Promise<HttpResponse> {
  const account = requireAccount(call, 'manage', 'Incorrectly formatted identifier.');
  await removeAccount(call.service.storage, account, call.service.clock());
  return { status: 204 };
}
