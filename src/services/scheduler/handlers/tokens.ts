import { formatDuration } from '../../../wire/duration.ts';
import { accessControlOffAccessor } from '../../../wire/services.ts';
import { decodeFields, FieldError, type Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { uuid } from '../../core/uuid.ts';
import { blockingQuery, indexResponse, writeResponse } from '../blocking-query.ts';
import type { Call, Scheduler } from '../call.ts';
import { errorList } from '../errors.ts';
import {
  bootstraps,
  deleteToken,
  hashOf,
  putToken,
  secretOf,
  type Token,
  tokenBySecret,
  tokenOf,
  tokensOf,
} from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';
import { readBody } from '../read-body.ts';
import { requirePermission } from '../require-permission.ts';

const maxNameLength = 256;
const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Seconds. */
const minExpirationSeconds = 60;
const maxExpirationSeconds = 24 * 3600;

/** The fields of a token that clients set. */
type TokenInput = Pick<Token, 'Name' | 'Type' | 'Policies' | 'Global' | 'ExpirationTTL' | 'ExpirationTime'>;

/** A token in a request; IDs are empty if missing. */
interface TokenRequest {
  readonly accessor: string;
  readonly secret: string;
  readonly input: TokenInput;
}

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
    return putToken(transaction, { ...newToken(scheduler, { secret }), ...input });
  });
  return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
}

/**
 * Creates a token, or updates the one of the path or body; its type, expiry and secret are unchanged. A client token
 * with an unknown accessor and a secret is created with them.
 */
export async function putTokenRoute(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const { accessor, secret, input } = await readToken(call);
  if (params.id !== undefined && accessor !== params.id)
    throw new HttpError(400, 'ACL token accessor does not match request path');
  const id = accessor;
  const token = await scheduler.state.update((transaction) => {
    const existing = id === '' ? undefined : tokenOf(transaction, id);
    if (existing) return updateToken(transaction, existing, input);
    if (id !== '') checkUpload(transaction, { accessor: id, secret, input });
    const ids = id === '' ? {} : { accessor: id, secret };
    return putToken(transaction, { ...newToken(scheduler, ids), ...expiring(input, scheduler.state.now) });
  });
  return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
}

/** @throws HttpError 400: a field that cannot be changed */
function updateToken(transaction: Transaction, existing: Token, input: TokenInput): Token {
  if (existing.Type !== input.Type) throw new HttpError(400, 'cannot change the type of a token');
  const { CreateIndex: _create, ModifyIndex: _modify, ...rest } = existing;
  const { ExpirationTTL, ExpirationTime, ...changed } = input;
  const problems = [
    ...(existing.Global === input.Global ? [] : ['cannot toggle global mode']),
    ...(isChanged(existing.ExpirationTTL, ExpirationTTL) ? ['cannot update expiration TTL'] : []),
    ...(isChanged(existing.ExpirationTime, ExpirationTime) ? ['cannot update expiration time'] : []),
  ];
  rejectToken(problems);
  return putToken(transaction, { ...rest, ...changed });
}

/** A missing value keeps the existing one. */
const isChanged = (existing: unknown, value: unknown): boolean => value !== undefined && value !== existing;

/** @throws HttpError 400 */
function rejectToken(problems: readonly string[]): void {
  if (problems.length > 0) throw invalidToken(problems);
}

const invalidToken = (problems: readonly string[]): HttpError =>
  new HttpError(400, `token 0 invalid: ${errorList(problems)}`);

/** Whether a token may be created with these IDs. @throws HttpError 400 */
function checkUpload(view: View, { accessor, secret, input }: TokenRequest): void {
  const isUpload = input.Type === 'client' && uuidPattern.test(accessor) && uuidPattern.test(secret);
  if (!isUpload) throw new HttpError(400, `cannot find token ${accessor}`);
  // Nomad accepts a secret of another token, and then finds either of the two.
  if (tokenBySecret(view, secret)) rejectToken(['the secret belongs to another token']);
}

/** A new token, with the time at which it expires. @throws HttpError 400: too soon or too late */
function expiring(input: TokenInput, now: number): TokenInput {
  const { ExpirationTTL: ttl, ExpirationTime: time } = input;
  if (ttl === undefined && time === undefined) return input;
  const expiresAt = time === undefined ? now + (ttl ?? 0) * 1000 : Date.parse(time);
  const seconds = (expiresAt - now) / 1000;
  const was = `in the future (was ${formatDuration(seconds)})`;
  rejectToken([
    ...(seconds < 0 ? ['expiration time cannot be before create time'] : []),
    ...(seconds > maxExpirationSeconds
      ? [`expiration time cannot be more than ${formatDuration(maxExpirationSeconds)} ${was}`]
      : []),
    ...(seconds < minExpirationSeconds
      ? [`expiration time cannot be less than ${formatDuration(minExpirationSeconds)} ${was}`]
      : []),
  ]);
  return { ...input, ExpirationTime: new Date(expiresAt).toISOString() };
}

function readToken(call: Call): Promise<TokenRequest> {
  return readBody(call, 'invalid ACL token', (fields) => {
    const Type = fields.string('Type');
    const Policies = fields.strings('Policies');
    const Name = fields.string('Name');
    rejectToken([
      ...(fields.list('Roles').length > 0 ? ['roles are not supported'] : []),
      ...(Name.length > maxNameLength ? ['token name too long'] : []),
      ...(Type === 'client' && Policies.length === 0 ? ['client token missing policies or roles'] : []),
      ...(Type === 'management' && Policies.length > 0
        ? ['management token cannot be associated with policies or roles']
        : []),
    ]);
    if (Type !== 'client' && Type !== 'management')
      throw invalidToken(['token type must be client or management']);
    const ExpirationTTL = fields.duration('ExpirationTTL') || undefined;
    const ExpirationTime = readExpirationTime(fields);
    const input: TokenInput = {
      Name,
      Type,
      Policies: [...new Set(Policies)],
      Global: fields.boolean('Global'),
    };
    return {
      accessor: fields.string('AccessorID'),
      secret: fields.string('SecretID'),
      input: {
        ...input,
        ...(ExpirationTTL !== undefined && { ExpirationTTL }),
        ...(ExpirationTime !== undefined && { ExpirationTime }),
      },
    };
  });
}

/** @throws FieldError */
function readExpirationTime(fields: Fields): string | undefined {
  const text = fields.string('ExpirationTime');
  if (text === '') return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new FieldError('ExpirationTime of the body must be a time');
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
  Hash: null,
  CreateTime: '0001-01-01T00:00:00Z',
  ExpirationTTL: '',
  ExpirationTime: null,
  CreateIndex: 0,
  ModifyIndex: 0,
};

/** What every caller is without access control. */
const accessControlOffToken = {
  ...anonymousToken,
  AccessorID: accessControlOffAccessor,
  Name: 'ACLs disabled token',
  Policies: null,
};

/** The caller's own token, or the anonymous one. */
export function selfToken(call: Call): Promise<HttpResponse> {
  const { request, scheduler } = call;
  if (!scheduler.acl.isEnabled)
    return blockingQuery(call, 'tokens', () => ({ value: accessControlOffToken, index: 0 }));
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
  return blockingQuery(call, 'tokens', async (view) => ({
    value: await mapInSlices(await tokensOf(view, prefix), publicTokenView),
  }));
}

export async function removeToken(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const index = await scheduler.state.update((transaction) => {
    const id = params.id ?? '';
    const token = tokenOf(transaction, id);
    if (!token) throw new HttpError(400, `Cannot delete nonexistent tokens: ${id}`);
    deleteToken(transaction, token);
    return transaction.index;
  });
  return indexResponse(index);
}

/** A new token with all but its rights. Missing IDs are generated. */
export function newToken(
  { random, state, encryption }: Scheduler,
  { accessor = '', secret = '' }: Partial<Pick<TokenRequest, 'accessor' | 'secret'>>,
): Omit<Token, keyof TokenInput | keyof Indexes> {
  const AccessorID = accessor || uuid(random);
  const SecretID = secret || uuid(random);
  return {
    AccessorID,
    Sealed: encryption.encrypt(AccessorID, SecretID),
    SecretHash: hashOf(SecretID),
    CreateTime: new Date(state.now).toISOString(),
  };
}

function tokenView({ encryption }: Scheduler, token: Token): object {
  const { ExpirationTTL } = token;
  const ttl = ExpirationTTL === undefined ? '' : formatDuration(ExpirationTTL);
  return { ...publicTokenView(token), SecretID: secretOf(encryption, token), ExpirationTTL: ttl };
}

/** A token in a list. As in Nomad, no policies are null. */
function publicTokenView(token: Token): object {
  const {
    Sealed: _sealed,
    SecretHash: _hash,
    ExpirationTTL: _ttl,
    ExpirationTime = null,
    Policies,
    ...rest
  } = token;
  const { Name, Type, Global } = rest;
  return {
    ...rest,
    Policies: Policies.length === 0 ? null : Policies,
    Roles: null,
    Hash: hashOf(JSON.stringify([Name, Type, Policies, Global])),
    ExpirationTime,
  };
}
