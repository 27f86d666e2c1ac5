import type { Permissions } from '../acl/permissions.ts';
import type { Transaction } from '../model/tables.ts';

/** What an operation of a transaction uses. */
export interface OperationParts {
  readonly transaction: Transaction;
  readonly permissions: Permissions;
  readonly isLockDelayed: (key: string) => boolean;
  /** Called when a result is omitted that the caller may not read. */
  readonly onHidden: () => void;
}
