import { setFlagsFromString } from 'node:v8';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { type Connection, connect, homeOf } from './connection.ts';
import { PlainRequests } from './plain-requests.ts';
import { Servers } from './retry.ts';

/** The servers of an endpoint, and how they are reached. */
export interface Cluster {
  readonly options: TransportOptions;
  readonly servers: Servers;
  /** Sends first requests without got. */
  readonly plainRequests: PlainRequests;
  readonly connectTo: (server: Endpoint) => Promise<Connection>;
}

/** Connections are made with the first request to each server, and kept. */
export function clusterOf(endpoint: Endpoint, options: TransportOptions): Cluster {
  // Objects of requests live as long as the response takes: V8 would let their space grow to 100 MiB, more on a busier
  // machine, and not collect sooner.
  if (options.isForMany) setFlagsFromString('--semi-space-growth-factor=1');
  const connections = new Map<string, Promise<Connection>>();
  return {
    options,
    servers: new Servers(endpoint),
    plainRequests: new PlainRequests(options.signal),
    connectTo(server) {
      const connection = connections.get(server.address) ?? connect(server, homeOf(server), options);
      connections.set(server.address, connection);
      return connection;
    },
  };
}
