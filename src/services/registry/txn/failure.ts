import type { Permissions, Resource, Right } from '../acl/permissions.ts';

/** The error of an operation in a transaction, with the service's own message. */
export class OperationFailure extends Error {}

/** The part before the comma names the failed action. */
export function staleIndexError(action: string): OperationFailure {
  return new OperationFailure(`failed to ${action}, index is stale`);
}

/** @throws OperationFailure permission denied */
export function requireOperationPermission(
  permissions: Permissions,
  permission: `${Resource}:${Right}`,
  name: string,
): void {
  if (!permissions.allows(permission, name))
    throw new OperationFailure(permissions.denialMessage(permission, name));
}
