import { setFlagsFromString } from 'node:v8';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { type Connection, connect, homeOf } from './connection.ts';
import { PlainRequests } from './plain-requests.ts';
import { Servers } from './retry.ts';

/** The servers of an endpoint, and how they are reached. */
export interface Cluster {
  readonly options: TransportOptions;
  readonly servers: Servers;
  /** Sends first requests without got; undefined: got sends all. */
  readonly plainRequests: PlainRequests | undefined;
  readonly connectTo: (server: Endpoint) => Promise<Connection>;
}

/** Connections are made with the first request to each server, and kept. */
export function clusterOf(endpoint: Endpoint, options: TransportOptions): Cluster {
  const connections = new Map<string, Promise<Connection>>();
  return {
    options,
    servers: new Servers(endpoint),
    plainRequests: options.isForMany ? plainRequests(options.signal) : undefined,
    connectTo(server) {
      const connection = connections.get(server.address) ?? connect(server, homeOf(server), options);
      connections.set(server.address, connection);
      return connection;
    },
  };
}

function plainRequests(signal: AbortSignal): PlainRequests {
  // Objects of requests live as long as the response takes: V8 would let their space grow to 100 MiB, more on a busier
  // machine, and not collect sooner.
  setFlagsFromString('--semi-space-growth-factor=1');
  return new PlainRequests(signal);
}
