import { isUnknownRegistryToken } from '../api/conditions/registry.ts';
import { LanyardError, unlessNotFound } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Services } from './kind.ts';
import type { StateSet } from './set.ts';

interface Health {
  readonly cluster_id?: string;
  readonly initialized?: boolean;
  readonly sealed?: boolean;
}

/** What identifies a service, as in `spec.targets`: cluster, datacenter of the settings, namespace. */
export type Target = Readonly<Record<string, string>>;

/** The same, with the address where the product does not say which cluster it is. */
export type Origin = Readonly<Record<string, string>>;

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
    return { clusterId, namespace: await namespaceOf('secrets', services) };
  },
  async registry(services) {
    const registry = await services.registry();
    const { datacenter } = await services.settings('registry');
    return {
      clusterId: await registryCluster(services),
      datacenter: datacenter ?? (await registry.readAgent({})).body.Config.Datacenter,
      namespace: await namespaceOf('registry', services),
    };
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

/** The namespace of the settings; undefined: the one above all others. */
async function namespaceOf(service: ServiceName, services: Services): Promise<string | undefined> {
  const { namespace = '' } = await services.settings(service);
  const name = namespace.replace(/^\/+|\/+$/g, '');
  return name === { secrets: 'root', registry: 'default' }[service as string] ? undefined : name;
}

/** The ID in the trust domain of the service mesh; undefined: the mesh is off, or the service has none. */
async function registryCluster(services: Services): Promise<string | undefined> {
  const roots = await unlessNotFound((await services.registry()).readCaRoots({}), hasNoMesh);
  return roots?.TrustDomain.replace(/\.consul$/, '');
}

const withoutMesh: ReadonlySet<number | undefined> = new Set([401, 403, 404, 405, 501]);

const hasNoMesh = (error: unknown): boolean =>
  error instanceof LanyardError &&
  (withoutMesh.has(error.status) ||
    /connect must be enabled/i.test([error.message, ...error.details].join(' ')));

const withValues = (found: Found): Target =>
  Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );

/** What identifies a service: a cluster, a datacenter, a region, a namespace. */
export async function readTarget(service: ServiceName, services: Services): Promise<Target> {
  return withValues(await readers[service](services));
}

/**
 * Where objects of a service are: its target, and its address where the target has no cluster, or cannot be read with
 * the permissions of the token.
 */
export async function readOrigin(service: ServiceName, services: Services): Promise<Origin> {
  const { address, datacenter } = await services.settings(service);
  try {
    const target = await readTarget(service, services);
    return target.clusterId === undefined ? { ...target, address } : target;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (error.kind !== 'forbidden' && error.kind !== 'unauthenticated') throw error;
    // A server that has just started does not have the tokens yet: its objects did not move.
    if (isUnknownRegistryToken(error)) throw error;
    return withValues({ address, datacenter, namespace: await namespaceOf(service, services) });
  }
}

/** An origin as text that differs for every other one. */
export const originText = (origin: Origin | undefined): string =>
  origin === undefined ? '' : JSON.stringify(Object.entries(origin).sort());

/**
 * Compares the targets that a set states with the services. A namespace that it does not state is the one above all
 * others.
 *
 * @returns the targets as found.
 * @throws LanyardError usage: a service is another one; nothing was written.
 */
export async function checkTargets(set: StateSet, services: Services): Promise<StateSet['targets']> {
  const found: Record<string, Target> = {};
  for (const [name, stated] of Object.entries(set.targets)) {
    const service = name as ServiceName;
    const target = await readTarget(service, services).catch((error: unknown) => {
      if (!(error instanceof LanyardError)) throw error;
      throw error.withDetails([
        ...error.details,
        `required to check spec.targets.${service} of the document of kind Set`,
      ]);
    });
    found[service] = target;
    const expected = service === 'secrets' || service === 'registry' ? { namespace: '', ...stated } : stated;
    for (const [field, value] of Object.entries(expected)) {
      if ((target[field] ?? '') === value) continue;
      const none = field === 'namespace' ? 'not set' : 'unknown';
      const actual = target[field] === undefined ? none : `"${target[field]}"`;
      const wanted = value === '' ? 'and the set is for none' : `not "${value}"`;
      throw new LanyardError(
        'usage',
        `wrong target: ${field} of the ${service} service is ${actual}, ${wanted}`,
        {
          service,
          hint: 'Nothing was written. Check --profile and --namespace. If the set is for this cluster too, change spec.targets in the document of kind Set.',
        },
      );
    }
  }
  return found;
}
