import { type Answer, type HttpRequest, jsonAnswer } from '../../http/service.ts';
import { hashPassword } from '../../password.ts';
import { accountOfPath, demandAdmin } from '../access.ts';
import {
  checkNames,
  isAttribute,
  isTooShort,
  minimums,
  newAttributes,
  updatedAttributes,
} from '../attributes.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf, type Fields } from '../http/fields.ts';
import { badField, notFound, staleVersion } from '../http/refusals.ts';
import { listAnswer } from '../list/list.ts';
import {
  type Account,
  accountOf,
  accountsOf,
  checkUnique,
  newAccountId,
  putAccount,
  removeAccount,
} from '../state/accounts.ts';
import { type AuthMethod, methodOf, methodTypeOf } from '../state/auth-methods.ts';
import { accountView } from '../views.ts';

export function listAccounts(call: Call): Promise<Answer> {
  const { storage } = call.service;
  const method = demandMethod(call, call.request.query.get('auth_method_id') ?? '');
  demandAdmin(call);
  return listAnswer(call, accountsOf(method.id), (id) => {
    const account = accountOf(storage, id);
    return account && accountView(call, account);
  });
}

export function getAccount(call: Call): Answer {
  return jsonAnswer(200, accountView(call, accountOfPath(call, 'read')));
}

/** @throws HttpRefusal 400, 401, 403, 404 */
export async function createAccount(call: Call): Promise<Answer> {
  const { storage, random } = call.service;
  const body = await bodyOf(call.request);
  const method = demandMethod(call, body.text('auth_method_id') ?? '');
  demandAdmin(call);
  const fields = body.inner('attributes');
  checkNames(method.type, fields);
  const attributes = body.has('attributes') ? newAttributes(method, fields) : {};
  const draft = { ...newAccount(body, method), id: newAccountId(method.type, random), attributes };
  const password = newPassword(fields, method);
  body.check();
  checkUnique(storage, draft);
  const hash = password === null ? null : await hashPassword(password, random);
  const now = timeOf(call.service);
  const account = { ...draft, version: 1, createdAt: now, updatedAt: now, password: hash };
  return jsonAnswer(200, accountView(call, await putAccount(storage, account)));
}

function newAccount(
  body: Fields,
  method: AuthMethod,
): Pick<Account, 'type' | 'method' | 'name' | 'description'> {
  const type = body.text('type');
  if (type !== null && type !== method.type)
    body.problem('type', "Doesn't match the parent resource's type.");
  if (body.has('version')) body.problem('version', 'Cannot specify this field in a create request.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field)) body.problem(field, 'This is a read only field.');
  if (!body.has('attributes')) body.problem('attributes', 'This is a required field.');
  return {
    type: method.type,
    method: method.id,
    name: body.label('name'),
    description: body.label('description'),
  };
}

/** An account can be without a password: then nobody logs in until one is set. */
function newPassword(attributes: Fields, method: AuthMethod): string | null {
  if (method.type !== 'password') return null;
  const password = attributes.text('password');
  if (password !== null && isTooShort(password, minimums(method).password))
    attributes.problem('password', 'Password is too short.');
  return password;
}

/** @throws HttpRefusal 400, 404 */
function demandMethod({ service }: Call, id: string): AuthMethod {
  if (id === '') throw badField('auth_method_id', 'This field is required.');
  if (!methodTypeOf(id)) throw badField('auth_method_id', 'Unknown auth method type from ID.');
  const method = methodOf(service.storage, id);
  if (!method) throw notFound();
  return method;
}

/**
 * Changes what the request names: the members of the body, or those of `update_mask`; null unsets one.
 * @throws HttpRefusal 400, 401, 403, 404: not there, or its version is another one
 */
export async function updateAccount(call: Call): Promise<Answer> {
  accountOfPath(call, 'manage', 'Improperly formatted path identifier.');
  const { storage } = call.service;
  const body = await bodyOf(call.request);
  const account = accountOfPath(call, 'manage');
  const version = requiredVersion(body);
  const changes = namedChanges(call, body, account);
  body.check();
  if (version !== account.version) throw staleVersion(account.id);
  const updated = { ...account, ...changes, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonAnswer(200, accountView(call, await putAccount(storage, updated, account)));
}

/** The version that the caller knows; what is wrong with it is gathered in the fields. */
export function requiredVersion(body: Fields): number {
  if (!body.has('version')) body.problem('version', 'Existing resource version is required for an update.');
  return body.count('version') ?? 0;
}

function namedChanges(
  { request, service }: Call,
  body: Fields,
  account: Account,
): Partial<Pick<Account, 'name' | 'description' | 'attributes'>> {
  const method = methodOf(service.storage, account.method);
  if (!method) throw notFound();
  if (body.has('type') && body.text('type') !== account.type)
    body.problem('type', 'Cannot modify the resource type.');
  if (body.has('auth_method_id') && body.text('auth_method_id') !== account.method)
    body.problem('auth_method_id', 'This is a read only field.');
  for (const field of ['id', 'created_time', 'updated_time'])
    if (body.has(field))
      body.problem(field, 'This is a read only field and cannot be specified in an update request.');
  const attributes = body.inner('attributes');
  checkNames(account.type, attributes);
  const paths = maskOf(request) ?? [...body.names, ...attributes.names.map((name) => `attributes.${name}`)];
  const texts = (['name', 'description'] as const).filter((name) => paths.includes(name));
  const named = paths
    .map((path) => /^attributes\.(.+)$/.exec(path)?.[1] ?? '')
    .filter((name) => isAttribute(name));
  if (texts.length + named.length === 0)
    body.problem('update_mask', 'No valid fields provided in the update mask.');
  return {
    ...Object.fromEntries(texts.map((name) => [name, body.label(name)])),
    attributes: updatedAttributes(account, method, attributes, named),
  };
}

/** The paths that the query says are to be changed, if it does. */
function maskOf({ query }: HttpRequest): string[] | undefined {
  const paths = query.getAll('update_mask').flatMap((mask) => mask.split(','));
  return paths.length === 0 ? undefined : paths.map((path) => path.trim());
}

/** @throws HttpRefusal 401, 403, 404 */
export async function deleteAccount(call: Call): Promise<Answer> {
  const account = accountOfPath(call, 'manage', 'Incorrectly formatted identifier.');
  await removeAccount(call.service.storage, account, call.service.clock());
  return { status: 204 };
}
