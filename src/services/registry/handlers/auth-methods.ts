import { formatDuration } from '../../../wire/duration.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Content } from '../../core/state/state-table.ts';
import { checkConfig, methodTypes } from '../auth/settings.ts';
import {
  type AuthMethod,
  type AuthMethodInput,
  authMethod,
  authMethodInput,
  authMethodMetadata,
  authMethodOf,
  authMethods,
  deleteAuthMethod,
} from '../auth/state.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import { foldName } from '../fold-name.ts';
import { rejectMissing, removing, writing } from './acl-rows.ts';

const namePattern = /^[\w-]{1,128}$/;
const redacted = '<hidden>';

/** Minimum of MaxTokenTTL in seconds. */
const minTtlSeconds = 60;

const operation = operations('Auth methods');
const readOperation = readOperations('Auth methods');

/** Creates or updates an auth method; its type is immutable. */
export const putAuthMethod = operation('createAuthMethod', 'Create an auth method', {
  ...writing('AuthMethod', authMethodInput, authMethod),
  async handle(call) {
    const { params, registry } = call;
    const body = await call.body();
    const input = { ...body, Name: body.Name || (params.name ?? '') };
    if (params.name !== undefined && input.Name !== params.name) {
      throw new HttpError(400, 'AuthMethod Name in URL and payload do not match');
    }
    const { datacenter, federation } = registry;
    const stored = await registry.state.update((transaction) => {
      const existing = authMethodOf(transaction, input.Name);
      const Type = input.Type || (existing?.Type ?? '');
      if (existing && existing.Type !== Type)
        throw new HttpError(500, 'the Type field of an Auth Method is immutable');
      const method = checkMethod({ ...input, Type });
      if (method.TokenLocality === 'global' && datacenter !== federation.primary)
        throw invalidMethod("TokenLocality 'global' can only be used in the primary datacenter");
      return authMethods.write(transaction, foldName(method.Name), method);
    });
    return writeResponse(call, stored);
  },
});

/** @throws HttpError 500 */
function checkMethod({ MaxTokenTTL: ttl, TokenLocality, ...input }: AuthMethodInput): Content<AuthMethod> {
  const Type = methodTypes.find((each) => each === input.Type);
  const locality = (['local', 'global'] as const).find((each) => each === TokenLocality);
  if (input.Name === '') throw invalidMethod('no Name is set');
  if (!namePattern.test(input.Name)) {
    throw invalidMethod("invalid Name. Only alphanumeric characters, '-' and '_' are allowed");
  }
  if (!Type) throw invalidMethod(`Type should be one of: [${methodTypes.join(' ')}]`);
  if (ttl !== 0 && ttl < minTtlSeconds) {
    throw new HttpError(
      500,
      `MaxTokenTTL ${formatDuration(ttl)} cannot be less than ${formatDuration(minTtlSeconds)}`,
    );
  }
  if (!locality && TokenLocality !== undefined)
    throw invalidMethod("TokenLocality should be one of 'local' or 'global'");
  try {
    checkConfig(Type, input.Config);
  } catch (error) {
    throw invalidMethod(messageOf(error));
  }
  return {
    ...input,
    Type,
    ...(locality && { TokenLocality: locality }),
    ...(ttl > 0 && { MaxTokenTTL: formatDuration(ttl) }),
  };
}

const invalidMethod = (problem: string): HttpError => new HttpError(500, `Invalid Auth Method: ${problem}`);

/** An auth method; only callers who may write it see its secrets. */
export const getAuthMethod = readOperation('getAuthMethod', 'Read an auth method', {
  returns: authMethod,
  errors: [400, 404],
  handle(call) {
    const { permissions, params } = call;
    return blockingQuery(call, ['auth-methods'], (view) => {
      const method = authMethodOf(view, params.name ?? '') ?? rejectMissing('auth method');
      return { value: permissions.allows('acl:write', '') ? method : withoutSecret(method) };
    });
  },
});

function withoutSecret({ Config, ...rest }: AuthMethod): AuthMethod {
  const configEntries = Object.entries(Config).map(([name, value]) =>
    name.toLowerCase() === 'oidcclientsecret' ? [name, redacted] : [name, value],
  );
  return { ...rest, Config: Object.fromEntries(configEntries) };
}

export const listAuthMethods = readOperation(
  'listAuthMethods',
  'List auth methods, without their configuration',
  {
    returns: s.list(authMethodMetadata),
    handle: (call) =>
      blockingQuery(call, ['auth-methods'], async (view) => ({ value: await authMethods.list(view) })),
  },
);

export const removeAuthMethod = operation(
  'deleteAuthMethod',
  'Delete an auth method with its binding rules and tokens',
  removing(authMethods, 'auth method', deleteAuthMethod),
);
