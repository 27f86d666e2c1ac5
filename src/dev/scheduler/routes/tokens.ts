import { decode, FieldError, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import { uuid } from '../../uuid.ts';
import type { Call, Scheduler } from '../http/call.ts';
import { done, read, written } from '../http/read.ts';
import { demand } from '../http/refusals.ts';
import { deleteToken, hashOf, putToken, secretOf, type Token, tokenOf, tokensOf } from '../state/acl.ts';

const longestName = 256;
const uuidForm = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What clients decide of a token. */
type Wanted = Pick<Token, 'Name' | 'Type' | 'Policies' | 'Global' | 'ExpirationTime'>;

/**
 * Makes the first token, which may do everything; from then on access is controlled. It works once
 * (docs/protocol/scheduler.md#access-control).
 */
export async function bootstrap(call: Call): Promise<Answer> {
  const { request, scheduler } = call;
  const secret = await decode(request, 'failed to decode the request', (body) =>
    new Fields(body ?? {}).text('BootstrapSecret'),
  );
  if (secret !== '' && !uuidForm.test(secret)) throw new HttpRefusal(400, 'invalid acl token');
  const token = await scheduler.state.change((draft) => {
    const before = draft.get('bootstrap', 'done');
    if (before) {
      throw new HttpRefusal(400, `ACL bootstrap already done (reset index: ${before.index})`);
    }
    draft.put('bootstrap', 'done', { index: draft.index });
    const wanted: Wanted = { Name: 'Bootstrap Token', Type: 'management', Policies: [], Global: true };
    return putToken(draft, { ...freshToken(scheduler, secret), ...wanted });
  });
  return written(call, token.ModifyIndex, shown(scheduler, token));
}

/** Makes a token, or changes the one that the path or the body names; its type and its end stay. */
export async function putTokenRoute(call: Call): Promise<Answer> {
  const { authority, params, scheduler } = call;
  demand(authority.manages);
  const { accessor, wanted } = await readToken(call);
  if (params.id !== undefined && accessor !== '' && accessor !== params.id) {
    throw new HttpRefusal(400, 'ACL token ID does not match request path');
  }
  const id = params.id ?? accessor;
  const token = await scheduler.state.change((draft) => {
    if (id === '') return putToken(draft, { ...freshToken(scheduler), ...wanted });
    const before = tokenOf(draft, id);
    if (!before) throw missing();
    if (before.Type !== wanted.Type) throw new HttpRefusal(400, 'cannot change the type of a token');
    const { CreateIndex: _create, ModifyIndex: _modify, ...rest } = before;
    const { ExpirationTime: _end, ...changed } = wanted;
    return putToken(draft, { ...rest, ...changed });
  });
  return written(call, token.ModifyIndex, shown(scheduler, token));
}

function readToken({ request, scheduler }: Call): Promise<{ accessor: string; wanted: Wanted }> {
  return decode(request, 'invalid ACL token', (body) => {
    const fields = new Fields(body);
    const Type = fields.text('Type');
    const Policies = fields.texts('Policies');
    const Name = fields.text('Name');
    if (Type !== 'client' && Type !== 'management')
      throw new FieldError('token type must be client or management');
    if (fields.list('Roles').length > 0) throw new FieldError('roles are not supported');
    if (Type === 'client' && Policies.length === 0) throw new FieldError('client token missing policies');
    if (Type === 'management' && Policies.length > 0)
      throw new FieldError('management token cannot be associated with policies');
    if (Name.length > longestName) throw new FieldError(`name longer than ${longestName}`);
    const ExpirationTime = endOf(fields, scheduler.state.now);
    const wanted: Wanted = { Name, Type, Policies: [...new Set(Policies)], Global: fields.boolean('Global') };
    return {
      accessor: fields.text('AccessorID'),
      wanted: { ...wanted, ...(ExpirationTime !== undefined && { ExpirationTime }) },
    };
  });
}

function endOf(fields: Fields, now: number): string | undefined {
  const seconds = fields.duration('ExpirationTTL');
  if (seconds) return new Date(now + seconds * 1000).toISOString();
  const text = fields.text('ExpirationTime');
  if (text === '') return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time) || time <= now) throw new FieldError('ExpirationTime must be a time to come');
  return new Date(time).toISOString();
}

/** A token, for those who manage and for its owner. */
export function getToken(call: Call): Promise<Answer> {
  const { authority, params, request, scheduler } = call;
  const id = params.id ?? '';
  demand(authority.manages || scheduler.access.tokenOf(request)?.AccessorID === id);
  return read(call, 'tokens', (view) => {
    const token = tokenOf(view, id);
    return token
      ? { value: shown(scheduler, token), index: token.ModifyIndex }
      : { missing: 'ACL token not found' };
  });
}

/** As Nomad shows the token of a caller who has none. */
const anonymous = {
  ...{ AccessorID: 'anonymous', SecretID: '', Name: 'Anonymous Token', Type: 'client' },
  ...{ Policies: ['anonymous'], Roles: null, Global: false },
  ...{ CreateTime: '0001-01-01T00:00:00Z', ExpirationTime: null, CreateIndex: 0, ModifyIndex: 0 },
};

/** The caller's own token, the anonymous one for a caller without any. */
export function selfToken(call: Call): Promise<Answer> {
  const { request, scheduler } = call;
  const token = scheduler.access.tokenOf(request);
  if (!token) return read(call, 'tokens', () => ({ value: anonymous, index: 0 }));
  return read(call, 'tokens', () => ({ value: shown(scheduler, token), index: token.ModifyIndex }));
}

/** All tokens, without their secrets. */
export function listTokens(call: Call): Promise<Answer> {
  demand(call.authority.manages);
  const prefix = call.request.query.get('prefix') ?? '';
  return read(call, 'tokens', (view) => ({ value: tokensOf(view, prefix).map(publicPart) }));
}

export async function removeToken(call: Call): Promise<Answer> {
  const { authority, params, scheduler } = call;
  demand(authority.manages);
  const index = await scheduler.state.change((draft) => {
    const token = tokenOf(draft, params.id ?? '');
    if (!token) throw missing();
    deleteToken(draft, token);
    return draft.index;
  });
  return done(index);
}

function freshToken(
  { random, state, vault }: Scheduler,
  secret = '',
): Omit<Token, keyof Wanted | keyof Indexes> {
  const AccessorID = uuid(random);
  const SecretID = secret || uuid(random);
  return {
    AccessorID,
    Sealed: vault.seal(AccessorID, SecretID),
    SecretHash: hashOf(SecretID),
    CreateTime: new Date(state.now).toISOString(),
  };
}

function shown({ vault }: Scheduler, token: Token): object {
  return { ...publicPart(token), SecretID: secretOf(vault, token) };
}

function publicPart({ Sealed: _sealed, SecretHash: _hash, ...rest }: Token): object {
  return { ...rest, Roles: null };
}

const missing = () => new HttpRefusal(404, 'ACL token not found');
