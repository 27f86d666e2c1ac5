import { Connection, encoded } from '../load.ts';
import type { Services } from '../services.ts';

/** A request: the method, the path with its query, and what is sent as JSON. */
export type Line = readonly [method: string, path: string, body?: object];

/** A server to drive, and the token that it is sent. */
export interface Server {
  readonly address: string;
  readonly token: string;
}

/** A product that is driven as the embedded service of the same kind is. */
export interface Peer {
  readonly name: string;
  /** The variables with the product's address and token. */
  readonly variables: readonly [address: string, token: string];
  /** The header of the token, which both know. */
  readonly tokenHeader: string;
  /** What is different between the two, for the reader: where a dev agent keeps its state. */
  readonly note: string;
  /** The embedded service, made to ask for a token as the product does. */
  embedded(services: Services): Promise<Server>;
  readonly rows: readonly Row[];
}

/** The same requests to both. Everything that they make has a name that begins with {@link prefix}. */
export interface Row {
  readonly what: string;
  /** Sent before the row is measured: one group after the other, those of a group at once. */
  readonly before?: readonly (readonly Line[])[];
  /** Sent after that: what it makes is removed by the `ID` of its response. */
  readonly create?: { readonly line: Line; readonly remove: (id: string) => Line };
  /** Sent in turn, again and again. */
  readonly requests: readonly Line[];
  /** Sent after, at once; what fails is passed over. */
  readonly after?: readonly Line[];
}

/** The start of every name that is made. */
export const prefix = 'lanyard-bench';

/** Lines by number, from 0. */
export const lines = (count: number, line: (at: number) => Line): Line[] =>
  Array.from({ length: count }, (_, at) => line(at));

/** The note of products whose dev agents are compared. */
export const devAgentNote = 'a dev agent keeps its state in memory only, the embedded service on a disk';

/** The embedded service at an address, after its ACL system was bootstrapped. */
export async function bootstrapped(address: string, method: 'POST' | 'PUT'): Promise<Server> {
  const connection = await Connection.open(address);
  const { body } = await connection.send(encoded(method, '/v1/acl/bootstrap', ''));
  connection.close();
  const { SecretID: token } = JSON.parse(body) as { readonly SecretID: string };
  return { address, token };
}
