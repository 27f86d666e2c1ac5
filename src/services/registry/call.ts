import type { ServiceParts } from '../core/http/http-service.ts';
import { type CallOf, type HandlerOf, operationsOf } from '../core/operation.ts';
import type { Permissions } from './acl/permissions.ts';
import type { TokenExpiry } from './acl/token-expiry.ts';
import type { Agent } from './agent/agent.ts';
import type { PendingLogins } from './auth/pending-logins.ts';
import type { TokenAuthorizer } from './auth.ts';
import type { State } from './model/tables.ts';
import { blockingParameters, commonParameters } from './read-parameters.ts';
import type { Replicator } from './replication/replicator.ts';
import type { SessionExpiry } from './session-expiry.ts';

/** The registries of all datacenters. */
export interface Federation {
  /** The datacenter from which the others replicate tokens and config entries. */
  readonly primary: string;
  /** All datacenters, in the given order. */
  readonly datacenters: readonly string[];
  /** Undefined: unknown. */
  registryOf(datacenter: string): Registry | undefined;
  /** Estimated round-trip time in milliseconds; 0 to itself. */
  roundTrip(from: string, to: string): number;
}

/** The parts of the registry of one datacenter that handlers use. */
export interface Registry extends Pick<ServiceParts, 'random' | 'version'> {
  readonly datacenter: string;
  /** The name of its server's node. */
  readonly node: string;
  readonly federation: Federation;
  readonly state: State;
  readonly agent: Agent;
  readonly sessionExpiry: SessionExpiry;
  readonly acl: TokenAuthorizer;
  /** Replicates from the primary datacenter; undefined: this is the primary datacenter. */
  readonly replicator: Replicator | undefined;
  readonly tokenExpiry: TokenExpiry;
  /** Logins started at an identity provider. */
  readonly pendingLogins: PendingLogins;
  /** The file that allows bootstrapping access control again; undefined: not possible. */
  readonly resetFile: string | undefined;
}

export interface Context {
  readonly registry: Registry;
  readonly permissions: Permissions;
}

export type Call = CallOf<Context>;
export type Handler = HandlerOf<Context>;

/** A read of the servers, which can wait for a change. */
export const readOperations = operationsOf<Context>({
  sharedQuery: blockingParameters,
  responseHeaders: 'query',
  errors: [400],
});

/** Another request: a write, or a read of the agent. */
export const operations = operationsOf<Context>({
  sharedQuery: commonParameters,
  responseHeaders: 'all',
  errors: [400],
});
