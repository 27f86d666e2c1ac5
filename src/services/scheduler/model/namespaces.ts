import * as s from '../../core/schema/types.ts';
import { shownIndexes, stateTable } from '../../core/state/state-table.ts';
import { stringMap } from '../string-map.ts';
import type { Transaction } from './tables.ts';

const names = s.nullable(s.list(s.string()));

/** An object of Nomad Enterprise, which is rejected. */
const unlicensed = s.requestOnly(s.optional(s.open(s.object({}))));

export const namespace = s.named(
  'Namespace',
  s.object({
    Name: s.required(s.string('Letters, digits and hyphens.', { pattern: '^[a-zA-Z0-9-]{1,128}$' })),
    Description: s.string('At most 256 bytes.'),
    Meta: s.nullable(stringMap()),
    Quota: s.string('Must be empty: quotas are not supported.'),
    Capabilities: s.nullable(
      s.object(
        {
          EnabledTaskDrivers: names,
          DisabledTaskDrivers: names,
          EnabledNetworkModes: names,
          DisabledNetworkModes: names,
        },
        'Allowed and forbidden drivers and network modes of jobs.',
      ),
    ),
    RequiredExtraClaims: s.optional(stringMap('Claims that identities of jobs must have.')),
    OptionalExtraClaims: s.optional(stringMap('Claims that identities of jobs may have.')),
    ...s.each(['NodePoolConfiguration', 'VaultConfiguration', 'ConsulConfiguration'], unlicensed),
    ...shownIndexes,
  }),
);

export const namespaces = stateTable('namespaces/', namespace.fields);

export const defaultNamespace = 'default';

/** Creates the default namespace. */
export function seedNamespaces(transaction: Transaction): void {
  if (namespaces.get(transaction, defaultNamespace)) return;
  namespaces.write(transaction, defaultNamespace, {
    Name: defaultNamespace,
    Description: 'Default shared namespace',
    Meta: null,
    Quota: '',
    Capabilities: null,
  });
}
