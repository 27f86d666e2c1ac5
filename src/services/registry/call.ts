import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenExpiry } from './acl/token-expiry.ts';
import type { PendingLogins } from './auth/pending-logins.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { Federation } from './federation.ts';
import type { State } from './model/state.ts';
import type { Replicator } from './replication/replicator.ts';
import type { SessionExpiry } from './session-expiry.ts';

/** What the registry of one datacenter is made of. */
export interface Registry {
  readonly datacenter: string;
  /** This datacenter and those that it knows. */
  readonly federation: Federation;
  readonly state: State;
  readonly sessionExpiry: SessionExpiry;
  readonly acl: TokenAuthorizer;
  /** What follows the primary datacenter; undefined: this is the primary one. */
  readonly replicator: Replicator | undefined;
  readonly tokenExpiry: TokenExpiry;
  /** Those who sign in at a provider. */
  readonly pendingLogins: PendingLogins;
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
  readonly permissions: Permissions;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;
