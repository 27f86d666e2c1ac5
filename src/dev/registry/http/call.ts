import type { Answer, HttpRequest } from '../../http/service.ts';
import type { TokenAccess } from '../acl/access.ts';
import type { Authority } from '../acl/authority.ts';
import type { TokenExpiry } from '../acl/expiry.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Federation } from '../federation.ts';
import type { Replicator } from '../replication/replicator.ts';
import type { SessionTimes } from '../state/session-times.ts';
import type { State } from '../state/state.ts';

/** What the registry of one datacenter is made of. */
export interface Registry {
  readonly datacenter: string;
  /** This datacenter and those that it knows. */
  readonly federation: Federation;
  readonly state: State;
  readonly times: SessionTimes;
  readonly acl: TokenAccess;
  /** What follows the primary datacenter; undefined: this is the primary one. */
  readonly replicator: Replicator | undefined;
  readonly expiry: TokenExpiry;
  /** Those who sign in at a provider. */
  readonly signIns: SignIns;
  /** The file that lets access control be bootstrapped again; undefined: nothing does. */
  readonly resetFile: string | undefined;
  readonly random: (length: number) => Uint8Array;
  /** This program's version. */
  readonly version: string;
}

/** A request on its way through a route. */
export interface Call {
  readonly registry: Registry;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** What the caller's token may do. */
  readonly authority: Authority;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;
