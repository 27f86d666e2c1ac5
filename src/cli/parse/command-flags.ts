import { services } from '../../api/services.ts';
import type { AnyCommand, FlagTable } from '../../command/command.ts';
import { commonFlags, globalFlags, markdownOutput, serviceFlags, writeFlags } from './globals.ts';

/** The shared flags that a command accepts; a flag of its own with the same name replaces a shared one. */
export function commandFlags(
  command: Pick<AnyCommand, 'service' | 'namespaceOf' | 'writes' | 'hasNoResult' | 'hasMarkdown' | 'flags'>,
): FlagTable {
  const shared: FlagTable = {
    ...(command.service ? serviceTable(command.service) : {}),
    ...(command.namespaceOf ? { namespace: namespaceOf(command.namespaceOf) } : {}),
    ...(command.writes ? writeFlags : {}),
    ...(command.hasNoResult ? commonFlags : globalFlags),
    ...(command.hasMarkdown ? markdownOutput : {}),
  };
  return Object.fromEntries(Object.entries(shared).filter(([name]) => !Object.hasOwn(command.flags, name)));
}

const namespaceOf = (service: keyof typeof services) => ({
  ...serviceFlags.namespace,
  help: `namespace of the ${services[service].title}`,
});

const serviceTable = (service: keyof typeof services | 'any'): FlagTable => {
  const { namespace, ...rest } = serviceFlags;
  return service === 'any' || services[service].namespace ? { ...rest, namespace } : rest;
};
