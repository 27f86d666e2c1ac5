import { formatDuration } from '../../../wire/duration.ts';
import { accessControlOffAccessor } from '../../../wire/services.ts';
import { takeResetIndex } from '../../core/bootstrap-reset.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { type Content, type Indexes, withoutIndexes } from '../../core/state/state-table.ts';
import { uuid, uuidPattern } from '../../core/uuid.ts';
import {
  blockingParameters,
  blockingQuery,
  foundRow,
  listing,
  reading,
  readParameters,
  writeIndex,
  writeResponse,
  writing,
} from '../blocking-query.ts';
import { operations, type Scheduler } from '../call.ts';
import { requirePermission } from '../errors.ts';
import {
  bootstraps,
  hashOf,
  rolesOf,
  secretOf,
  type Token,
  tokenBySecret,
  tokenDetails,
  tokenInput,
  tokenMetadata,
  tokens,
} from '../model/acl.ts';
import type { Transaction, View } from '../model/tables.ts';
import { expiring, rejectToken, type TokenInput, type TokenRequest, tokenRequest } from '../token-request.ts';

const operation = operations('ACL');

/** docs/protocol/scheduler.md#access-control */
export const bootstrap = operation(
  'bootstrapAcl',
  'Enable access control and create the first management token',
  {
    isUnauthenticated: true,
    query: readParameters,
    body: s.object({ BootstrapSecret: s.string('The secret of the token, a UUID; default: random.') }),
    isBodyOptional: true,
    bodyError: 'failed to decode the request',
    returns: tokenDetails,
    responseHeaders: 'write',
    async handle(call) {
      const { scheduler } = call;
      const { BootstrapSecret: secret } = await call.body();
      const { view } = scheduler.state;
      const specified = bootstraps.get(view, 'done') ? await takeResetIndex(scheduler.resetFile) : undefined;
      if (secret !== '' && !uuidPattern.test(secret)) throw new HttpError(400, 'invalid acl token');
      const token = await scheduler.state.update((transaction) => {
        checkReset(bootstraps.get(transaction, 'done')?.index, specified);
        transaction.write(bootstraps.put('done', { index: transaction.index }));
        const input: TokenInput = { Name: 'Bootstrap Token', Type: 'management', Policies: [], Global: true };
        return writeToken(transaction, { ...newToken(scheduler, { secret }), ...input });
      });
      return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
    },
  },
);

/** @throws HttpError 400: already done, without a valid reset index */
function checkReset(resetIndex: number | undefined, specified: number | undefined): void {
  if (resetIndex === undefined || resetIndex === specified) return;
  throw new HttpError(
    400,
    specified === undefined
      ? `ACL bootstrap already done (reset index: ${resetIndex})`
      : `Invalid bootstrap reset index (specified ${specified}, reset index: ${resetIndex})`,
  );
}

export const putTokenRoute = operation('putToken', 'Create or update a token', {
  description: 'The type, the expiration and the secret of an existing token cannot be changed.',
  query: readParameters,
  body: tokenInput,
  bodyError: 'invalid ACL token',
  returns: tokenDetails,
  responseHeaders: 'write',
  async handle(call) {
    const { permissions, params, scheduler } = call;
    requirePermission(permissions.isManagement);
    const { accessor: id, secret, input } = tokenRequest(scheduler.state.view, await call.body());
    if (params.id !== undefined && id !== params.id)
      throw new HttpError(400, 'ACL token accessor does not match request path');
    const token = await scheduler.state.update((transaction) => {
      const existing = id === '' ? undefined : tokens.get(transaction, id);
      if (existing) return updateToken(transaction, existing, input);
      if (id !== '') checkUpload(transaction, { accessor: id, secret, input });
      const ids = id === '' ? {} : { accessor: id, secret };
      return writeToken(transaction, {
        ...newToken(scheduler, ids),
        ...expiring(input, scheduler.state.now),
      });
    });
    return writeResponse(call, token.ModifyIndex, tokenView(scheduler, token));
  },
});

const writeToken = (transaction: Transaction, token: Content<Token>): Token =>
  tokens.write(transaction, token.AccessorID, token);

/** @throws HttpError 400: a field that cannot be changed */
function updateToken(transaction: Transaction, existing: Token, input: TokenInput): Token {
  if (existing.Type !== input.Type) throw new HttpError(400, 'cannot change the type of a token');
  const { ExpirationTTL, ExpirationTime, ...changed } = input;
  const { Roles: _roles, ...kept } = withoutIndexes(existing);
  rejectToken([
    existing.Global !== input.Global && 'cannot toggle global mode',
    isChanged(existing.ExpirationTTL, ExpirationTTL) && 'cannot update expiration TTL',
    isChanged(existing.ExpirationTime, ExpirationTime) && 'cannot update expiration time',
  ]);
  return writeToken(transaction, { ...kept, ...changed });
}

/** A missing value keeps the existing one. */
const isChanged = (existing: unknown, value: unknown): boolean => value !== undefined && value !== existing;

/** Whether a token may be created with these IDs. @throws HttpError 400 */
function checkUpload(view: View, { accessor, secret, input }: TokenRequest): void {
  const isUpload = input.Type === 'client' && uuidPattern.test(accessor) && uuidPattern.test(secret);
  if (!isUpload) throw new HttpError(400, `cannot find token ${accessor}`);
  // Nomad accepts a secret of another token, and then finds either of the two.
  if (tokenBySecret(view, secret)) rejectToken(['the secret belongs to another token']);
}

export const getToken = operation('getToken', 'Read a token', {
  description: 'For management tokens, and for itself.',
  ...reading,
  returns: tokenDetails,
  handle(call) {
    const { permissions, params, request, scheduler } = call;
    const id = params.id ?? '';
    requirePermission(permissions.isManagement || scheduler.acl.tokenOf(request)?.AccessorID === id);
    return blockingQuery(call, 'tokens', (view) =>
      foundRow(tokens.get(view, id), 'ACL token not found', (token) => tokenView(scheduler, token)),
    );
  },
});

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

export const selfToken = operation('getSelfToken', 'Read the token of the request', {
  description: 'Without a token, the anonymous one.',
  query: blockingParameters,
  returns: tokenDetails,
  responseHeaders: 'query',
  errors: [400],
  handle(call) {
    const { request, scheduler } = call;
    if (!scheduler.acl.isEnabled)
      return blockingQuery(call, 'tokens', () => ({ value: accessControlOffToken, index: 0 }));
    const token = scheduler.acl.tokenOf(request);
    const [value, index] = token ? [tokenView(scheduler, token), token.ModifyIndex] : [anonymousToken, 0];
    return blockingQuery(call, 'tokens', () => ({ value, index }));
  },
});

export const listTokens = operation('listTokens', 'List tokens, without their secrets', {
  description: 'Ordered by accessor ID.',
  ...listing,
  query: {
    ...listing.query,
    per_page: s.integer('Maximum number of tokens in a page; 0: unlimited.', { minimum: 0, default: 0 }),
    next_token: s.string('The page token of the last response.'),
  },
  returns: s.list(tokenMetadata),
  responseHeaders: 'page',
  handle(call) {
    requirePermission(call.permissions.isManagement);
    const { prefix, per_page: size, next_token: from } = call.query();
    return blockingQuery(call, 'tokens', async (view) => {
      const listed = await filterInSlices(
        await tokens.list(view, prefix),
        ({ AccessorID }) => AccessorID >= from,
      );
      const page = size > 0 ? listed.slice(0, size) : listed;
      const next = listed[page.length];
      return {
        value: await mapInSlices(page, (token) => publicTokenView(view, token)),
        ...(next && { serviceHeaders: { NextToken: next.AccessorID } }),
      };
    });
  },
});

export const removeToken = operation('deleteToken', 'Delete a token', {
  ...writing,
  errors: [400],
  handle(call) {
    requirePermission(call.permissions.isManagement);
    return writeIndex(call, (transaction) => {
      const id = call.params.id ?? '';
      if (!tokens.get(transaction, id)) throw new HttpError(400, `Cannot delete nonexistent tokens: ${id}`);
      tokens.delete(transaction, id);
      return transaction.index;
    });
  },
});

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

function tokenView({ encryption, state }: Scheduler, token: Token): object {
  const { ExpirationTTL } = token;
  const ttl = ExpirationTTL === undefined ? '' : formatDuration(ExpirationTTL);
  return { ...publicTokenView(state.view, token), SecretID: secretOf(encryption, token), ExpirationTTL: ttl };
}

/** A token in a list, without fields of its row that are secret. As in Nomad, no policies or roles are null. */
function publicTokenView(
  view: View,
  { Sealed: _sealed, SecretHash: _hash, ExpirationTTL: _ttl, ...token }: Token,
): object {
  const { Name, Type, Global, Policies, ExpirationTime = null } = token;
  const links = rolesOf(view, token).map(({ ID, Name }) => ({ ID, Name }));
  return {
    ...token,
    Policies: Policies.length === 0 ? null : Policies,
    Roles: links.length === 0 ? null : links,
    Hash: hashOf(JSON.stringify([Name, Type, Policies, token.Roles, Global])),
    ExpirationTime,
  };
}
