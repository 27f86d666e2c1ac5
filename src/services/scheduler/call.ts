import type { ServiceParts } from '../core/http/http-service.ts';
import { type CallOf, type HandlerOf, operationsOf } from '../core/operation.ts';
import type { ValueEncryption } from '../core/store/encryption.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { LockExpiry } from './lock-expiry.ts';
import type { RecentItems } from './model/recent-items.ts';
import type { State } from './model/tables.ts';

export interface Scheduler extends Pick<ServiceParts, 'random' | 'version'> {
  readonly state: State;
  readonly encryption: ValueEncryption;
  readonly items: RecentItems;
  readonly acl: TokenAuthorizer;
  readonly lockExpiry: LockExpiry;
  /** The file with the index that permits another bootstrap; undefined: no data directory. */
  readonly resetFile: string | undefined;
}

export interface Context {
  readonly scheduler: Scheduler;
  readonly permissions: Permissions;
}

export type Call = CallOf<Context>;
export type Handler = HandlerOf<Context>;

export const operations = operationsOf<Context>();
