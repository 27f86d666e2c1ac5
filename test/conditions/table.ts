import type { EmbeddedOptions } from '../../src/services/start-services.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import type { Target } from '../conformance/run.ts';
import { faultProxy } from '../faults/proxy.ts';
import { roundRobin } from '../support/round-robin.ts';
import { tokenProxy } from '../support/token-proxy.ts';

type Targets = Partial<Readonly<Record<ServiceName, Target>>>;

/** The embedded services in a condition, as a client and as somebody else reach them. */
export interface Place {
  readonly targets: Targets;
  /** Settings for every command line. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where somebody else writes: the same objects, without the condition. */
  readonly direct: EmbeddedTargets;
  /** Another cluster or namespace, in which objects have the same names. */
  readonly beside?: Place;
  /** Called where the next command line reads what another one wrote. */
  readonly settle?: () => void;
  /** Called before each command line. */
  readonly before?: (service: ServiceName) => void;
  /** Called while something waits or watches. */
  readonly during?: (service: ServiceName) => void;
  close(): Promise<void>;
}

export type ScenarioName = 'conformance' | 'state' | 'watch';

/** A condition of real clusters. */
export interface Condition {
  readonly name: string;
  /** The services that it concerns. */
  readonly services: readonly ServiceName[];
  /** Default: all. */
  readonly scenarios?: readonly ScenarioName[];
  start(): Promise<Place>;
}

const clustered = ['secrets', 'registry', 'scheduler'] as const;
const all = [...clustered, 'box', 'accounts'] as const;

/** @param more what differs from services without a condition */
async function place(
  options: Partial<EmbeddedOptions>,
  more: (running: EmbeddedTargets) => Promise<Partial<Place>> | Partial<Place>,
): Promise<Place> {
  const direct = await embeddedTargets(options);
  const { close, ...parts } = await more(direct);
  return {
    targets: direct.targets,
    direct,
    ...parts,
    async close() {
      await close?.();
      await direct.close();
    },
  };
}

/** Services without a condition. */
export const plain = (): Promise<Place> => place({}, () => ({}));

const secretsAt = ({ targets }: EmbeddedTargets, more: Partial<Target>): Targets => ({
  ...targets,
  secrets: { ...targets.secrets, ...more },
});

/** A standby that sees a change after some more requests. */
const withStandby = (
  more: (running: EmbeddedTargets, standbyAddress: string) => Promise<Partial<Place>> | Partial<Place>,
): Promise<Place> =>
  place({ conditions: { standby: { requests: 4 } } }, async (running) => {
    const { conditions } = running.embedded;
    return {
      settle: () => conditions.catchUp(),
      ...(await more(running, conditions.standbyAddress ?? '')),
    };
  });

/** The services with the standby in the place of the secrets service. */
export const standby = (): Promise<Place> =>
  withStandby((running, address) => ({ targets: secretsAt(running, { address }) }));

/**
 * Rate limits, with clocks of the services that go on by `stepMs` at each request that is rejected, so that no test
 * waits.
 */
async function limited(rateLimits: EmbeddedOptions['rateLimits'], stepMs: number): Promise<Place> {
  let aheadMs = 0;
  return place({ rateLimits: rateLimits ?? {}, clock: () => new Date(Date.now() + aheadMs) }, (running) => {
    for (const service of Object.values(running.embedded.services)) {
      const { handle } = service;
      service.handle = async (request) => {
        const response = await handle(request);
        if (response.status === 429 || response.status === 503) aheadMs += stepMs;
        return response;
      };
    }
    return {};
  });
}

/** Before each command line, the first requests to its service are rejected with a status. */
const interrupted = (
  statuses: Partial<Readonly<Record<ServiceName, number>>>,
  requests: number,
): Promise<Place> =>
  place({}, ({ embedded: { conditions } }) => {
    const interrupt = (service: ServiceName): void => {
      const status = statuses[service];
      if (status !== undefined) conditions.interrupt(service, { status, requests });
    };
    return { before: interrupt, during: interrupt };
  });

/** All connections are closed, and the next requests are rejected: first without a leader, then as denied. */
const restarted = (): Promise<Place> =>
  place({}, async (running) => {
    const proxy = await faultProxy(running.targets);
    return {
      targets: proxy.targets,
      during: () =>
        proxy.begin({
          picks: (_request, count) => count < 6,
          forwards: false,
          play: (socket) => {
            const [status, text] =
              proxy.passed.length < 4 ? ['500', 'No cluster leader'] : ['403', 'Permission denied'];
            socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
          },
        }),
      close: proxy.close,
    };
  });

/** Sends a request with the token of a target. */
async function ask(
  { address, token = '' }: Target,
  method: string,
  path: string,
  body: object,
): Promise<Readonly<Record<string, string>>> {
  const names = ['X-Secrets-Token', 'X-Registry-Token', 'X-Scheduler-Token'];
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: Object.fromEntries(names.map((name) => [name, token])),
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A namespace of the secrets service and one of the scheduler, beside the root and the default one. */
const namespaces = (): Promise<Place> =>
  place({}, async (running) => {
    const { secrets, scheduler } = running.targets;
    await ask(secrets, 'POST', 'sys/namespaces/team', {});
    await ask(secrets, 'POST', 'team/sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await ask(secrets, 'POST', 'team/sys/mounts/ssh', { type: 'ssh' });
    await ask(scheduler, 'POST', 'namespace/team', { Name: 'team' });
    return {
      env: { LANYARD_SECRETS_NAMESPACE: 'team', LANYARD_SCHEDULER_NAMESPACE: 'team' },
      beside: { targets: running.targets, direct: running, close: async () => undefined },
    };
  });

/** The second datacenter of the registry, beside the first one. */
const datacenter = (): Promise<Place> =>
  place({}, (running) => ({
    env: { LANYARD_REGISTRY_DATACENTER: 'dc2' },
    beside: { targets: running.targets, direct: running, close: async () => undefined },
  }));

const cluster = (): Promise<Place> =>
  place({}, async () => {
    const beside = await plain();
    return { beside, close: beside.close };
  });

/** Tokens with policies for everything, which are not those of an administrator. */
const limitedTokens = (): Promise<Place> =>
  place({}, async ({ targets }) => {
    const everything =
      'path "*" { capabilities = ["create", "read", "update", "delete", "list", "patch", "sudo"] }';
    await ask(targets.secrets, 'POST', 'sys/policies/acl/everything', { policy: everything });
    const created = await ask(targets.secrets, 'POST', 'auth/token/create', { policies: ['everything'] });
    const { client_token: secretsToken = '' } = created.auth as unknown as Record<string, string>;
    const names = ['agent', 'event', 'key', 'node', 'query', 'service', 'session'];
    const Rules = [
      'acl = "write"\noperator = "write"\nmesh = "write"\nkeyring = "read"',
      ...names.map(
        (name) =>
          `${name}_prefix "" { policy = "write"\n ${name === 'service' ? 'intentions = "write"' : ''} }`,
      ),
    ].join('\n');
    await ask(targets.registry, 'PUT', 'acl/policy', { Name: 'everything', Rules });
    const registry = await ask(targets.registry, 'PUT', 'acl/token', { Policies: [{ Name: 'everything' }] });
    const variables =
      'namespace "*" { variables { path "*" { capabilities = ["write", "read", "destroy", "list"] } } }';
    await ask(targets.scheduler, 'POST', 'acl/policy/everything', { Name: 'everything', Rules: variables });
    const scheduler = await ask(targets.scheduler, 'POST', 'acl/token', {
      Name: 'everything',
      Type: 'client',
      Policies: ['everything'],
    });
    return {
      targets: {
        ...targets,
        secrets: { ...targets.secrets, token: secretsToken },
        registry: { ...targets.registry, token: registry.SecretID ?? '' },
        scheduler: { ...targets.scheduler, token: scheduler.SecretID ?? '' },
      },
    };
  });

/** Every condition. */
export const conditions: readonly Condition[] = [
  {
    name: 'a standby',
    services: ['secrets'],
    start: standby,
  },
  {
    name: 'a round-robin load balancer',
    services: ['secrets'],
    start: () =>
      withStandby(async (running, address) => {
        const balancer = await roundRobin([running.targets.secrets.address, address]);
        return { targets: secretsAt(running, { address: balancer.address }), close: balancer.close };
      }),
  },
  {
    name: 'addresses that begin with a standby',
    services: ['secrets'],
    start: () =>
      withStandby((running, address) => ({
        targets: secretsAt(running, { addresses: [address, running.targets.secrets.address] }),
      })),
  },
  {
    name: 'default limits of Boundary',
    services: ['accounts'],
    start: () => limited({ accounts: 'boundary' }, 0),
  },
  {
    // A command that sends few requests tries three times, and here does not pause between: exit code 8.
    name: 'rate limits',
    services: [...clustered, 'box'],
    scenarios: ['watch', 'state'],
    start: () => limited({ secrets: 12, registry: 2, scheduler: 12, box: 1000 }, 1000),
  },
  {
    name: 'a lost leader',
    services: clustered,
    start: () => interrupted({ secrets: 500, registry: 500, scheduler: 500 }, 3),
  },
  {
    // A write is not sent again after 503, which leaves open what became of it (test/faults).
    name: 'a service that is unavailable for some requests',
    services: clustered,
    scenarios: ['watch'],
    start: () => interrupted({ secrets: 503, registry: 503, scheduler: 503 }, 2),
  },
  {
    name: 'a restart, after which requests are denied',
    services: clustered,
    scenarios: ['watch'],
    start: restarted,
  },
  { name: 'a second cluster', services: all, start: cluster },
  {
    name: 'a namespace of the secrets service',
    services: ['secrets'],
    scenarios: ['state', 'watch'],
    start: namespaces,
  },
  {
    // A file states the namespace of a variable, and all namespaces share their list.
    name: 'a namespace of the scheduler',
    services: ['scheduler'],
    scenarios: ['watch'],
    start: namespaces,
  },
  {
    // Datacenters share policies, roles and config entries: test/state/two-datacenters.test.ts has the kinds.
    name: 'a second datacenter',
    services: ['registry'],
    scenarios: ['watch'],
    start: datacenter,
  },
  ...all.map(
    (service): Condition => ({
      name: `only the ${service} service`,
      services: [service],
      start: () => place({}, ({ targets }) => ({ targets: { [service]: targets[service] } })),
    }),
  ),
  {
    // The steps are in test/commands/secrets/without-token.test.ts, without those that expect no token.
    name: 'an agent that adds the token',
    services: ['secrets'],
    scenarios: ['state', 'watch'],
    start: () =>
      place({}, async (running) => {
        const { address, token = '' } = running.targets.secrets;
        const agent = await tokenProxy(address, 'x-vault-token', token);
        const { token: _own, ...secrets } = running.targets.secrets;
        return { targets: { ...running.targets, secrets: { ...secrets, address: agent.address } } };
      }),
  },
  { name: 'tokens of no administrator', services: clustered, scenarios: ['watch'], start: limitedTokens },
];
