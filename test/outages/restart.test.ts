import { expect, test } from 'vitest';
import type { ServiceName } from '../../src/wire/services.ts';
import { homeForEach, words } from '../support/command-tests.ts';
import { type Running, start } from '../support/process.ts';
import { counted, sized } from '../support/soak.ts';
import { type Ask, subjects } from './subjects.ts';
import { judge } from './truth.ts';

interface Ready {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly tokens: Partial<Readonly<Record<ServiceName, string>>>;
}

const at = homeForEach();

/** Fractions that are the same at every run. */
function fractions(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** `lanyard dev --data`, which is killed and started again on the same ports. */
async function restarting() {
  const startOn = async (ports: readonly string[]): Promise<{ running: Running; ready: Ready }> => {
    const running = start(at, [
      'dev',
      '--data',
      'state',
      ...ports.flatMap((port) => ['--port', port]),
      ...words('-o json'),
    ]);
    return { running, ready: JSON.parse(await running.until(/^\}$/m)) };
  };
  let current = await startOn(['0']);
  const { addresses, tokens } = current.ready;
  const ports = Object.entries(addresses).map(([service, address]) => `${service}=${new URL(address).port}`);
  return {
    addresses,
    tokens,
    async restart(): Promise<void> {
      current.running.child.kill('SIGKILL');
      await current.running.ended;
      current = await startOn(ports);
    },
    async stop(): Promise<void> {
      current.running.child.kill('SIGINT');
      await current.running.ended;
    },
  };
}

/** Commands between two kills. */
const commandsPerKill = 7;

test('reports what happened while the services are killed and started again', {
  timeout: 900_000,
}, async () => {
  const dev = await restarting();
  const bootstrap = await fetch(`${dev.addresses.registry}/v1/acl/bootstrap`, { method: 'PUT' });
  const { SecretID: registryToken } = (await bootstrap.json()) as { SecretID: string };
  at.env.LANYARD_REGISTRY_TOKEN = registryToken;
  const askOf =
    (service: ServiceName): Ask =>
    async (path) => {
      const token = service === 'registry' ? registryToken : (dev.tokens[service] ?? '');
      const headers = { 'X-Vault-Token': token, 'X-Consul-Token': token, 'X-Nomad-Token': token };
      const response = await fetch(`${dev.addresses[service]}${path}`, { headers });
      const text = await response.text();
      return { status: response.status, json: /^[[{]/.test(text) ? JSON.parse(text) : text };
    };
  const random = fractions();
  let commands = 0;
  let restart: Promise<void> = Promise.resolve();
  const untrue: string[] = [];
  const makers = Object.values(subjects).flat();
  await counted('commands while the services are killed', async (tried) => {
    for (let round = 0; round < sized(10, 1) * makers.length; round += 1) {
      const name = `outage-${round}`;
      const subject = makers[round % makers.length]?.(name);
      if (!subject) continue;
      const judged = await judge(subject, name, {
        run: ({ argv, stdin }) => {
          commands += 1;
          tried();
          // The command runs while the services end and start.
          if (commands % commandsPerKill === 0) restart = restart.then(dev.restart);
          return at.run(argv, { ...(stdin === undefined ? {} : { stdin }) });
        },
        ask: askOf(subject.service),
        random,
      });
      untrue.push(...judged.untrue.map(({ why, history }) => `${why}\n${history.join('')}`));
      await restart;
    }
  });
  await dev.stop();
  expect(untrue).toEqual([]);
});
