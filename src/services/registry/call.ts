import type { HttpRequest, HttpResponse } from '../core/http/http-service.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenExpiry } from './acl/token-expiry.ts';
import type { PendingLogins } from './auth/pending-logins.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { Federation } from './federation.ts';
import type { State } from './model/state.ts';
import type { Replicator } from './replication/replicator.ts';
import type { SessionExpiry } from './session-expiry.ts';

/** The registry of one datacenter. */
export interface Registry {
  readonly datacenter: string;
  /** All datacenters. */
  readonly federation: Federation;
  readonly state: State;
  readonly sessionExpiry: SessionExpiry;
  readonly acl: TokenAuthorizer;
  /** Replication from the primary datacenter; undefined: this is the primary one. */
  readonly replicator: Replicator | undefined;
  readonly tokenExpiry: TokenExpiry;
  /** Pending OIDC logins. */
  readonly pendingLogins: PendingLogins;
  /** The file that permits another ACL bootstrap; undefined: not permitted. */
  readonly resetFile: string | undefined;
  readonly random: (length: number) => Uint8Array;
  /** Version of this program. */
  readonly version: string;
}

/** A request that matches a route. */
export interface Call {
  readonly registry: Registry;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** The permissions of the caller's token. */
  readonly permissions: Permissions;
}

export type Handler = (call: Call) => HttpResponse | Promise<HttpResponse>;
