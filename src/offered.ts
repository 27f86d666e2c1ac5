import { services } from './api/services.ts';
import type { AnyCommand, FlagTable } from './command.ts';
import { globalFlags, serviceFlags, writeFlags } from './globals.ts';

/** The shared flags that a command offers beside its own; one of its own takes the place of a shared one. */
export function offeredBy(
  command: Pick<AnyCommand, 'service' | 'writes' | 'passesThrough' | 'flags'>,
): FlagTable {
  const shared: FlagTable = {
    ...(command.service ? serviceTable(command.service) : {}),
    ...(command.writes ? writeFlags : {}),
    ...(command.passesThrough ? withoutResult : globalFlags),
  };
  return Object.fromEntries(Object.entries(shared).filter(([name]) => !Object.hasOwn(command.flags, name)));
}

// There is no result to choose from, or to write to a file.
const { out: _out, field: _field, select: _select, ...withoutResult } = globalFlags;

const serviceTable = (service: keyof typeof services | 'any'): FlagTable => {
  const { namespace, ...rest } = serviceFlags;
  return service === 'any' || services[service].namespace ? { ...rest, namespace } : rest;
};
