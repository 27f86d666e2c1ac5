import type { HttpRequest } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import type { Call } from './call.ts';
import { notFound, paymentRequired, unauthorized, unprocessable } from './errors.ts';
import { type Box, boxOf } from './model/boxes.ts';
import { type Owner, ownerOf, type Role, roleOf } from './model/owners.ts';
import { tokenOf } from './model/tokens.ts';

/** The name of the token's user; undefined: no token. @throws HttpError 401: an unknown token */
export function callerOf(storage: Storage, request: HttpRequest): string | undefined {
  const secret = sentToken(request);
  if (secret === undefined) return undefined;
  const token = tokenOf(storage, secret);
  if (!token) throw unauthorized('The token is not valid');
  return token.user;
}

/** The token sent with a request: as a bearer token, the query parameter, or the service's own header. */
export function sentToken(request: HttpRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer ?? request.query.get('access_token') ?? request.serviceHeader('token');
}

function roleOfCaller({ caller, registry }: Call, owner: string): Role | undefined {
  if (caller === undefined) return undefined;
  const ownerRecord = ownerOf(registry.storage, owner);
  return ownerRecord && roleOf(ownerRecord, caller);
}

export function canSee(call: Call, box: Pick<Box, 'owner' | 'private'>): boolean {
  return !box.private || roleOfCaller(call, box.owner) !== undefined;
}

/** Whether the caller may change the box; only then are unreleased and revoked versions visible. */
const canModify = (call: Call, box: Box): boolean => roleOfCaller(call, box.owner) === 'write';

/** The box as visible to the caller: with all versions, or only the released ones. */
export function visibleBox(call: Call, box: Box): Box {
  if (canModify(call, box)) return box;
  return { ...box, versions: box.versions.filter(({ status }) => status === 'active') };
}

/** The box of the path, for reading. @throws HttpError 404: not found or not visible; 402 */
export function requireReadableBox(call: Call): Box {
  const box = findBox(call);
  if (!box || !canSee(call, box)) throw notFound();
  requirePaid(call, box);
  return visibleBox(call, box);
}

/** The box of the path, for writing. @throws HttpError 401: no role to change it; 404, 402 as for reading */
export function requireWritableBox(call: Call): Box {
  const box = findBox(call);
  if (!box || !canSee(call, box)) throw notFound();
  if (!canModify(call, box)) throw unauthorized(`You are not authorized to change ${box.owner}/${box.name}`);
  requirePaid(call, box);
  return box;
}

/** The owner of a new box. @throws HttpError 401: no role to change its boxes; 422: unknown owner */
export function requireOwner(call: Call, name: string): Owner {
  const owner = ownerOf(call.registry.storage, name);
  if (!owner) throw unprocessable(`User or organization ${name} does not exist`);
  if (roleOfCaller(call, name) !== 'write')
    throw unauthorized(`You are not authorized to create boxes of ${name}`);
  return owner;
}

/** @throws HttpError 402: a private box of a delinquent owner */
export function requirePaid({ registry }: Call, box: Pick<Box, 'owner' | 'private'>): void {
  if (box.private && ownerOf(registry.storage, box.owner)?.delinquent) throw paymentRequired(box.owner);
}

/** The version of the path, with its box. @throws HttpError 404 */
export function requireVersion({ params }: Call, box: Box) {
  const version = box.versions.find((each) => each.version === params.version);
  if (!version) throw notFound();
  return { box, version };
}

/** The provider of the path, with its version: of the given architecture, or the default one. @throws HttpError 404 */
export function requireProvider(call: Call, box: Box) {
  const { provider: name, architecture } = call.params;
  const { version } = requireVersion(call, box);
  const provider = version.providers.find(
    (each) =>
      each.name === name &&
      (architecture === undefined ? each.isDefault : each.architecture === architecture),
  );
  if (!provider) throw notFound();
  return { box, version, provider };
}

function findBox({ params, registry }: Call): Box | undefined {
  return boxOf(registry.storage, params.username ?? '', params.name ?? '');
}
