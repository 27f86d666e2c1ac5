import type { Send } from './http/client.ts';
import type { ServiceResponse } from './http/response.ts';
import type { Operation } from './operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape stand in one table
type Operations = Readonly<Record<string, Operation<any, any>>>;

/** A service's operations as functions. */
export type Client<Table extends Operations> = {
  readonly [Name in keyof Table]: Table[Name] extends Operation<infer Input, infer Output>
    ? (input: Input) => Promise<ServiceResponse<Output>>
    : never;
};

/** Binds a table of operations to a transport. */
export function client<Table extends Operations>(table: Table, send: Send): Client<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [name, (input: object) => send(operation, input)]),
  ) as Client<Table>;
}
