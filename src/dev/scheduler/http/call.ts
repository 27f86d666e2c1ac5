import type { Answer, HttpRequest } from '../../http/service.ts';
import type { Vault } from '../../vault.ts';
import type { Access } from '../acl/access.ts';
import type { Authority } from '../acl/authority.ts';
import type { LockTimes } from '../lock-times.ts';
import type { State } from '../state/tables.ts';

/** What the scheduler is made of. */
export interface Scheduler {
  readonly state: State;
  readonly vault: Vault;
  readonly access: Access;
  readonly locks: LockTimes;
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
  readonly authority: Authority;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;
