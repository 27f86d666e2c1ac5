import type { Send, ServiceResponse } from './http/response.ts';
import type { Operation } from './operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape are in one table
type Operations = Readonly<Record<string, Operation<any, any>>>;

/** The input of an operation, whose optional fields may be undefined: they are not sent. */
type Fields<Input> = {
  [Name in keyof Input]: object extends Pick<Input, Name> ? Input[Name] | undefined : Input[Name];
};

/** A service's operations as functions. */
export type Client<Table extends Operations> = {
  readonly [Name in keyof Table]: Table[Name] extends Operation<infer Input, infer Output>
    ? (input: Fields<Input>) => Promise<ServiceResponse<Output>>
    : never;
};

/** Binds a table of operations to a transport. */
export function client<Table extends Operations>(table: Table, send: Send): Client<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [name, (input: object) => send(operation, input)]),
  ) as Client<Table>;
}
