import { quantile } from './harness.ts';
import { Connection, drive, encoded, type Seen } from './load.ts';
import type { Line, Peer, Row, Server } from './peers/peer.ts';
import { consul } from './peers/registry.ts';
import { nomad } from './peers/scheduler.ts';
import { bao } from './peers/secrets.ts';
import { atLeast, atMost, type Benchmark, type Finding, percentiles } from './report.ts';
import { diskOf, type Services, withServices } from './services.ts';

const connections = 16;
const warmUp = { milliseconds: 1000 };
const extent = { milliseconds: 1000 };
/** How often each of the two is driven. */
const rounds = 5;

/** One table each, in a file of peers/. */
const peersOf: readonly Peer[] = [nomad, bao, consul];

/** The rows whose name contains it; unset: all. */
const only = process.env.LANYARD_BENCH_ROWS ?? '';

/** The embedded services next to the products: the same requests, driven in turn. */
export const peers: Benchmark = {
  title: `Embedded services, durable, against the products at the addresses of their variables: ${connections} connections, ${rounds} rounds of ${extent.milliseconds} ms each in turn; the ratio is the median of those of the rounds`,
  async run(say) {
    const findings: Finding[] = [];
    for (const peer of peersOf) {
      const [address, token] = peer.variables.map((name) => process.env[name]);
      if (!address) {
        say(`${peer.name}: left out, because ${peer.variables[0]} is not set`);
        continue;
      }
      const rows = peer.rows.filter(({ what }) => `${peer.name}: ${what}`.includes(only));
      if (rows.length === 0) continue;
      const compareRows = async (services: Services): Promise<Finding[]> => {
        say(`${peer.name}: ${peer.note}; the data is on ${diskOf(services.folder)}`);
        const servers = [await peer.embedded(services), { address, token: token ?? '' }] as const;
        const seen: Finding[] = [];
        for (const row of rows) seen.push(...(await compared(peer, row, servers, say)));
        return seen;
      };
      findings.push(...(await withServices(say, compareRows, { durable: true })));
    }
    return findings;
  },
};

/** A row, against both. What was made is removed, also when a request failed. */
async function compared(
  peer: Peer,
  row: Row,
  servers: readonly [embedded: Server, product: Server],
  say: (line: string) => void,
): Promise<Finding[]> {
  const sent = ([method, path, body]: Line, { token }: Server): Buffer =>
    encoded(method, path, token, body, peer.tokenHeader);
  const load = (server: Server) => {
    const requests = row.requests.map((line) => sent(line, server));
    return (duration: { readonly milliseconds: number }): Promise<Seen> =>
      drive(server.address, connections, duration, async (connection, turn) => {
        const request = requests[turn % requests.length];
        if (request) await connection.send(request);
      });
  };
  const created = new Map<Server, readonly Line[]>();
  const create = async (
    server: Server,
    { line, remove }: NonNullable<Row['create']>,
  ): Promise<readonly Line[]> => {
    const connection = await Connection.open(server.address);
    try {
      const { body } = await connection.send(sent(line, server));
      return [remove((JSON.parse(body) as { readonly ID: string }).ID)];
    } finally {
      connection.close();
    }
  };
  try {
    for (const server of servers)
      for (const group of row.before ?? [])
        await sendAll(
          server,
          group.map((line) => sent(line, server)),
        );
    for (const server of servers) if (row.create) created.set(server, await create(server, row.create));
    const [embedded, product] = [load(servers[0]), load(servers[1])];
    await embedded(warmUp);
    await product(warmUp);
    const pairs: Pair[] = [];
    for (let round = 0; round < rounds; round++) {
      // Neither is always the first after the other.
      if (round % 2 === 0) pairs.push({ embedded: await embedded(extent), product: await product(extent) });
      else {
        const theirs = await product(extent);
        pairs.push({ embedded: await embedded(extent), product: theirs });
      }
    }
    return findingsOf(`${peer.name}: ${row.what}`, pairs);
  } catch (error) {
    say(`${peer.name}: ${row.what}: left out: ${error instanceof Error ? error.message : error}`);
    return [];
  } finally {
    for (const server of servers)
      await sendAll(
        server,
        [...(row.after ?? []), ...(created.get(server) ?? [])].map((line) => sent(line, server)),
        () => {},
      );
  }
}

async function sendAll(
  { address }: Server,
  requests: readonly Buffer[],
  onError?: (error: unknown) => void,
): Promise<void> {
  const count = Math.min(connections, requests.length);
  await drive(address, count, { acts: requests.length }, async (connection: Connection, turn) => {
    const request = requests[turn];
    if (!request) return;
    const sent = connection.send(request);
    await (onError ? sent.catch(onError) : sent);
  });
}

interface Pair {
  readonly embedded: Seen;
  readonly product: Seen;
}

function findingsOf(what: string, pairs: readonly Pair[]): Finding[] {
  const median = (of: (pair: Pair) => number): number => quantile(pairs.map(of), 0.5);
  const figure = (which: keyof Pair): string =>
    `${median((pair) => pair[which].rate).toFixed(0)}/s, ${percentiles(pairs.flatMap((pair) => pair[which].waits))}`;
  const p99 = ({ waits }: Seen): number => quantile(waits, 0.99);
  const rate = median(({ embedded, product }) => embedded.rate / product.rate);
  const longest = median(({ embedded, product }) => p99(embedded) / p99(product));
  return [
    {
      what,
      figure: figure('embedded'),
      floor: figure('product'),
      ratio: rate,
      promise: atLeast(rate, 1, ' x the rate'),
    },
    {
      what: `${what}, p99`,
      figure: `${median(({ embedded }) => p99(embedded)).toFixed(2)} ms`,
      floor: `${median(({ product }) => p99(product)).toFixed(2)} ms`,
      ratio: longest,
      promise: atMost(longest, 1, ' x'),
    },
  ];
}
