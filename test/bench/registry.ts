import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BareServer } from './bare.ts';
import { onDisk, ratingOf, withMemory } from './durable.ts';
import { oneRun, quantile } from './harness.ts';
import { Connection, encoded } from './load.ts';
import { sets } from './peers/registry.ts';
import { installed } from './programs.ts';
import { type Benchmark, type Finding, percentiles } from './report.ts';
import type { Services } from './services.ts';

const connections = 16;
/** Operations of one transaction: as many as it may have. */
const width = 64;
/** Callers that wait for one change, and how often they do. */
const waiters = 1000;
const rounds = 5;
const imported = 100_000;
/** Instances of the service that a query looks for. */
const instances = 10_000;

/** What the registry does in a second over HTTP, durable; how it wakes those who wait; and a large import. */
export const registry: Benchmark = {
  title: `Registry, durable, under ${connections} connections; the floor is a node:http server that answers a constant, driven alike`,
  run: (say) =>
    onDisk(say, async (services, bare) => [
      await transactions(services, bare),
      await chains(services, bare),
      await waking(services),
      await importing(services),
      ...(await executions(services, bare)),
    ]),
};

/** One request with its own connection. @throws Error the answer is not 200 */
async function ask({ registry: address }: Services, method: string, path: string, body?: object) {
  const connection = await Connection.open(address);
  try {
    return await connection.send(encoded(method, path, '', body));
  } finally {
    connection.close();
  }
}

/** Acts a second, and what memory the services hold after. */
function rating(
  services: Services,
  bare: BareServer,
  what: string,
  requests: readonly Buffer[],
): Promise<Finding> {
  return ratingOf(services, bare, { what, address: services.registry, connections, requests });
}

/** Every transaction writes 64 keys of its own connection's; each time with other values. */
function transactions(services: Services, bare: BareServer): Promise<Finding> {
  const request = (turn: number): Buffer => encoded('PUT', '/v1/txn', '', sets('bench', turn, width));
  const requests = Array.from({ length: 96 }, (_, turn) => request(turn));
  return rating(services, bare, `transactions of ${width} sets`, requests);
}

/** A router over a splitter over the subsets of two services, with failover. */
async function chains(services: Services, bare: BareServer): Promise<Finding> {
  const entries = [
    { Kind: 'proxy-defaults', Name: 'global', Config: { protocol: 'http' } },
    ...['web', 'web-next'].map((Name) => ({
      Kind: 'service-resolver',
      Name,
      DefaultSubset: 'v1',
      Subsets: { v1: { Filter: 'Service.Meta.v == 1' }, v2: { Filter: 'Service.Meta.v == 2' } },
      Failover: { '*': { Service: 'spare' } },
    })),
    {
      Kind: 'service-splitter',
      Name: 'web',
      Splits: [
        { Weight: 60, ServiceSubset: 'v1' },
        { Weight: 30, ServiceSubset: 'v2' },
        { Weight: 10, Service: 'web-next' },
      ],
    },
    {
      Kind: 'service-router',
      Name: 'web',
      Routes: Array.from({ length: 10 }, (_, at) => ({
        Match: { HTTP: { PathPrefix: `/${at}` } },
        Destination: { Service: at % 2 ? 'web-next' : 'web', NumRetries: at },
      })),
    },
  ];
  for (const entry of entries) await ask(services, 'PUT', '/v1/config', entry);
  return rating(services, bare, 'compilations of a chain (router, splitter, failover)', [
    encoded('GET', '/v1/discovery-chain/web', ''),
  ]);
}

/** Many wait for one key; one write wakes them all. */
async function waking(services: Services): Promise<Finding> {
  const open = await Promise.all(Array.from({ length: waiters }, () => Connection.open(services.registry)));
  const until: number[] = [];
  const waits: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await ask(services, 'PUT', `/v1/kv/waited-for?flags=${round}`);
      const [entry] = JSON.parse((await ask(services, 'GET', '/v1/kv/waited-for')).body) as [
        { readonly ModifyIndex: number },
      ];
      const request = encoded('GET', `/v1/kv/waited-for?index=${entry.ModifyIndex}&wait=60s`, '');
      let started = 0;
      const answers = open.map(async (connection) => {
        await connection.send(request);
        waits.push(performance.now() - started);
      });
      // Time for all of them to be waiting.
      await pause(500);
      started = performance.now();
      await ask(services, 'PUT', '/v1/kv/waited-for?flags=1000', { round });
      await Promise.all(answers);
      until.push(performance.now() - started);
    }
  } finally {
    for (const connection of open) connection.close();
  }
  return withMemory(services, {
    what: `${waiters} blocking reads, woken by one write`,
    figure: `all in ${quantile(until, 0.5).toFixed(0)} ms, each ${percentiles(waits)}`,
  });
}

/** The program itself brings in a file of many keys. */
async function importing(services: Services): Promise<Finding> {
  const file = join(services.folder, 'import.jsonl');
  const line = (at: number): string =>
    JSON.stringify({ KV: { Verb: 'set', Key: `import/${at}`, Value: `value ${at}` } });
  await writeFile(file, Array.from({ length: imported }, (_, at) => line(at)).join('\n'));
  const { milliseconds, peak } = await oneRun(
    installed(['txn', 'apply', file, '--chunk', `${width}`], {
      LANYARD_CONFIG_DIR: join(services.folder, 'none'),
      LANYARD_REGISTRY_ADDR: services.registry,
    }),
  );
  const seconds = milliseconds / 1000;
  const memory = peak === undefined ? '' : `, at most ${peak.toFixed(0)} MiB`;
  return withMemory(services, {
    what: `import of ${imported} keys, transactions of ${width}`,
    figure: `${seconds.toFixed(1)} s, ${(imported / seconds).toFixed(0)} keys/s${memory}`,
  });
}

/** A query over the instances of a large service, answered in part and in whole. */
async function executions(services: Services, bare: BareServer): Promise<Finding[]> {
  const perNode = width - 2;
  for (let node = 0, left = instances; left > 0; node++, left -= perNode) {
    const Node = `node-${node}`;
    await ask(services, 'PUT', '/v1/txn', [
      { Node: { Verb: 'set', Node: { Node, Address: '10.0.0.1' } } },
      { Check: { Verb: 'set', Check: { Node, CheckID: 'up', Name: 'up', Status: 'passing' } } },
      ...Array.from({ length: Math.min(left, perNode) }, (_, at) => ({
        Service: {
          Verb: 'set',
          Node,
          Service: { ID: `big-${at}`, Service: 'big', Port: at + 1, Tags: ['v1'] },
        },
      })),
    ]);
  }
  await ask(services, 'POST', '/v1/query', { Name: 'big', Service: { Service: 'big', Tags: ['v1'] } });
  const findings: Finding[] = [];
  for (const { what, query } of [
    { what: '10 of them answered', query: '?limit=10' },
    { what: 'all of them answered', query: '' },
  ]) {
    const request = encoded('GET', `/v1/query/big/execute${query}`, '');
    findings.push(
      await rating(services, bare, `executions of a query over ${instances} instances, ${what}`, [request]),
    );
  }
  return findings;
}
