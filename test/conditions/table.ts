import type { EmbeddedOptions } from '../../src/services/start-services.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import type { Target } from '../conformance/run.ts';
import type { Step } from '../conformance/step.ts';
import { faultProxy } from '../faults/proxy.ts';
import type { Stated } from '../state/bench.ts';
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
  /** Exit codes after which a user runs a command again: nothing was done, or it is not known. */
  readonly repeatedCodes?: readonly number[];
  /** Objects that the product does not let anybody write in this condition: no state file has them. */
  readonly leavesOut?: (object: Stated) => boolean;
  /** Steps that the product permits only to an administrator: they are run with the token of one. */
  readonly isOfAdministrator?: (step: Step) => boolean;
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
  start(scenario: ScenarioName): Promise<Place>;
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
    const serviceAt = (host = ''): ServiceName | undefined =>
      clustered.find((service) => new URL(proxy.targets[service].address).host === host);
    const restart = (): void =>
      proxy.begin({
        picks: (_request, count) => count < 6,
        forwards: false,
        play: (socket, _reply, { headers }) => {
          const [status, texts] =
            proxy.passed.length < 4 ? (['500', noLeader] as const) : (['403', denied] as const);
          const text = texts[serviceAt(headers.host) ?? ''] ?? '';
          socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
        },
      });
    return { targets: proxy.targets, before: restart, during: restart, close: proxy.close };
  });

const noLeader: Readonly<Record<string, string>> = {
  secrets: '{"errors":["local node not active but active cluster node not found"]}',
  registry: 'No cluster leader',
  scheduler: 'No cluster leader',
};
const denied: Readonly<Record<string, string>> = {
  secrets: '{"errors":["permission denied"]}',
  registry: 'Permission denied',
  scheduler: 'Permission denied',
};

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

/** The same services without the settings of a condition. */
const besideOf = (running: EmbeddedTargets): Pick<Place, 'beside'> => ({
  beside: { targets: running.targets, direct: running, close: async () => undefined },
});

/**
 * A namespace of the secrets service and one of the scheduler.
 *
 * @param hasBeside with the same objects in the root and the default namespace
 */
const namespaces = (hasBeside: boolean): Promise<Place> =>
  place({}, async (running) => {
    const { secrets, scheduler } = running.targets;
    await ask(secrets, 'POST', 'sys/namespaces/team', {});
    await ask(secrets, 'POST', 'team/sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await ask(secrets, 'POST', 'team/sys/mounts/ssh', { type: 'ssh' });
    await ask(scheduler, 'POST', 'namespace/team', { Name: 'team' });
    return {
      env: { LANYARD_SECRETS_NAMESPACE: 'team', LANYARD_SCHEDULER_NAMESPACE: 'team' },
      ...(hasBeside && besideOf(running)),
    };
  });

/**
 * The second datacenter of the registry.
 *
 * @param hasBeside with the same objects in the first one
 */
const datacenter = (hasBeside: boolean): Promise<Place> =>
  place({}, (running) => ({
    env: { LANYARD_REGISTRY_DATACENTER: 'dc2' },
    // An agent writes local tokens in its own datacenter only.
    leavesOut: ({ kind, spec }) => kind === 'registry.token' && (spec.local ?? spec.Local) === true,
    ...(hasBeside && besideOf(running)),
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
      'path "*" { capabilities = ["create", "read", "update", "delete", "list", "patch", "recover", "scan", "sudo"] }';
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
      'namespace "*" { policy = "write" variables { path "*" { capabilities = ["write", "read", "destroy", "list"] } } }';
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
      // Nomad permits writes of namespaces and the ACL API to management tokens only.
      isOfAdministrator: ({ service, argv }) =>
        service === 'scheduler' && /^(namespace (put|delete)|api scheduler \w+ acl\/)/.test(argv.join(' ')),
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
    scenarios: ['state', 'watch', 'conformance'],
    start: async () => ({
      ...(await limited({ secrets: 12, registry: 2, scheduler: 12, box: 1000 }, 1000)),
      repeatedCodes: [8],
    }),
  },
  {
    name: 'a lost leader',
    services: clustered,
    start: () => interrupted({ secrets: 500, registry: 500, scheduler: 500 }, 3),
  },
  {
    // The sample of `npm test` is the scenario at the place of the condition: the cheap one.
    // A write is not sent again after 503, which leaves open what became of it (test/faults): exit code 9.
    name: 'a service that is unavailable for some requests',
    services: clustered,
    scenarios: ['watch', 'state', 'conformance'],
    start: async () => ({
      ...(await interrupted({ secrets: 503, registry: 503, scheduler: 503 }, 2)),
      repeatedCodes: [8, 9],
    }),
  },
  {
    name: 'a restart, after which requests are denied',
    services: clustered,
    scenarios: ['state', 'watch', 'conformance'],
    start: restarted,
  },
  { name: 'a second cluster', services: all, start: cluster },
  {
    // Steps name namespaces, which are the same from each namespace.
    name: 'a namespace of the secrets service',
    services: ['secrets'],
    start: (scenario) => namespaces(scenario !== 'conformance'),
  },
  {
    // Steps and files name the namespaces of variables, which are the same from each namespace.
    name: 'a namespace of the scheduler',
    services: ['scheduler'],
    start: (scenario) => namespaces(scenario === 'watch'),
  },
  {
    // Datacenters share policies, roles and config entries: test/state/two-datacenters.test.ts has both at once.
    // Conformance: steps read what the step before wrote, of which another datacenter has a copy some time later.
    // test/commands/registry/two-datacenters.test.ts runs every command, and waits for the copy.
    name: 'a second datacenter',
    services: ['registry'],
    scenarios: ['state', 'watch'],
    start: (scenario) => datacenter(scenario === 'watch'),
  },
  ...all.map(
    (service): Condition => ({
      name: `only the ${service} service`,
      services: [service],
      start: () => place({}, ({ targets }) => ({ targets: { [service]: targets[service] } })),
    }),
  ),
  {
    name: 'an agent that adds the token',
    services: ['secrets'],
    start: () =>
      place({}, async (running) => {
        const { address, token = '' } = running.targets.secrets;
        const agent = await tokenProxy(address, 'x-vault-token', token);
        const { token: _own, ...secrets } = running.targets.secrets;
        return { targets: { ...running.targets, secrets: { ...secrets, address: agent.address } } };
      }),
  },
  {
    name: 'tokens of no administrator',
    services: ['secrets', 'registry'],
    start: limitedTokens,
  },
  {
    // State files: Nomad lets only management tokens write namespaces, and filters lists silently, so that `export`
    // stops (test/commands/limited-tokens.test.ts).
    name: 'a client token of the scheduler',
    services: ['scheduler'],
    scenarios: ['conformance', 'watch'],
    start: limitedTokens,
  },
];
