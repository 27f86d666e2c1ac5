import { field, type ReturnedFields } from './schema.ts';

const inFilesOnly = { flag: false, foldsNames: true } as const;

const names = (description: string) => field.set(field.string(), { description });

/** Of the Enterprise edition: which of several things the jobs of a namespace may use. */
const selection = (things: string) =>
  field.object(
    {
      Default: field.string({ description: `Default of the ${things}.` }),
      Allowed: names(`The only allowed ${things}.`),
      Denied: names(`Denied ${things}.`),
    },
    { ...inFilesOnly, description: `The ${things} of jobs (Nomad Enterprise).` },
  );

const claims = (which: string) =>
  field.map(field.string(), {
    flag: false,
    description: `${which} claims of the identities of jobs.`,
  });

/** A namespace of the scheduler (docs/protocol/scheduler.md#namespaces). */
export const namespace = field.object(
  {
    Description: field.string({ maxLength: 256, description: 'Description, at most 256 bytes.' }),
    Quota: field.string({
      description: 'Name of the quota (Nomad Enterprise).',
      flag: { value: 'NAME', help: 'quota, if the service supports quotas' },
    }),
    Meta: field.map(field.string(), {
      description: 'Metadata by name.',
      flag: { help: 'metadata; replaces all existing metadata; repeatable' },
    }),
    Capabilities: field.object(
      {
        EnabledTaskDrivers: names('The only allowed task drivers.'),
        DisabledTaskDrivers: names('Denied task drivers.'),
        EnabledNetworkModes: names('The only allowed network modes.'),
        DisabledNetworkModes: names('Denied network modes.'),
      },
      { ...inFilesOnly, description: 'What jobs may use.' },
    ),
    NodePoolConfiguration: selection('node pools'),
    VaultConfiguration: selection('clusters of the secrets service'),
    ConsulConfiguration: selection('clusters of the service registry'),
    RequiredExtraClaims: claims('Required additional'),
    OptionalExtraClaims: claims('Optional additional'),
  },
  { foldsNames: true },
);

/** A namespace as the scheduler returns it. */
export type ReturnedNamespace = ReturnedFields<typeof namespace>;
