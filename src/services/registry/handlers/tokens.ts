import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { withoutIndexes } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { templateUses } from '../acl/identities.ts';
import { checkUuid } from '../acl/names.ts';
import { checkTokenId, checkTokenUpdate, newExpiration, tokenGrants } from '../acl/token-input.ts';
import { expandedInfo, newToken, tokenView } from '../acl/tokens.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import {
  anonymous,
  deleteToken,
  putToken,
  type Token,
  token,
  tokenBySecret,
  tokenDetails,
  tokenInput,
  tokens,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { presenceFlag } from '../read-parameters.ts';
import { isTrue, writing } from './acl-rows.ts';

const operation = operations('ACL');
const readOperation = readOperations('ACL');

/** What the operations with a token in the body have in common. */
const withBody = { ...writing('Token', tokenInput, token), errors: [404] };

export const createToken = operation('createToken', 'Create a token', {
  ...withBody,
  async handle(call) {
    const { registry } = call;
    const input = await call.body();
    const { AccessorID, SecretID, Description, Local } = input;
    const stored = await registry.state.update((transaction) => {
      checkNewId(transaction, 'AccessorID', AccessorID);
      checkNewId(transaction, 'SecretID', SecretID);
      const expiration = newExpiration(input, registry.state.now);
      if (input.AuthMethod !== undefined)
        throw new HttpError(500, 'AuthMethod field is disallowed outside of login');
      return putToken(transaction, {
        ...newToken(registry, SecretID),
        ...(AccessorID !== '' && { AccessorID }),
        Description,
        Local,
        ...expiration,
        ...tokenGrants(transaction, input, Local),
      });
    });
    return writeResponse(call, tokenView(registry.state.view, stored));
  },
});

/** An ID is neither the accessor nor the secret of another token. @throws HttpError 500 */
function checkNewId(view: View, field: 'AccessorID' | 'SecretID', id: string): void {
  checkTokenId(field, id);
  if (id !== '' && (tokens.get(view, id) || tokenBySecret(view, id)))
    throw new HttpError(500, `Invalid Token: ${field} is already in use`);
}

/** Updates the description and grants of a token; all other fields are immutable. */
export const updateToken = operation('updateToken', 'Update a token', {
  ...withBody,
  async handle(call) {
    const { params, registry } = call;
    const input = await call.body();
    const id = params.id ?? '';
    if (input.AccessorID !== '' && input.AccessorID !== id) {
      throw new HttpError(400, 'Token Accessor ID in URL and payload do not match');
    }
    if (!uuidPattern.test(id)) throw new HttpError(500, 'AccessorID is not a valid UUID');
    const stored = await registry.state.update((transaction) => {
      const existing = tokens.get(transaction, id);
      if (!existing || registry.acl.isExpired(existing))
        throw new HttpError(500, `Cannot find token "${id}"`);
      checkTokenUpdate(input, existing);
      const {
        ServiceIdentities: _services,
        NodeIdentities: _nodes,
        TemplatedPolicies: _templates,
        Roles: _roles,
        ...kept
      } = existing;
      return putToken(transaction, {
        ...withoutIndexes(kept),
        Description: input.Description,
        ...tokenGrants(transaction, input, existing.Local),
      });
    });
    return writeResponse(call, tokenView(registry.state.view, stored));
  },
});

/** Creates a token with the grants and expiration of another one. */
export const cloneToken = operation('cloneToken', 'Create a token with the grants of another', {
  ...withBody,
  description: 'Of the body, only the description has an effect.',
  async handle(call) {
    const { params, registry } = call;
    const input = await call.body();
    const id = params.id ?? '';
    checkUuid('acl token', id);
    const stored = await registry.state.update((transaction) => {
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
    return writeResponse(call, tokenView(registry.state.view, stored));
  },
});

/** One token; with `expanded`, also the roles and policies that it has, directly or not. */
export const getToken = readOperation('getToken', 'Read a token', {
  query: { expanded: presenceFlag('Also its roles and policies.') },
  returns: tokenDetails,
  errors: [400, 404],
  handle(call) {
    const { permissions, params, registry } = call;
    const id = params.id ?? '';
    checkUuid('acl token', id);
    const { expanded } = call.query();
    return blockingQuery(call, expanded ? ['tokens', 'policies', 'roles'] : ['tokens'], (view) => {
      const token = tokens.get(view, id) ?? tokenNotFound();
      if (registry.acl.isExpired(token)) throw new HttpError(403, 'token has expired: ACL not found');
      const value = tokenView(view, token, permissions.allows('acl:write', ''));
      if (!expanded) return { value };
      return { value: { ...value, ...expandedInfo(view, token, registry.acl.defaultPolicy) } };
    });
  },
});

/** The caller's own token; without one, an error instead of the anonymous token. */
export const selfToken = readOperation('getSelfToken', 'Read the token of the request', {
  description: 'Without a token, it is an error.',
  returns: token,
  handle(call) {
    const { registry, request } = call;
    const own = registry.acl.findToken(request);
    if (!own || own.AccessorID === anonymous) return tokenNotFound();
    return nonBlockingQuery(call, { value: tokenView(registry.state.view, own) });
  },
});

const selections = {
  policy: s.string('Only tokens with this policy ID.'),
  role: s.string('Only tokens with this role ID.'),
  authmethod: s.string('Only tokens of this auth method.'),
  servicename: s.string('Only tokens with an identity of this service.'),
};

export const listTokens = readOperation('listTokens', 'List tokens', {
  description: 'At most one of the parameters that select tokens.',
  query: selections,
  returns: s.list(token),
  handle(call) {
    const { permissions, registry, request } = call;
    if (request.query.has('authmethod-ns')) {
      throw new HttpError(
        400,
        'Invalid query parameter: "authmethod-ns" - Namespaces are a Consul Enterprise feature',
      );
    }
    const isSelected = tokenSelection(call.query());
    const withSecrets = permissions.allows('acl:write', '');
    return blockingQuery(call, ['tokens'], async (view) => {
      const selected = await filterInSlices(
        await tokens.list(view),
        (token) => !registry.acl.isExpired(token) && isSelected(token),
      );
      return { value: await mapInSlices(selected, (each) => tokenView(view, each, withSecrets)) };
    });
  },
});

/** @throws HttpError 500: several selections, or no ID */
function tokenSelection({
  policy,
  role,
  authmethod: method,
  servicename: service,
}: Readonly<Record<keyof typeof selections, string>>): (token: Token) => boolean {
  if ([policy, role, method, service].filter(Boolean).length > 1) {
    throw new HttpError(500, 'can only filter by one of policy, role, serviceName, or methodName at a time');
  }
  if (policy || role) checkUuid('acl token', policy || role);
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

/** Deletes a token, but never the token of the request. */
export const removeToken = operation('deleteToken', 'Delete a token', {
  returns: isTrue,
  errors: [400, 404],
  async handle(call) {
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
  },
});

function tokenNotFound(): never {
  throw new HttpError(403, 'token does not exist: ACL not found');
}
