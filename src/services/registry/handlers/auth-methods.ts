import { formatDuration } from '../../../wire/duration.ts';
import { messageOf } from '../../core/errors.ts';
import { decodeFields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { checkConfig } from '../auth/settings.ts';
import { type AuthMethod, authMethods, deleteAuthMethod, methodTypes } from '../auth/state.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { rejectMissing, removeRow } from './acl-rows.ts';

const namePattern = /^[\w-]{1,128}$/;
const redacted = '<hidden>';

/** Limits of MaxTokenTTL in seconds. */
const minTtlSeconds = 60;
const maxTtlSeconds = 86_400;

/** Creates or updates an auth method; its type is immutable. */
export async function putAuthMethodRoute(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const input = await readMethod(call);
  if (params.name !== undefined && input.Name !== params.name) {
    throw new HttpError(400, 'Auth method name in URL and payload do not match');
  }
  const method = checkMethod(input);
  const { datacenter, federation } = registry;
  if (method.TokenLocality === 'global' && datacenter !== federation.primary) {
    throw invalidMethod(
      `TokenLocality global is for methods of the primary datacenter, "${federation.primary}"`,
    );
  }
  const stored = await registry.state.update((transaction) => {
    const existing = authMethods.get(transaction, method.Name);
    if (existing && existing.Type !== method.Type) {
      throw new HttpError(
        500,
        `Changing an auth method's type from "${existing.Type}" to "${method.Type}" is not permitted`,
      );
    }
    return authMethods.write(transaction, method.Name, method);
  });
  return writeResponse(call, stored);
}

type MethodInput = Awaited<ReturnType<typeof readMethod>>;

function readMethod({ params, request }: Call) {
  return decodeFields(request, 'Request decode failed', (fields) => ({
    Name: fields.string('Name') || (params.name ?? ''),
    ...fields.texts('Type', 'DisplayName', 'Description', 'TokenLocality'),
    ttl: fields.duration('MaxTokenTTL') ?? 0,
    Config: fields.rawObject('Config') ?? {},
  }));
}

/** @throws HttpError 500 */
function checkMethod({ ttl, TokenLocality, ...input }: MethodInput): Omit<AuthMethod, keyof Indexes> {
  const Type = methodTypes.find((each) => each === input.Type);
  const isKnownLocality = ['local', 'global', ''].includes(TokenLocality);
  if (!namePattern.test(input.Name)) {
    throw invalidMethod("invalid Name. Only letters, digits, '-' and '_' are allowed");
  }
  if (!Type) throw invalidMethod(`Type should be one of: ${methodTypes.join(', ')}`);
  if (!isKnownLocality) throw invalidMethod(`TokenLocality "${TokenLocality}" should be local or global`);
  if (ttl !== 0 && (ttl < minTtlSeconds || ttl > maxTtlSeconds))
    throw invalidMethod('MaxTokenTTL must be from 1m to 24h');
  try {
    checkConfig(Type, input.Config);
  } catch (error) {
    throw invalidMethod(messageOf(error));
  }
  return {
    ...input,
    Type,
    ...(TokenLocality !== '' && { TokenLocality: TokenLocality as 'local' | 'global' }),
    ...(ttl > 0 && { MaxTokenTTL: formatDuration(ttl) }),
  };
}

const invalidMethod = (problem: string): HttpError => new HttpError(500, `Invalid Auth Method: ${problem}`);

/** An auth method; only callers who may write it see its secrets. */
export function getAuthMethod(call: Call): Promise<HttpResponse> {
  const { permissions, params } = call;
  return blockingQuery(call, ['auth-methods'], (view) => {
    const method = authMethods.get(view, params.name ?? '');
    if (!method) rejectMissing('auth method');
    return { value: permissions.allows('acl:write', '') ? method : withoutSecret(method) };
  });
}

function withoutSecret({ Config, ...rest }: AuthMethod): object {
  const configEntries = Object.entries(Config).map(([name, value]) =>
    name.toLowerCase() === 'oidcclientsecret' ? [name, redacted] : [name, value],
  );
  return { ...rest, Config: Object.fromEntries(configEntries) };
}

export function listAuthMethods(call: Call): Promise<HttpResponse> {
  return blockingQuery(call, ['auth-methods'], (view) => ({
    value: authMethods.values(view).map(({ Config: _config, ...rest }) => rest),
  }));
}

/** Deletes an auth method, with its binding rules and tokens. */
export function removeAuthMethod(call: Call): Promise<HttpResponse> {
  return removeRow(call, authMethods, 'auth method', deleteAuthMethod);
}
