import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { ValueEncryption } from '../core/store/encryption.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { LockExpiry } from './lock-expiry.ts';
import type { State } from './model/tables.ts';

/** The parts of the scheduler. */
export interface Scheduler {
  readonly state: State;
  readonly encryption: ValueEncryption;
  readonly acl: TokenAuthorizer;
  readonly lockExpiry: LockExpiry;
  readonly random: (length: number) => Uint8Array;
  /** Version of this program. */
  readonly version: string;
}

/** A request that matches a route. */
export interface Call {
  readonly scheduler: Scheduler;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** The permissions of the caller's token. */
  readonly permissions: Permissions;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;
