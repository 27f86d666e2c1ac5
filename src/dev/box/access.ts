import type { Call } from './http/call.ts';
import { type Fields, wrapped } from './http/fields.ts';
import { delinquent, notFound, unauthorised, unprocessable } from './http/refusals.ts';
import { type Box, boxOf, type Provider, type Version } from './state/boxes.ts';
import { type Owner, ownerOf, type Role, roleOf } from './state/owners.ts';

/** What a caller may do with the boxes of an owner. */
function callersRole({ caller, registry }: Call, owner: string): Role | undefined {
  if (caller === undefined) return undefined;
  const known = ownerOf(registry.storage, owner);
  return known && roleOf(known, caller);
}

/** May the caller know of the box? */
export function maySee(call: Call, box: Box): boolean {
  return !box.private || callersRole(call, box.owner) !== undefined;
}

/** May the caller change the box? Only then are versions shown that are not released, or no longer. */
function mayChange(call: Call, box: Box): boolean {
  return callersRole(call, box.owner) === 'write';
}

/** The box as the caller sees it: with all versions, or those that are released. */
export function shown(call: Call, box: Box): Box {
  if (mayChange(call, box)) return box;
  return { ...box, versions: box.versions.filter(({ status }) => status === 'active') };
}

/**
 * The box of the path, to read.
 * @throws HttpRefusal 404: there is none, or it is private and not the caller's to see; 402
 */
export function readableBox(call: Call): Box {
  const box = boxOfPath(call);
  if (!box || !maySee(call, box)) throw notFound();
  checkPaid(call, box);
  return shown(call, box);
}

/**
 * The box of the path, to change.
 * @throws HttpRefusal 401: no token, or no role to change it; 404: as for reading; 402
 */
export function changeableBox(call: Call): Box {
  demandToken(call);
  const box = boxOfPath(call);
  if (!box || !maySee(call, box)) throw notFound();
  if (!mayChange(call, box)) throw unauthorised(`You are not authorised to change ${box.owner}/${box.name}`);
  checkPaid(call, box);
  return box;
}

/**
 * The owner that a box is to be made for by a caller with a token (see `writtenFields`).
 * @throws HttpRefusal 401: no role to change its boxes; 422: there is no such owner
 */
export function owningOwner(call: Call, name: string): Owner {
  const owner = ownerOf(call.registry.storage, name);
  if (!owner) throw unprocessable(`There is no user or organisation ${name}`);
  if (callersRole(call, name) !== 'write')
    throw unauthorised(`You are not authorised to make boxes of ${name}`);
  return owner;
}

/** @returns the user's name. @throws HttpRefusal 401: no token came along */
export function demandToken({ caller }: Call): string {
  if (caller === undefined) throw unauthorised('A token is required');
  return caller;
}

/**
 * The object of the body that a caller with a token writes.
 * @throws HttpRefusal 401: no token came along; 422: it is missing; 400, 403, 413
 */
export async function writtenFields(call: Call, name: Parameters<typeof wrapped>[1]): Promise<Fields> {
  demandToken(call);
  return wrapped(call.request, name);
}

/** @throws HttpRefusal 402: a private box of an owner who has not paid */
export function checkPaid({ registry }: Call, box: Pick<Box, 'owner' | 'private'>): void {
  if (box.private && ownerOf(registry.storage, box.owner)?.delinquent) throw delinquent(box.owner);
}

/** The version of the path. @throws HttpRefusal 404 */
export function versionOf({ params }: Call, box: Box): Version {
  const version = box.versions.find((each) => each.version === params.version);
  if (!version) throw notFound();
  return version;
}

/** The provider of the path: of the architecture that it names, else the default one. @throws HttpRefusal 404 */
export function providerOf({ params }: Call, version: Version): Provider {
  const { provider: name, architecture } = params;
  const provider = version.providers.find(
    (each) =>
      each.name === name &&
      (architecture === undefined ? each.isDefault : each.architecture === architecture),
  );
  if (!provider) throw notFound();
  return provider;
}

function boxOfPath({ params, registry }: Call): Box | undefined {
  return boxOf(registry.storage, params.username ?? '', params.name ?? '');
}
