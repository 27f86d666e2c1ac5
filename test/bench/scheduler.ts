import { join } from 'node:path';
import type { BareServer } from './bare.ts';
import { beside } from './beside.ts';
import { onDisk, ratingOf, withMemory } from './durable.ts';
import { oneRun, quantile } from './harness.ts';
import { Connection, drive, encoded } from './load.ts';
import { installed } from './programs.ts';
import { type Benchmark, type Finding, percentiles } from './report.ts';
import type { Services } from './services.ts';

const connections = 16;
/** Variables that are read and written. */
const busy = 100;
/** Variables of the long list. */
const many = 100_000;
const filter = 'Path matches "7$"';
const pageSize = 100;
/** How often the long list is followed. */
const rounds = 5;

/** What the scheduler does in a second over HTTP, durable; and a long list, page by page, with a filter. */
export const scheduler: Benchmark = {
  title: `Scheduler, durable, under ${connections} connections; the floor is a node:http server that answers a constant, driven alike`,
  run: (say) =>
    onDisk(say, async (services, bare) => [
      await writes(services, bare),
      await reads(services, bare),
      await filling(services),
      ...(await pages(services, bare, '')),
      ...(await pages(services, bare, filter)),
      await listing(services),
    ]),
};

const path = (turn: number): string => `/v1/var/bench/${turn % busy}`;

/** Every one writes two items anew; the sealing is part of it. */
function writes(services: Services, bare: BareServer): Promise<Finding> {
  const request = (turn: number): Buffer =>
    encoded('PUT', path(turn), '', { Items: { user: 'bench', password: `${turn}`.padStart(32, '0') } });
  return rating(services, bare, 'variable writes, durable', request);
}

/** Reads of what was written. */
const reads = (services: Services, bare: BareServer): Promise<Finding> =>
  rating(services, bare, 'variable reads', (turn) => encoded('GET', path(turn), ''));

function rating(
  services: Services,
  bare: BareServer,
  what: string,
  request: (turn: number) => Buffer,
): Promise<Finding> {
  const requests = Array.from({ length: busy }, (_, at) => request(at));
  return ratingOf(services, bare, { what, address: services.scheduler, connections, requests });
}

/** Makes the variables of the long list, each created only if it is not there. */
async function filling(services: Services): Promise<Finding> {
  const { rate, waits } = await drive(services.scheduler, connections, { acts: many }, (connection, turn) =>
    connection.send(encoded('PUT', `/v1/var/many/${turn}?cas=0`, '', { Items: { at: `${turn}` } })),
  );
  return withMemory(services, {
    what: `${many} variables made with check-and-set`,
    figure: `${rate.toFixed(0)}/s, ${percentiles(waits)}`,
  });
}

/** Follows the long list to its end; others ask meanwhile how the service is. */
async function pages(services: Services, bare: BareServer, expression: string): Promise<Finding[]> {
  const { scheduler: address } = services;
  const what = `list of ${many} variables${expression === '' ? '' : `, filtered: ${expression}`}`;
  const wholes: number[] = [];
  const waits: number[] = [];
  const { health } = await beside(what, { address, path: '/v1/agent/health', bare }, async () => {
    for (let round = 0; round < rounds; round++) {
      const each = await follow(address, expression);
      wholes.push(each.reduce((sum, wait) => sum + wait, 0));
      waits.push(...each);
    }
  });
  const count = waits.length / rounds;
  const figure = `${count} pages of ${pageSize} in ${quantile(wholes, 0.5).toFixed(0)} ms, a page ${percentiles(waits)}`;
  return [withMemory(services, { what, figure }), health];
}

/** Asks for one page after the other; gives what each took, in milliseconds. */
async function follow(address: string, expression: string): Promise<number[]> {
  const connection = await Connection.open(address);
  const query = new URLSearchParams({ prefix: 'many/', per_page: `${pageSize}` });
  if (expression !== '') query.set('filter', expression);
  const waits: number[] = [];
  try {
    for (let next: string | undefined = ''; next !== undefined; ) {
      query.set('next_token', next);
      const started = performance.now();
      const { head } = await connection.send(encoded('GET', `/v1/vars?${query}`, ''));
      waits.push(performance.now() - started);
      next = /^x-scheduler-nexttoken: (\S+)/im.exec(head)?.[1];
    }
  } finally {
    connection.close();
  }
  return waits;
}

/** The program itself follows the long list with a filter. */
async function listing(services: Services): Promise<Finding> {
  const words = ['--prefix', 'many/', '--filter', filter, '--per-page', `${pageSize}`];
  const { milliseconds, peak } = await oneRun(
    installed(['var', 'list', ...words, '--all', '-o', 'jsonl'], {
      LANYARD_CONFIG_DIR: join(services.folder, 'none'),
      LANYARD_SCHEDULER_ADDR: services.scheduler,
    }),
  );
  const memory = peak === undefined ? '' : `, at most ${peak.toFixed(0)} MiB`;
  return withMemory(services, {
    what: `lanyard var list --all over ${many} variables, filtered, pages of ${pageSize}`,
    figure: `${(milliseconds / 1000).toFixed(2)} s${memory}`,
  });
}
