import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TtlReaper } from '../../../src/services/core/reaper.ts';
import { startServices } from '../../../src/services/start-services.ts';
import { type Kind, kinds, operationNames } from '../../bench/growth/kinds.ts';
import { Connection, drive, encoded } from '../../bench/load.ts';
import type { Services } from '../../bench/services.ts';
import { watchMaps } from './bounded/support.ts';
import { freePorts } from './support.ts';

// What one operation visits must not grow with the number of objects. The entries of the ordered maps, which all tables
// and indexes are in, are counted: counts are the same on every machine.

/** Counts the entries that are read or written. */
function countVisits(): { visits: number } {
  const counted = { visits: 0 };
  const restore = watchMaps((_method, entries) => {
    counted.visits += entries;
  });
  onTestFinished(restore);
  return counted;
}

async function started(): Promise<Services> {
  const services = await startServices({
    clock: () => new Date(),
    random: (length) => randomBytes(length),
    version: '9.8.7',
    box: { owners: { users: [{ name: 'dev' }] } },
  });
  onTestFinished(() => services.close());
  return {
    ...(await services.listen(freePorts)),
    token: services.rootToken ?? '',
    boxToken: services.boxToken,
    accountsToken: services.accountsToken,
    pid: process.pid,
    folder: '',
    stop: () => services.close(),
  };
}

async function fill(kind: Kind, services: Services, from: number, to: number): Promise<void> {
  const { acts, requests } = kind.creation(services, from, to);
  await drive(kind.address(services), 16, { acts }, async (connection, act) => {
    for (const request of requests(act)) await connection.send(request);
  });
}

/** Requests that the benchmark does not send. */
const moreRequests: Readonly<Record<string, readonly string[]>> = {
  variables: ['/v1/vars?prefix=growth/&per_page=100&reverse=true', '/v1/vars?per_page=100&namespace=*'],
};

const [few, many] = [300, 1500];
/** Entries that an operation may visit beyond that: the steps of a binary search among several maps. */
const slack = 12;

describe('what one operation visits does not grow with the number of objects', () => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const services = await started();
    const counted = countVisits();
    const visitsOf = async (count: number): Promise<Record<string, number>> => {
      const operations = await kind.operations(services, count);
      const connection = await Connection.open(kind.address(services));
      const requests = [
        ...operationNames.map((each) => [each, operations[each](count)] as const),
        ...(moreRequests[name] ?? []).map((path) => [path, encoded('GET', path, '')] as const),
      ];
      const visits: Record<string, number> = {};
      for (const [operation, request] of requests) {
        const before = counted.visits;
        await connection.send(request);
        visits[operation] = counted.visits - before;
      }
      connection.close();
      return visits;
    };
    await fill(kind, services, 0, few);
    const small = await visitsOf(few);
    await fill(kind, services, few, many);
    const large = await visitsOf(many);
    for (const [operation, visits] of Object.entries(large)) {
      expect(visits, `${operation}: visits`).toBeGreaterThan(0);
      expect(visits, `${operation}, of ${many} instead of ${few}`).toBeLessThanOrEqual(
        (small[operation] ?? 0) + slack,
      );
    }
  });
});

test('the end of one time to live visits no other', async () => {
  class Keys extends TtlReaper {
    override start(key: string, ttlMs: number): void {
      super.start(key, ttlMs);
    }
  }
  const counted = countVisits();
  const visitsOf = async (count: number): Promise<number> => {
    let now = 0;
    const expired: string[] = [];
    const keys = new Keys({
      now: () => now,
      onError: () => {},
      expire: async (due) => void expired.push(...due),
    });
    for (let at = 0; at < count; at++) keys.start(`key-${at}`, 1000 + at * 10);
    const before = counted.visits;
    keys.start('key-1', 60_000);
    now = 1000;
    await keys.removeExpired();
    keys.stop();
    expect(expired).toEqual(['key-0']);
    return counted.visits - before;
  };
  const small = await visitsOf(few);
  expect(await visitsOf(many)).toBeLessThanOrEqual(small + slack);
});
