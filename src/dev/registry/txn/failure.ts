import type { Authority, Resource, Right } from '../acl/authority.ts';

/** Why an operation of a transaction cannot be done, in the words of the service. */
export class OperationFailure extends Error {}

/** What went before the comma is what could not be done. */
export function stale(what: string): OperationFailure {
  return new OperationFailure(`failed to ${what}, index is stale`);
}

/** @throws OperationFailure the caller may not */
export function demandFor(authority: Authority, permission: `${Resource}:${Right}`, name: string): void {
  if (!authority.may(permission, name)) throw new OperationFailure(authority.denial(permission, name));
}
