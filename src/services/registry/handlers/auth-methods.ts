import { formatDuration } from '../../../wire/duration.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { authMethodShape, decodeKnownFields } from '../acl/body.ts';
import { checkConfig } from '../auth/settings.ts';
import { type AuthMethod, authMethodOf, authMethods, deleteAuthMethod, methodTypes } from '../auth/state.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { foldName } from '../fold-name.ts';
import { rejectMissing, removeRow } from './acl-rows.ts';

const namePattern = /^[\w-]{1,128}$/;
const redacted = '<hidden>';

/** Minimum of MaxTokenTTL in seconds. */
const minTtlSeconds = 60;

/** Creates or updates an auth method; its type is immutable. */
export async function putAuthMethodRoute(call: Call): Promise<HttpResponse> {
  const { params, registry } = call;
  const input = await readMethod(call);
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
  return writeResponse(call, methodView(stored));
}

type MethodInput = Awaited<ReturnType<typeof readMethod>>;

function readMethod({ params, request }: Call) {
  return decodeKnownFields(request, 'AuthMethod decoding failed', authMethodShape, (fields) => ({
    Name: fields.string('Name') || (params.name ?? ''),
    ...fields.texts('Type', 'DisplayName', 'Description', 'TokenLocality'),
    ttl: fields.duration('MaxTokenTTL') ?? 0,
    Config: fields.rawObject('Config') ?? {},
  }));
}

/** @throws HttpError 500 */
function checkMethod({ ttl, TokenLocality, ...input }: MethodInput): Omit<AuthMethod, keyof Indexes> {
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
  if (!locality && TokenLocality !== '')
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
export function getAuthMethod(call: Call): Promise<HttpResponse> {
  const { permissions, params } = call;
  return blockingQuery(call, ['auth-methods'], (view) => {
    const method = authMethodOf(view, params.name ?? '');
    if (!method) rejectMissing('auth method');
    const visible = permissions.allows('acl:write', '') ? method : withoutSecret(method);
    return { value: methodView(visible) };
  });
}

/** A method as clients read it: an empty name or description is left out. */
function methodView({ DisplayName, Description, ...rest }: Omit<AuthMethod, 'Config'>): object {
  return { ...rest, ...(DisplayName && { DisplayName }), ...(Description && { Description }) };
}

function withoutSecret({ Config, ...rest }: AuthMethod): AuthMethod {
  const configEntries = Object.entries(Config).map(([name, value]) =>
    name.toLowerCase() === 'oidcclientsecret' ? [name, redacted] : [name, value],
  );
  return { ...rest, Config: Object.fromEntries(configEntries) };
}

export function listAuthMethods(call: Call): Promise<HttpResponse> {
  return blockingQuery(call, ['auth-methods'], async (view) => ({
    value: await mapInSlices(await authMethods.list(view), ({ Config: _config, ...rest }) =>
      methodView(rest),
    ),
  }));
}

/** Deletes an auth method, with its binding rules and tokens. */
export function removeAuthMethod(call: Call): Promise<HttpResponse> {
  return removeRow(call, authMethods, 'auth method', deleteAuthMethod);
}
