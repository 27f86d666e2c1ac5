import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryOf, processorTimeOf, quantile } from '../harness.ts';
import { Connection, drive } from '../load.ts';
import { type Services, startServices } from '../services.ts';
import { type Kind, type OperationName, operationNames, pageSize } from './kinds.ts';

/** What one operation takes. */
export interface Cost {
  /** Milliseconds of the processor, all threads of the services. */
  readonly processor: number;
  /** Milliseconds until the response, the median. */
  readonly wall: number;
}

/** The measurements with `count` objects. */
export interface Point {
  readonly count: number;
  /** Seconds from the start of the process until the first response. */
  readonly startUp: number;
  /** Seconds of the processor until then, all threads. */
  readonly startUpProcessor: number;
  /** MiB after the start, and after the operations. */
  readonly memory: number;
  readonly memoryAfter: number;
  readonly operations: Readonly<Record<OperationName, Cost>>;
}

export interface Extents {
  /** Milliseconds that an operation is repeated, after a third of that which does not count. */
  readonly milliseconds: number;
  readonly log: (line: string) => void;
}

/** More than the turns that fit between two numbers of objects. */
const turnsPerObject = 1000;

/** Connections that create objects; what they send is committed together. */
const connections = 32;

/** Creates more and more objects of a kind, and measures the services with each number, after a new start. */
export async function measureGrowth(
  kind: Kind,
  counts: readonly number[],
  { milliseconds, log }: Extents,
): Promise<Point[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-'));
  const points: Point[] = [];
  try {
    let existing = 0;
    for (const count of counts) {
      const begun = performance.now();
      await fill(kind, folder, existing, count);
      existing = count;
      const seconds = (performance.now() - begun) / 1000;
      log(`${count} ${kind.name}: created in ${seconds.toFixed(0)} s`);
      points.push(await measured(kind, folder, count, milliseconds));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return points;
}

async function fill(kind: Kind, folder: string, from: number, to: number): Promise<void> {
  const services = await startServices({ durable: true, folder });
  try {
    const { acts, requests } = kind.creation(services, from, to);
    await drive(kind.address(services), connections, { acts }, async (connection, act) => {
      for (const request of requests(act)) await connection.send(request);
    });
  } finally {
    await services.stop();
  }
}

async function measured(kind: Kind, folder: string, count: number, milliseconds: number): Promise<Point> {
  const begun = performance.now();
  const services = await startServices({ durable: true, folder });
  try {
    const connection = await Connection.open(kind.address(services));
    await connection.send((await kind.operations(services, pageSize))['first page'](0));
    connection.close();
    const startUp = (performance.now() - begun) / 1000;
    const startUpProcessor = (processorTimeOf(services.pid) ?? Number.NaN) / 1000;
    const memory = memoryOf(services.pid, 'VmRSS') ?? Number.NaN;
    const operations = await kind.operations(services, count);
    const costs = {} as Record<OperationName, Cost>;
    // Every number of objects has its own turns, so that no write meets the object of an earlier one.
    let turn = count * turnsPerObject;
    for (const name of operationNames)
      costs[name] = await costOf(services, kind, () => operations[name](turn++), milliseconds);
    return {
      count,
      startUp,
      startUpProcessor,
      memory,
      memoryAfter: memoryOf(services.pid, 'VmRSS') ?? Number.NaN,
      operations: costs,
    };
  } finally {
    await services.stop();
  }
}

/** One connection, one request at a time. */
async function costOf(
  services: Services,
  kind: Kind,
  request: () => Buffer,
  milliseconds: number,
): Promise<Cost> {
  const address = kind.address(services);
  const act = (connection: Connection) => connection.send(request());
  await drive(address, 1, { milliseconds: milliseconds / 3 }, act);
  const before = processorTimeOf(services.pid) ?? Number.NaN;
  const { waits } = await drive(address, 1, { milliseconds }, act);
  const after = processorTimeOf(services.pid) ?? Number.NaN;
  return { processor: (after - before) / waits.length, wall: quantile(waits, 0.5) };
}
