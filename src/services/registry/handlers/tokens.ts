import { HttpError, type HttpRequest, type HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import { type Content, withoutIndexes } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { templateUses } from '../acl/identities.ts';
import { checkUuid } from '../acl/names.ts';
import {
  checkTokenId,
  checkTokenUpdate,
  newExpiration,
  readTokenInput,
  tokenGrants,
} from '../acl/token-input.ts';
import { expandedInfo, newToken, tokenView } from '../acl/tokens.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  anonymous,
  deleteToken,
  type Grants,
  putToken,
  type Token,
  tokenBySecret,
  tokens,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';

export async function createToken(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const input = await readTokenInput(request);
  const { AccessorID, SecretID, Description, Local } = input;
  const token = await registry.state.update((transaction) => {
    checkNewId(transaction, 'AccessorID', AccessorID);
    checkNewId(transaction, 'SecretID', SecretID);
    const expiration = newExpiration(input, registry.state.now);
    if (input.AuthMethod !== '') throw new HttpError(500, 'AuthMethod field is disallowed outside of login');
    return putToken(transaction, {
      ...newToken(registry, SecretID),
      ...(AccessorID !== '' && { AccessorID }),
      Description,
      Local,
      ...expiration,
      ...tokenGrants(transaction, input, Local),
    });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

/** An ID is neither the accessor nor the secret of another token. @throws HttpError 500 */
function checkNewId(view: View, field: 'AccessorID' | 'SecretID', id: string): void {
  checkTokenId(field, id);
  if (id !== '' && (tokens.get(view, id) || tokenBySecret(view, id)))
    throw new HttpError(500, `Invalid Token: ${field} is already in use`);
}

/** Updates the description and grants of a token; all other fields are immutable. */
export async function updateToken(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const input = await readTokenInput(request);
  const id = params.id ?? '';
  if (input.AccessorID !== '' && input.AccessorID !== id) {
    throw new HttpError(400, 'Token Accessor ID in URL and payload do not match');
  }
  if (!uuidPattern.test(id)) throw new HttpError(500, 'AccessorID is not a valid UUID');
  const token = await registry.state.update((transaction) => {
    const existing = tokens.get(transaction, id);
    if (!existing || registry.acl.isExpired(existing)) throw new HttpError(500, `Cannot find token "${id}"`);
    checkTokenUpdate(input, existing);
    return putToken(transaction, {
      ...withoutGrants(withoutIndexes(existing)),
      Description: input.Description,
      ...tokenGrants(transaction, input, existing.Local),
    });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

function withoutGrants({
  Policies: _policies,
  ServiceIdentities: _services,
  NodeIdentities: _nodes,
  TemplatedPolicies: _templates,
  Roles: _roles,
  ...rest
}: Content<Token>): Omit<Content<Token>, keyof Grants | 'Roles'> {
  return rest;
}

/** Creates a token with the grants and expiration of another one. */
export async function cloneToken(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const input = await readTokenInput(request);
  const id = params.id ?? '';
  checkUuid('acl token', id);
  const token = await registry.state.update((transaction) => {
    const existing = tokens.get(transaction, id) ?? tokenNotFound();
    if (registry.acl.isExpired(existing)) throw new HttpError(403, 'token is expired: ACL not found');
    const content = withoutIndexes(existing);
    if (content.AuthMethod !== undefined) {
      throw new HttpError(500, 'Cannot clone a token created from an auth method');
    }
    const { AccessorID, SecretID, CreateTime, Hash } = newToken(registry);
    const Description = input.Description || content.Description;
    return putToken(transaction, { ...content, AccessorID, SecretID, CreateTime, Hash, Description });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

/** One token; with `expanded`, also the roles and policies that it has, directly or not. */
export function getToken(call: Call): Promise<HttpResponse> {
  const { permissions, params, registry, request } = call;
  const id = params.id ?? '';
  checkUuid('acl token', id);
  const isExpanded = request.query.has('expanded');
  return blockingQuery(call, isExpanded ? ['tokens', 'policies', 'roles'] : ['tokens'], (view) => {
    const token = tokens.get(view, id) ?? tokenNotFound();
    if (registry.acl.isExpired(token)) throw new HttpError(403, 'token has expired: ACL not found');
    const value = tokenView(view, token, permissions.allows('acl:write', ''));
    if (!isExpanded) return { value };
    return { value: { ...value, ...expandedInfo(view, token, registry.acl.defaultPolicy) } };
  });
}

/** The caller's own token; without one, an error instead of the anonymous token. */
export function selfToken(call: Call): HttpResponse {
  const { registry, request } = call;
  const token = registry.acl.findToken(request);
  if (!token || token.AccessorID === anonymous) return tokenNotFound();
  return nonBlockingQuery(call, { value: tokenView(registry.state.view, token) });
}

/** All tokens, or those with a policy ID, role ID, auth method or service name. */
export function listTokens(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const isSelected = tokenSelection(request);
  const withSecrets = permissions.allows('acl:write', '');
  return blockingQuery(call, ['tokens'], async (view) => {
    const selected = await filterInSlices(
      await tokens.list(view),
      (token) => !registry.acl.isExpired(token) && isSelected(token),
    );
    return { value: await mapInSlices(selected, (token) => tokenView(view, token, withSecrets)) };
  });
}

/** @throws HttpError 400, 500: several selections, or no ID */
function tokenSelection({ query }: HttpRequest): (token: Token) => boolean {
  if (query.has('authmethod-ns')) {
    throw new HttpError(
      400,
      'Invalid query parameter: "authmethod-ns" - Namespaces are a Consul Enterprise feature',
    );
  }
  const [policy, role, method, service] = ['policy', 'role', 'authmethod', 'servicename'].map(
    (name) => query.get(name) ?? '',
  );
  if ([policy, role, method, service].filter(Boolean).length > 1) {
    throw new HttpError(500, 'can only filter by one of policy, role, serviceName, or methodName at a time');
  }
  if (policy || role) checkUuid('acl token', policy || role || '');
  if (policy) return ({ Policies }) => Policies.includes(policy);
  if (role) return ({ Roles }) => Roles?.includes(role) ?? false;
  if (method) return ({ AuthMethod }) => AuthMethod === method;
  return (token) => !service || isOfService(token, service);
}

function isOfService(token: Token, service: string): boolean {
  return templateUses(token).some(
    ({ TemplateName, TemplateVariables }) =>
      TemplateName === 'builtin/service' && TemplateVariables?.name === service.toLowerCase(),
  );
}

/** Deletes a token, other than that of the request. */
export async function removeToken(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const id = params.id ?? '';
  if (!uuidPattern.test(id)) throw new HttpError(500, 'Accessor ID is missing or an invalid UUID');
  if (id === anonymous) throw new HttpError(500, 'Delete operation not permitted on the anonymous token');
  const own = registry.acl.tokenOf(request).AccessorID;
  await registry.state.update((transaction) => {
    const token = tokens.get(transaction, id);
    if (!token) throw new HttpError(404, 'Cannot find token to delete');
    if (id === own) {
      throw new HttpError(500, "Deletion of the request's authorization token is not permitted");
    }
    deleteToken(transaction, token);
  });
  return writeResponse(call, true);
}

function tokenNotFound(): never {
  throw new HttpError(403, 'token does not exist: ACL not found');
}
