import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Services } from './kind.ts';
import type { StateSet } from './set.ts';

interface Health {
  readonly cluster_id?: string;
  readonly initialized?: boolean;
  readonly sealed?: boolean;
}

type Found = Readonly<Record<string, string | undefined>>;

const readers: { readonly [Service in ServiceName]: (services: Services) => Promise<Found> } = {
  async secrets(services) {
    const { body } = await (await services.secrets()).health({});
    const { cluster_id: clusterId, initialized, sealed } = body as Health;
    if (!clusterId && (sealed || initialized === false))
      throw new LanyardError(
        'unavailable',
        `cannot read the cluster ID: the secrets service is ${sealed && initialized !== false ? 'sealed' : 'not initialized'}`,
        {
          service: 'secrets',
          hint: 'Run `lanyard status` to see the state of the services.',
          retryable: true,
        },
      );
    return { clusterId: clusterId || undefined };
  },
  async registry(services) {
    const { body } = await (await services.registry()).readAgent({});
    return { datacenter: body.Config.Datacenter };
  },
  async scheduler(services) {
    return { region: (await services.settings('scheduler')).region ?? 'global' };
  },
  async accounts() {
    return { scope: 'global' };
  },
  async box() {
    return {};
  },
};

/** What identifies a service: a cluster, a datacenter, a region. */
export async function readTarget(
  service: ServiceName,
  services: Services,
): Promise<Readonly<Record<string, string>>> {
  const found = await readers[service](services);
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/**
 * Compares the targets that a set states with the services.
 *
 * @returns the targets as found.
 * @throws LanyardError usage: a service is another one; nothing was written.
 */
export async function checkTargets(set: StateSet, services: Services): Promise<StateSet['targets']> {
  const found: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, expected] of Object.entries(set.targets)) {
    const service = name as ServiceName;
    const target = await readTarget(service, services).catch((error: unknown) => {
      if (!(error instanceof LanyardError)) throw error;
      throw error.withDetails([
        ...error.details,
        `required to check spec.targets.${service} of the document of kind Set`,
      ]);
    });
    found[service] = target;
    for (const [field, value] of Object.entries(expected)) {
      if (target[field] === value) continue;
      const actual = target[field] === undefined ? 'unknown' : `"${target[field]}"`;
      throw new LanyardError(
        'usage',
        `wrong target: ${field} of the ${service} service is ${actual}, not "${value}"`,
        {
          service,
          hint: 'Nothing was written. Check --profile. If the set is for this cluster too, change spec.targets in the document of kind Set.',
        },
      );
    }
  }
  return found;
}
