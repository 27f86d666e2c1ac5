import { base62 } from '../../core/base62.ts';
import { HttpError, jsonResponse } from '../../core/http/http-service.ts';
import { named, object, required } from '../../core/schema/types.ts';
import { methodTarget, requireFound, requirePermission } from '../auth.ts';
import { type Call, operations, timeOf } from '../call.ts';
import { checkId, versionMismatch } from '../errors.ts';
import { isListScope, scopeExpected, scopeQuery, scopesOfList } from '../list/list-scope.ts';
import { newMethodAttributes, updatedMethodAttributes } from '../method-attributes.ts';
import {
  authMethodSchema,
  authMethods,
  authMethodUpdate,
  methodAttributes,
  methodCollection,
  methodPrefixes,
  methodTypeOf,
} from '../model/auth-methods.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { anyObject, knownVersion } from '../model/fields.ts';
import { removeMethod } from '../model/removals.ts';
import { scopes } from '../model/scopes.ts';
import { checkUniqueName } from '../model/unique-names.ts';
import { found, resource, responseOf } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { methodView, viewsOf } from '../views.ts';

const tag = 'Auth methods';
const operation = operations(tag);
const methods = resource({ tag, name: 'AuthMethod', noun: 'an auth method', schema: authMethodSchema });

export const listMethods = methods.list('List auth methods', {
  description: 'Callers without a token see neither attributes nor times, unless grants say so.',
  // A client lists auth methods before it logs in.
  isUnauthenticated: true,
  query: scopeQuery,
  async read(call, query) {
    const { access, ids } = await scopesOfList(call, query, 'auth-method');
    return { access, collections: ids.map(methodCollection) };
  },
  viewOf: viewsOf(authMethods, methodView),
});

export const getMethod = methods.get((call) => {
  const { method, access } = requireMethod(call, 'read');
  return methodView(access, method);
});

export const createMethod = methods.create(async (call) => {
  const { problems, service } = call;
  const { storage, random } = service;
  const body = await call.body();
  const { scope_id: scope, type, name, description } = body;
  if (!isListScope(scope)) problems.add('scope_id', scopeExpected);
  if (!Object.hasOwn(methodAttributes, type)) {
    problems.add('type', 'This field must be password, oidc or ldap.');
    problems.check();
  }
  const attributes = newMethodAttributes(type, body.attributes, problems);
  problems.check();
  requireFound(scopes.get(storage, scope));
  const access = requirePermission(call, { type: 'auth-method', scope, action: 'create' });
  checkUniqueName(storage, methodCollection(scope), name);
  const id = methodPrefixes[type] + base62(10, random);
  const draft = { id, type, scope, name, description, attributes };
  const created = await writeBatch(storage, (batch) => authMethods.create(batch, draft, timeOf(service)));
  return methodView(access, created);
});

export const updateMethod = methods.update(authMethodUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const type = methodTypeOf(checkMethodId(call));
  const body = await call.body();
  if ((body.type ?? type) !== type) problems.add('type', 'Cannot modify the resource type.');
  problems.check();
  const paths = changedPaths(call.query(), body);
  const labels = changesIn(body, ['name', 'description'], paths);
  const { method, access } = requireMethod(call, 'update', malformed);
  const { attributes, isChange } = updatedMethodAttributes(method, body.attributes, paths, problems);
  if (Object.keys(labels).length === 0 && !isChange)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  problems.check();
  if (body.version !== method.version) throw versionMismatch(method.id, 'AuthMethod');
  if (labels.name !== undefined)
    checkUniqueName(storage, methodCollection(method.scope), labels.name, method.id);
  const changed = { ...method, ...labels, attributes, ...nextVersion(method, timeOf(service)) };
  return methodView(access, await writeBatch(storage, (batch) => authMethods.write(batch, changed, method)));
});

export const deleteMethod = operation(
  'deleteAuthMethod',
  'Delete an auth method with its accounts, their users and tokens',
  {
    returns: object({}),
    errors: [400, 404],
    async handle(call) {
      const { method } = requireMethod(call, 'delete', malformed);
      await removeMethod(call.service.storage, method, call.service.clock());
      return jsonResponse(200, {});
    },
  },
);

const states = ['inactive', 'active-private', 'active-public'];

export const changeState = operation('changeAuthMethodState', 'Change the state of an auth method', {
  description: 'Only of type oidc, which stays inactive: the service does not call its issuer.',
  body: named(
    'ChangeAuthMethodState',
    object({
      version: knownVersion('Resource version is required.'),
      attributes: required(anyObject('`state`.'), 'Attributes are required when changing an auth method.'),
    }),
  ),
  returns: responseOf(authMethodSchema),
  errors: [404],
  async handle(call) {
    const { problems } = call;
    if (methodTypeOf(checkMethodId(call)) !== 'oidc')
      throw new HttpError(404, 'This endpoint is only available for the "oidc" Auth Method type.');
    const { attributes } = await call.body();
    const { state } = attributes;
    if (typeof state !== 'string' || !states.includes(state))
      problems.add(
        'attributes.state',
        'Only supported values are "inactive", "active-private", or "active-public".',
      );
    problems.check('Invalid fields provided in request.');
    const { method, access } = requireMethod(call, 'change-state');
    if (state !== 'inactive')
      throw new HttpError(400, 'Unable to change auth method state: the issuer cannot be validated.');
    return found(methodView(access, method));
  },
});

const malformed = 'Incorrectly formatted identifier.';

const checkMethodId = ({ params }: Call, description = malformed): string =>
  checkId(params.id, Object.values(methodPrefixes), description);

/** The auth method of the path, and what the caller may do with it. @throws HttpError 400, 401, 403, 404 */
function requireMethod(call: Call, action: string, description = 'Invalid formatted identifier.') {
  const method = requireFound(authMethods.get(call.service.storage, checkMethodId(call, description)));
  return { method, access: requirePermission(call, { ...methodTarget(method), action }) };
}
