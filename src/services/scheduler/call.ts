import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { ValueEncryption } from '../core/store/encryption.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { LockExpiry } from './lock-expiry.ts';
import type { State } from './model/tables.ts';

/** What the scheduler is made of. */
export interface Scheduler {
  readonly state: State;
  readonly encryption: ValueEncryption;
  readonly acl: TokenAuthorizer;
  readonly lockExpiry: LockExpiry;
  readonly random: (length: number) => Uint8Array;
  /** This program's version. */
  readonly version: string;
}

/** A request on its way through a route. */
export interface Call {
  readonly scheduler: Scheduler;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** What the caller's token may do. */
  readonly permissions: Permissions;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;
