import { decodeFields, FieldError } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { type Content, withoutIndexes } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { readGrants, readLinks, resolveGrants, resolveLinks } from '../acl/grants.ts';
import { newToken, tokenView } from '../acl/tokens.ts';
import { blockingQuery, nonBlockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  anonymous,
  deleteToken,
  type Grants,
  putToken,
  roles,
  type Token,
  tokenBySecret,
  tokens,
} from '../model/acl.ts';
import type { View } from '../model/tables.ts';

export async function createToken(call: Call): Promise<HttpResponse> {
  const { registry } = call;
  const input = await readToken(call);
  const token = await registry.state.update((transaction) => {
    if (input.accessor !== '' && tokens.get(transaction, input.accessor)) {
      throw new HttpError(500, 'Invalid Token: AccessorID is already in use');
    }
    if (input.secret !== '' && tokenBySecret(transaction, input.secret)) {
      throw new HttpError(500, 'Invalid Token: SecretID is already in use');
    }
    return putToken(transaction, {
      ...newToken(registry, input.secret),
      ...(input.accessor !== '' && { AccessorID: input.accessor }),
      ...input.content,
      ...grantsFor(transaction, input, input.content.Local),
    });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

/** Updates the description and grants of a token; all other fields are immutable. */
export async function updateToken(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const input = await readToken(call);
  const id = params.id ?? '';
  if (input.accessor !== '' && input.accessor !== id) {
    throw new HttpError(400, 'Token Accessor ID in URL and payload do not match');
  }
  const token = await registry.state.update((transaction) => {
    const existing = tokens.get(transaction, id) ?? tokenNotFound();
    if (input.secret !== '' && input.secret !== existing.SecretID) {
      throw new HttpError(500, 'Changing a token SecretID is not permitted');
    }
    return putToken(transaction, {
      ...withoutGrants(withoutIndexes(existing)),
      Description: input.content.Description,
      ...grantsFor(transaction, input, existing.Local),
    });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

function withoutGrants({
  Policies: _policies,
  ServiceIdentities: _services,
  NodeIdentities: _nodes,
  Roles: _roles,
  ...rest
}: Content<Token>): Omit<Content<Token>, keyof Grants | 'Roles'> {
  return rest;
}

/** Creates a token with the grants and expiry of another one. */
export async function cloneToken(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const { content } = await readToken(call);
  const token = await registry.state.update((transaction) => {
    const existing = withoutIndexes(tokens.get(transaction, params.id ?? '') ?? tokenNotFound());
    if (existing.AuthMethod !== undefined) {
      throw new HttpError(500, 'Cannot clone a token created from an auth method');
    }
    const { AccessorID, SecretID, CreateTime, Hash } = newToken(registry);
    const Description = content.Description || existing.Description;
    return putToken(transaction, { ...existing, AccessorID, SecretID, CreateTime, Hash, Description });
  });
  return writeResponse(call, tokenView(registry.state.view, token));
}

type TokenInput = Awaited<ReturnType<typeof readToken>>;

function readToken({ registry, request }: Call) {
  return decodeFields(request, 'Request decode failed', (fields) => {
    const accessor = fields.string('AccessorID');
    const secret = fields.string('SecretID');
    if ([accessor, secret].some((each) => each !== '' && !uuidPattern.test(each) && each !== 'anonymous')) {
      throw new FieldError('AccessorID and SecretID must be UUIDs');
    }
    const ttl = fields.duration('ExpirationTTL');
    const expirationTime = ttl
      ? new Date(registry.state.now + ttl * 1000).toISOString()
      : fields.string('ExpirationTime');
    if (Number.isNaN(Date.parse(expirationTime || '0001-01-01')))
      throw new FieldError('ExpirationTime must be a time');
    return {
      accessor,
      secret,
      content: {
        Description: fields.string('Description'),
        Local: fields.boolean('Local'),
        ...(expirationTime !== '' && { ExpirationTime: expirationTime }),
      },
      grants: readGrants(fields),
      roles: readLinks(fields, 'Roles'),
    };
  });
}

/** @throws HttpError 500: a grant that does not exist, or that a local token cannot have */
function grantsFor(
  view: View,
  { grants, roles: links }: TokenInput,
  local: boolean,
): Grants & Pick<Token, 'Roles'> {
  const limited = grants.services.find(({ Datacenters }) => Datacenters);
  if (local && limited) {
    throw new HttpError(
      500,
      `Service identity "${limited.ServiceName}" cannot specify a list of datacenters on a local token`,
    );
  }
  const Roles = resolveLinks(roles, view, links);
  return { ...resolveGrants(view, grants), ...(Roles.length > 0 && { Roles }) };
}

export function getToken(call: Call): Promise<HttpResponse> {
  const { permissions, params, registry } = call;
  return blockingQuery(call, ['tokens'], (view) => {
    const token = tokens.get(view, params.id ?? '');
    if (!token || registry.acl.isExpired(token)) tokenNotFound();
    else return { value: tokenView(view, token, permissions.allows('acl:write', '')) };
  });
}

/** The caller's own token; without one, an error instead of the anonymous token. */
export function selfToken(call: Call): HttpResponse {
  const { registry, request } = call;
  const token = registry.acl.tokenOf(request);
  if (token.AccessorID === anonymous) return tokenNotFound();
  return nonBlockingQuery(call, { value: tokenView(registry.state.view, token) });
}

/** All tokens, or those with a policy ID, role ID or auth method. */
export function listTokens(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const matchesParameter = (name: string, matches: (value: string) => boolean) => {
    const value = request.query.get(name) ?? '';
    return value === '' || matches(value);
  };
  return blockingQuery(call, ['tokens'], (view) => {
    const all = tokens
      .values(view)
      .filter(
        (token) =>
          !registry.acl.isExpired(token) &&
          matchesParameter('policy', (id) => token.Policies.includes(id)) &&
          matchesParameter('role', (id) => token.Roles?.includes(id) ?? false) &&
          matchesParameter('authmethod', (name) => token.AuthMethod === name),
      );
    return { value: all.map((token) => tokenView(view, token, permissions.allows('acl:write', ''))) };
  });
}

export async function removeToken(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  await registry.state.update((transaction) => {
    const token = tokens.get(transaction, params.id ?? '');
    if (!token) throw new HttpError(404, 'Cannot find token to delete');
    if (token.AccessorID === anonymous) {
      throw new HttpError(500, 'Delete operation not permitted on the anonymous token');
    }
    deleteToken(transaction, token);
  });
  return writeResponse(call, true);
}

function tokenNotFound(): never {
  throw new HttpError(403, 'token does not exist: ACL not found');
}
