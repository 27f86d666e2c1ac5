import type { RegistryClient } from '../../../api/registry.ts';
import type { ConfigEntry } from '../../../api/registry-config.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, insteadOf, isNotFound } from '../../../errors.ts';

/** The kinds of Consul 1.21; other kinds are sent unchecked. */
export const kinds = [
  ...['proxy-defaults', 'service-defaults', 'service-router', 'service-splitter', 'service-resolver'],
  ...['service-intentions', 'mesh', 'exported-services', 'sameness-group', 'jwt-provider'],
  ...[
    'ingress-gateway',
    'terminating-gateway',
    'api-gateway',
    'bound-api-gateway',
    'http-route',
    'tcp-route',
  ],
  ...['inline-certificate', 'file-system-certificate', 'control-plane-request-limit'],
] as const;

export const kindArg = arg.text('KIND', 'kind, such as service-resolver', { completes: kinds });
export const nameArg = arg.text('NAME', 'name of the entry: a service, or global for proxy-defaults', {
  completes: 'config-entry',
});

export interface Named {
  readonly kind: string;
  readonly name: string;
}

/** `service-resolver "web"`. */
export const titleOf = ({ kind, name }: Named): string => `${kind} "${name}"`;

/** @throws LanyardError not_found */
export async function readConfigEntry(
  registry: RegistryClient,
  entry: Named,
  dc: InDatacenter,
): Promise<ConfigEntry> {
  const missing = describeAs(isNotFound, 'not_found', `${titleOf(entry)} not found`, {
    details: [],
    hint: 'Run `lanyard registry config list` for the existing config entries.',
  });
  return (await registry.readEntry({ ...entry, ...dc }).catch(missing)).body;
}

/** The entry; undefined: it does not exist. */
export const findConfigEntry = (
  ...which: Parameters<typeof readConfigEntry>
): Promise<ConfigEntry | undefined> => readConfigEntry(...which).catch(insteadOf(isNotFound, undefined));
