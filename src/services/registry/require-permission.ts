import { HttpError } from '../core/http/http-service.ts';
import { filterInSlices } from '../core/in-slices.ts';
import type { Permissions, Resource, Right } from './acl/permissions.ts';

/** @throws HttpError 403 */
export function requirePermission(
  permissions: Permissions,
  permission: `${Resource}:${Right}`,
  name: string,
): void {
  if (!permissions.allows(permission, name))
    throw new HttpError(403, permissions.denialMessage(permission, name));
}

/** A check of a service requires permission for the service, any other check for the node. @throws HttpError 403 */
export function requireOwnerWrite(permissions: Permissions, node: string, service: string | undefined): void {
  if (service === undefined) requirePermission(permissions, 'node:write', node);
  else requirePermission(permissions, 'service:write', service);
}

/** Whether the caller may read an instance of a service on a node. */
export function canReadInstance(permissions: Permissions, service: string, node: string): boolean {
  return permissions.allows('service:read', service) && permissions.allows('node:read', node);
}

/** The visible items of a list, and whether others were omitted. */
export async function filterVisible<Item>(
  items: readonly Item[],
  isVisible: (item: Item) => boolean,
): Promise<{ readonly items: Item[]; readonly filtered: boolean }> {
  const visibleItems = await filterInSlices(items, isVisible);
  return { items: visibleItems, filtered: visibleItems.length < items.length };
}
