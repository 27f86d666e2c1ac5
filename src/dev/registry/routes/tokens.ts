import type { Json } from '../../../wire/json.ts';
import { decode, FieldError, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import { grantsOf, readGrants, readLinks, roleIds, type WantedGrants } from '../acl/grants.ts';
import { freshToken, shownToken } from '../acl/tokens.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { read, readOnce, written } from '../http/read.ts';
import {
  anonymous,
  deleteToken,
  type Grants,
  type Link,
  putToken,
  type Token,
  tokenBySecret,
  tokenOf,
  tokensOf,
} from '../state/acl.ts';
import type { View } from '../state/draft.ts';

const uuidForm = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Wanted {
  readonly accessor: string;
  readonly secret: string;
  readonly content: Pick<Token, 'Description' | 'Local' | 'ExpirationTime'>;
  readonly grants: WantedGrants;
  readonly roles: readonly Link[];
}

/** Makes a token. */
export async function createToken(call: Call): Promise<Answer> {
  const { authority, registry } = call;
  demand(authority, 'acl:write', '');
  const wanted = await readToken(call);
  const token = await registry.state.change((draft) => {
    if (wanted.accessor !== '' && tokenOf(draft, wanted.accessor)) {
      throw new HttpRefusal(500, 'Invalid Token: AccessorID is already in use');
    }
    if (wanted.secret !== '' && tokenBySecret(draft, wanted.secret)) {
      throw new HttpRefusal(500, 'Invalid Token: SecretID is already in use');
    }
    return putToken(draft, {
      ...freshToken(registry, wanted.secret),
      ...(wanted.accessor !== '' && { AccessorID: wanted.accessor }),
      ...wanted.content,
      ...contentOf(draft, wanted, wanted.content.Local),
    });
  });
  return written(call, shownToken(registry.state.view, token));
}

/** Changes a token: its description and what it lets do. Its secret, its reach, its origin and its end stay. */
export async function updateToken(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const wanted = await readToken(call);
  const id = params.id ?? '';
  if (wanted.accessor !== '' && wanted.accessor !== id) {
    throw new HttpRefusal(400, 'Token Accessor ID in URL and payload do not match');
  }
  const token = await registry.state.change((draft) => {
    const before = tokenOf(draft, id) ?? missing();
    if (wanted.secret !== '' && wanted.secret !== before.SecretID) {
      throw new HttpRefusal(500, 'Changing a token SecretID is not permitted');
    }
    return putToken(draft, {
      ...lasting(before),
      Description: wanted.content.Description,
      ...contentOf(draft, wanted, before.Local),
    });
  });
  return written(call, shownToken(registry.state.view, token));
}

/** What of a token no change of it touches. */
function lasting(token: Token): Omit<Token, keyof Indexes | keyof Grants | 'Roles'> {
  const {
    Policies: _policies,
    ServiceIdentities: _services,
    NodeIdentities: _nodes,
    Roles: _roles,
    CreateIndex: _create,
    ModifyIndex: _modify,
    ...rest
  } = token;
  return rest;
}

/** Makes a token that may do the same as another one, for as long. */
export async function cloneToken(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  const { content } = await readToken(call);
  const token = await registry.state.change((draft) => {
    const {
      CreateIndex: _create,
      ModifyIndex: _modify,
      ...before
    } = tokenOf(draft, params.id ?? '') ?? missing();
    if (before.AuthMethod !== undefined) {
      throw new HttpRefusal(500, 'Cannot clone a token created from an auth method');
    }
    const { AccessorID, SecretID, CreateTime, Hash } = freshToken(registry);
    const Description = content.Description || before.Description;
    return putToken(draft, { ...before, AccessorID, SecretID, CreateTime, Hash, Description });
  });
  return written(call, shownToken(registry.state.view, token));
}

function readToken({ registry, request }: Call): Promise<Wanted> {
  return decode(request, 'Request decode failed', (body: Json | undefined) => {
    const fields = new Fields(body ?? {});
    const accessor = fields.text('AccessorID');
    const secret = fields.text('SecretID');
    if ([accessor, secret].some((each) => each !== '' && !uuidForm.test(each) && each !== 'anonymous')) {
      throw new FieldError('AccessorID and SecretID must be UUIDs');
    }
    const ttl = fields.duration('ExpirationTTL');
    const end = ttl ? new Date(registry.state.now + ttl * 1000).toISOString() : fields.text('ExpirationTime');
    if (Number.isNaN(Date.parse(end || '0001-01-01'))) throw new FieldError('ExpirationTime must be a time');
    return {
      accessor,
      secret,
      content: {
        Description: fields.text('Description'),
        Local: fields.boolean('Local'),
        ...(end !== '' && { ExpirationTime: end }),
      },
      grants: readGrants(fields),
      roles: readLinks(fields, 'Roles'),
    };
  });
}

/** @throws HttpRefusal 500: what it links to is not there, or cannot be on a token that reaches no further than this */
function contentOf(view: View, { grants, roles }: Wanted, local: boolean): Grants & Pick<Token, 'Roles'> {
  const bounded = grants.services.find(({ Datacenters }) => Datacenters);
  if (local && bounded) {
    throw new HttpRefusal(
      500,
      `Service identity "${bounded.ServiceName}" cannot specify a list of datacenters on a local token`,
    );
  }
  const Roles = roleIds(view, roles);
  return { ...grantsOf(view, grants), ...(Roles.length > 0 && { Roles }) };
}

export function getToken(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:read', '');
  return read(call, ['tokens'], (view) => {
    const token = tokenOf(view, params.id ?? '');
    if (!token || registry.acl.expired(token)) missing();
    else return { value: shownToken(view, token, authority.may('acl:write', '')) };
  });
}

/** The caller's own token; whoever has none is not shown the anonymous one. */
export function selfToken(call: Call): Answer {
  const { registry, request } = call;
  const token = registry.acl.tokenOf(request);
  if (token.AccessorID === anonymous) return missing();
  return readOnce(call, { value: shownToken(registry.state.view, token) });
}

/** All tokens; or those with the policy or the role of an ID, or made with an auth method. */
export function listTokens(call: Call): Promise<Answer> {
  const { authority, registry, request } = call;
  demand(authority, 'acl:read', '');
  const wanted = (name: string, found: (value: string) => boolean) => {
    const value = request.query.get(name) ?? '';
    return value === '' || found(value);
  };
  return read(call, ['tokens'], (view) => {
    const all = tokensOf(view).filter(
      (token) =>
        !registry.acl.expired(token) &&
        wanted('policy', (id) => token.Policies.includes(id)) &&
        wanted('role', (id) => token.Roles?.includes(id) ?? false) &&
        wanted('authmethod', (name) => token.AuthMethod === name),
    );
    return { value: all.map((token) => shownToken(view, token, authority.may('acl:write', ''))) };
  });
}

export async function removeToken(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  demand(authority, 'acl:write', '');
  await registry.state.change((draft) => {
    const token = tokenOf(draft, params.id ?? '');
    if (!token) throw new HttpRefusal(404, 'Cannot find token to delete');
    if (token.AccessorID === anonymous) {
      throw new HttpRefusal(500, 'Delete operation not permitted on the anonymous token');
    }
    deleteToken(draft, token);
  });
  return written(call, true);
}

function missing(): never {
  throw new HttpRefusal(403, 'token does not exist: ACL not found');
}
