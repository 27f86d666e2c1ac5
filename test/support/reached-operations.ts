import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import type { Operation } from '../../src/api/operation.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';

type Row = Operation<object, unknown>;

/** The operations of each service, by name. */
const operationTables = {
  secrets: secretsOperations,
  registry: registryOperations,
  box: boxOperations,
  scheduler: schedulerOperations,
  accounts: accountsOperations,
} as unknown as Readonly<Record<ServiceName, Record<string, Row>>>;

/** Every operation as `service.operation`. */
export const allOperations: readonly string[] = serviceNames.flatMap((service) =>
  Object.keys(operationTables[service]).map((name) => `${service}.${name}`),
);

/** The row of `service.operation`. */
export function operationNamed(operation: string): Row {
  const [service = '', name = ''] = operation.split('.');
  const row = operationTables[service as ServiceName]?.[name];
  if (!row) throw new Error(`no operation ${operation}`);
  return row;
}

/**
 * Calls `reached` with `service.operation` for each request that commands of this process make.
 * @returns restores the tables
 */
export function watchOperations(reached: (operation: string) => void): () => void {
  const restores = serviceNames.map((service) => {
    const table = operationTables[service];
    const original = { ...table };
    for (const [name, row] of Object.entries(original)) {
      const { method } = row;
      table[name] = {
        ...row,
        // Read when a request is made.
        get method() {
          reached(`${service}.${name}`);
          return method;
        },
      };
    }
    return () => Object.assign(table, original);
  });
  return () => {
    for (const restore of restores) restore();
  };
}
