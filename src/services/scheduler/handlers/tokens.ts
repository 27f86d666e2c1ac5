import { decodeBody, decodeFields, FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { uuid } from '../../core/uuid.ts';
import { blockingQuery, indexResponse, writeResponse } from '../blocking-query.ts';
import type { Call, Scheduler } from '../call.ts';
import {
  bootstraps,
  deleteToken,
  hashOf,
  putToken,
  secretOf,
  type Token,
  tokenOf,
  tokensOf,
} from '../model/acl.ts';
import { requirePermission } from '../require-permission.ts';

const maxNameLength = 256;
const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The fields of a token that clients set. */
type TokenInput = Pick<Token, 'Name' | 'Type' | 'Policies' | 'Global' | 'ExpirationTime'>;

/** Creates the first management token and enables ACLs, once (docs/protocol/scheduler.md#access-control). */
export async function bootstrap(call: Call): Promise<HttpResponse> {
  const { request, scheduler } = call;
  const secret = await decodeFields(request, 'failed to decode the request', (fields) =>
    fields.string('BootstrapSecret'),
  );
  if (secret !== '' && !uuidPattern.test(secret)) throw new HttpError(400, 'invalid acl token');
  const token = await scheduler.state.update((transaction) => {
    const existing = bootstraps.get(transaction, 'done');
    if (existing) throw new HttpError(400, `ACL bootstrap already done (reset index: ${existing.index})`);
    transaction.write(bootstraps.put('done', { index: transaction.index }));
    const input: TokenInput = { Name: 'Bootstrap Token', Type: 'management', Policies: [], Global: true };
    return putToken(transaction, { ...newToken(scheduler, secret), ...input });
  });
  return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
}

/** Creates a token, or updates the one of the path or body; its type and expiry are unchanged. */
export async function putTokenRoute(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const { accessor, input } = await readToken(call);
  if (params.id !== undefined && accessor !== '' && accessor !== params.id) {
    throw new HttpError(400, 'ACL token ID does not match request path');
  }
  const id = params.id ?? accessor;
  const token = await scheduler.state.update((transaction) => {
    if (id === '') return putToken(transaction, { ...newToken(scheduler), ...input });
    const existing = tokenOf(transaction, id);
    if (!existing) throw tokenNotFound();
    if (existing.Type !== input.Type) throw new HttpError(400, 'cannot change the type of a token');
    const { CreateIndex: _create, ModifyIndex: _modify, ...rest } = existing;
    const { ExpirationTime: _end, ...changed } = input;
    return putToken(transaction, { ...rest, ...changed });
  });
  return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
}

function readToken({ request, scheduler }: Call): Promise<{ accessor: string; input: TokenInput }> {
  return decodeBody(request, 'invalid ACL token', (body) => {
    const fields = new Fields(body);
    const Type = fields.string('Type');
    const Policies = fields.strings('Policies');
    const Name = fields.string('Name');
    if (Type !== 'client' && Type !== 'management')
      throw new FieldError('token type must be client or management');
    if (fields.list('Roles').length > 0) throw new FieldError('roles are not supported');
    if (Type === 'client' && Policies.length === 0) throw new FieldError('client token missing policies');
    if (Type === 'management' && Policies.length > 0)
      throw new FieldError('management token cannot be associated with policies');
    if (Name.length > maxNameLength) throw new FieldError(`name longer than ${maxNameLength}`);
    const ExpirationTime = readExpirationTime(fields, scheduler.state.now);
    const input: TokenInput = {
      Name,
      Type,
      Policies: [...new Set(Policies)],
      Global: fields.boolean('Global'),
    };
    return {
      accessor: fields.string('AccessorID'),
      input: { ...input, ...(ExpirationTime !== undefined && { ExpirationTime }) },
    };
  });
}

function readExpirationTime(fields: Fields, now: number): string | undefined {
  const seconds = fields.duration('ExpirationTTL');
  if (seconds) return new Date(now + seconds * 1000).toISOString();
  const text = fields.string('ExpirationTime');
  if (text === '') return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time) || time <= now) throw new FieldError('ExpirationTime must be a time to come');
  return new Date(time).toISOString();
}

/** A token, for management tokens and for itself. */
export function getToken(call: Call): Promise<HttpResponse> {
  const { permissions, params, request, scheduler } = call;
  const id = params.id ?? '';
  requirePermission(permissions.isManagement || scheduler.acl.tokenOf(request)?.AccessorID === id);
  return blockingQuery(call, 'tokens', (view) => {
    const token = tokenOf(view, id);
    return token
      ? { value: tokenView(scheduler, token), index: token.ModifyIndex }
      : { notFoundMessage: 'ACL token not found' };
  });
}

/** The anonymous token, as Nomad shows it. */
const anonymousToken = {
  AccessorID: 'anonymous',
  SecretID: '',
  Name: 'Anonymous Token',
  Type: 'client',
  Policies: ['anonymous'],
  Roles: null,
  Global: false,
  CreateTime: '0001-01-01T00:00:00Z',
  ExpirationTime: null,
  CreateIndex: 0,
  ModifyIndex: 0,
};

/** The caller's own token, or the anonymous one. */
export function selfToken(call: Call): Promise<HttpResponse> {
  const { request, scheduler } = call;
  const token = scheduler.acl.tokenOf(request);
  if (!token) return blockingQuery(call, 'tokens', () => ({ value: anonymousToken, index: 0 }));
  return blockingQuery(call, 'tokens', () => ({
    value: tokenView(scheduler, token),
    index: token.ModifyIndex,
  }));
}

/** All tokens, without their secrets. */
export function listTokens(call: Call): Promise<HttpResponse> {
  requirePermission(call.permissions.isManagement);
  const prefix = call.request.query.get('prefix') ?? '';
  return blockingQuery(call, 'tokens', (view) => ({ value: tokensOf(view, prefix).map(publicTokenView) }));
}

export async function removeToken(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const index = await scheduler.state.update((transaction) => {
    const token = tokenOf(transaction, params.id ?? '');
    if (!token) throw tokenNotFound();
    deleteToken(transaction, token);
    return transaction.index;
  });
  return indexResponse(index);
}

function newToken(
  { random, state, encryption }: Scheduler,
  secret = '',
): Omit<Token, keyof TokenInput | keyof Indexes> {
  const AccessorID = uuid(random);
  const SecretID = secret || uuid(random);
  return {
    AccessorID,
    Sealed: encryption.encrypt(AccessorID, SecretID),
    SecretHash: hashOf(SecretID),
    CreateTime: new Date(state.now).toISOString(),
  };
}

function tokenView({ encryption }: Scheduler, token: Token): object {
  return { ...publicTokenView(token), SecretID: secretOf(encryption, token) };
}

function publicTokenView({ Sealed: _sealed, SecretHash: _hash, ...rest }: Token): object {
  return { ...rest, Roles: null };
}

const tokenNotFound = () => new HttpError(404, 'ACL token not found');
