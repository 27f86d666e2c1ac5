import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { FieldError, type Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { type Grants, policies, reservedIdPrefix, roles, type Token } from '../model/acl.ts';
import type { View } from '../model/tables.ts';
import { decodeKnownFields, tokenShape } from './body.ts';
import { readGrants, readLinks, resolveIdentities, resolveLinks } from './grants.ts';

export type TokenInput = Awaited<ReturnType<typeof readTokenInput>>;

/** Reads a token as clients write it. @throws HttpError 400, 413 */
export function readTokenInput(request: HttpRequest) {
  return decodeKnownFields(request, 'Token decoding failed', tokenShape, (fields) => ({
    ...fields.texts('AccessorID', 'SecretID', 'AuthMethod', 'Description'),
    Local: fields.boolean('Local'),
    ttl: readTtl(fields),
    expiration: readTime(fields, 'ExpirationTime'),
    grants: readGrants(fields),
    roles: readLinks(fields, 'Roles'),
  }));
}

/** Seconds, which may be negative; 0 if missing. @throws FieldError */
function readTtl(fields: Fields): number {
  const value = fields.get('ExpirationTTL');
  if (value === undefined) return 0;
  if (typeof value === 'number') return value / 1e9;
  const seconds =
    typeof value === 'string' && (value === '0' || /[a-zµ]$/.test(value)) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`time: invalid duration ${JSON.stringify(value)}`);
  return seconds;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const zeroTime = Date.parse('0001-01-01T00:00:00Z');

/** A time in milliseconds of the epoch; undefined: missing, or the zero time of Go. @throws FieldError */
function readTime(fields: Fields, name: string): number | undefined {
  if (!fields.has(name)) return undefined;
  const text = fields.string(name);
  const time = timePattern.test(text) ? Date.parse(text) : Number.NaN;
  const quoted = JSON.stringify(text);
  if (Number.isNaN(time)) {
    throw new FieldError(
      `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`,
    );
  }
  return time === zeroTime ? undefined : time;
}

/** Minimum lifetime of a token in seconds. */
const minTtl = 60;

/**
 * The expiration of a new token.
 *
 * @param now milliseconds of the epoch
 * @throws HttpError 500: TTL and time together, a time that has passed or is too near
 */
export function newExpiration({ ttl, expiration }: TokenInput, now: number): Pick<Token, 'ExpirationTime'> {
  if (ttl < 0) throw new HttpError(500, `Token Expiration TTL '${formatDuration(ttl)}' should be > 0`);
  if (ttl > 0 && expiration !== undefined)
    throw new HttpError(500, 'Token Expiration TTL and Expiration Time cannot both be set');
  const time = ttl > 0 ? now + ttl * 1000 : expiration;
  if (time === undefined) return {};
  if (time < now) throw new HttpError(500, 'ExpirationTime cannot be before CreateTime');
  const seconds = (time - now) / 1000;
  if (seconds < minTtl) {
    throw new HttpError(
      500,
      `ExpirationTime cannot be less than ${formatDuration(minTtl)} in the future (was ${formatDuration(seconds)})`,
    );
  }
  if (time > maxTime) throw new HttpError(500, 'ExpirationTime is too far in the future');
  return { ExpirationTime: new Date(time).toISOString() };
}

/** The last millisecond whose year has four digits. */
const maxTime = Date.parse('9999-12-31T23:59:59.999Z');

/** Rejects an ID that a new token cannot have. @throws HttpError 500 */
export function checkTokenId(field: 'AccessorID' | 'SecretID', id: string): void {
  if (id === '') return;
  if (id.startsWith(reservedIdPrefix)) {
    throw new HttpError(
      500,
      `Invalid Token: ${field} - UUIDs with the prefix "${reservedIdPrefix}" are reserved`,
    );
  }
  if (!uuidPattern.test(id)) throw new HttpError(500, `Invalid Token: ${field} - not a valid UUID`);
}

/** Rejects an update of what cannot change. @throws HttpError 500 */
export function checkTokenUpdate(input: TokenInput, existing: Token): void {
  const id = existing.AccessorID;
  if (input.SecretID !== '' && input.SecretID !== existing.SecretID)
    throw new HttpError(500, "Changing a token's SecretID is not permitted");
  if (input.Local !== existing.Local) throw new HttpError(500, `Cannot toggle local mode of ${id}`);
  if (input.AuthMethod !== '' && input.AuthMethod !== (existing.AuthMethod ?? ''))
    throw new HttpError(500, `Cannot change AuthMethod of ${id}`);
  const expiration = Date.parse(existing.ExpirationTime ?? '');
  if (input.ttl !== 0 || (input.expiration !== undefined && input.expiration !== expiration))
    throw new HttpError(500, `Cannot change expiration time of ${id}`);
}

/** @throws HttpError 500: a grant that does not exist, or that a local token cannot have */
export function tokenGrants(
  view: View,
  { grants, roles: links }: TokenInput,
  isLocal: boolean,
): Grants & Pick<Token, 'Roles'> {
  const Roles = resolveLinks(roles, view, links);
  const Policies = resolveLinks(policies, view, grants.policies);
  const limited = grants.services.find(({ Datacenters }) => Datacenters);
  if (isLocal && limited) {
    throw new HttpError(
      500,
      `Service identity ${JSON.stringify(limited.ServiceName)} cannot specify a list of datacenters on a local token`,
    );
  }
  return { Policies, ...resolveIdentities(grants, 'token'), ...(Roles.length > 0 && { Roles }) };
}
