import type { Permissions, Resource, Right } from '../acl/permissions.ts';

/** Why an operation of a transaction cannot be done, in the words of the service. */
export class OperationFailure extends Error {}

/** What went before the comma is what could not be done. */
export function staleIndexError(action: string): OperationFailure {
  return new OperationFailure(`failed to ${action}, index is stale`);
}

/** @throws OperationFailure the caller may not */
export function requireOperationPermission(
  permissions: Permissions,
  permission: `${Resource}:${Right}`,
  name: string,
): void {
  if (!permissions.allows(permission, name))
    throw new OperationFailure(permissions.denialMessage(permission, name));
}
