import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/wire/json.ts';
import { registry } from '../unit/services/registry/support.ts';

/**
 * Config entries, what Consul responded to them, and the chains that it compiled from them. Most sets of entries are
 * random and were chosen so that they cover every rule and field that came up in 3,000 sets. They were recorded with
 * an empty state store each, without virtual IPs.
 */
interface RecordedChains {
  readonly product: string;
  readonly version: string;
  readonly trustDomain: string;
  readonly sets: readonly { readonly writes: readonly Write[]; readonly chains: readonly Compiled[] }[];
  /** Single entries, and how they are read back. */
  readonly entries: readonly (Write & { readonly with?: Json; readonly stored?: JsonObject })[];
}

interface Write {
  readonly entry: Json;
  readonly status: number;
  /** Of an error. */
  readonly text?: string;
}

interface Compiled {
  readonly service: string;
  readonly datacenter?: string;
  readonly overrides?: Json;
  readonly chain: Json;
}

type JsonObject = { readonly [name: string]: Json };

const file = join(import.meta.dirname, 'chains', 'consul-1.21.4.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedChains;

/** Without what Consul has and the embedded service has not: partitions, and virtual IPs that were not recorded. */
const omitted = ['Partition', 'AutoVirtualIPs', 'ManualVirtualIPs'];

/** A response in the form that both have: without partitions, and with the same trust domain. */
function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !omitted.includes(key))
        .map(([key, member]) => [withoutPartition(key), comparable(member)]),
    );
  }
  if (typeof value !== 'string') return value;
  return withoutPartition(value.replace(/\.internal\.[0-9a-f-]{36}\.consul$/, '.internal.DOMAIN'));
}

/** `web.default.default.dc1` is `web.default.dc1` here, `splitter:web.default.default` is `splitter:web.default`. */
const withoutPartition = (text: string): string =>
  text
    .replaceAll(/\.default\.default\.(?=dc\d|external\.)/g, '.default.')
    .replaceAll(/\.default\.default(?=$|\]| ->)/g, '.default');

async function writeAll(service: Awaited<ReturnType<typeof registry>>, writes: readonly Write[]) {
  for (const { entry, status, text = 'true' } of writes) {
    const response = await service.send('PUT', 'config', entry);
    expect(withoutPartition(response), JSON.stringify(entry)).toBe(withoutPartition(`${status} ${text}`));
  }
}

describe(`config entries and chains as ${recorded.product} ${recorded.version}`, () => {
  test.each(recorded.sets.map((set, index) => [index + 1, set] as const))(
    'set %i',
    async (_number, { writes, chains }) => {
      const service = await registry();
      await writeAll(service, writes);
      for (const { service: name, datacenter, overrides, chain } of chains) {
        const path = `discovery-chain/${name}${datacenter === undefined ? '' : `?compile-dc=${datacenter}`}`;
        const response = await service.json(overrides === undefined ? 'GET' : 'POST', path, overrides);
        expect(comparable({ ...response } as unknown as Json)).toEqual(comparable({ Chain: chain }));
      }
      await service.close();
    },
  );

  test.each(recorded.entries.map((entry, index) => [index + 1, entry] as const))(
    'entry %i',
    async (_number, { with: other, stored, ...write }) => {
      const service = await registry();
      if (other !== undefined) await writeAll(service, [{ entry: other, status: 200 }]);
      await writeAll(service, [write]);
      if (stored) {
        const read = (await service.ask('GET', `config/${stored.Kind}/${stored.Name}`)).json as JsonObject;
        const { Hash, CreateIndex, ModifyIndex, ...contents } = read;
        expect(contents).toEqual(withoutEmptyRoutes(stored));
        for (const number of [Hash, CreateIndex, ModifyIndex]) expect(number).toBeGreaterThan(0);
      }
      await service.close();
    },
  );
});

/** An empty list of routes is not told apart from a missing one. */
const withoutEmptyRoutes = (stored: JsonObject): JsonObject =>
  Array.isArray(stored.Routes) && stored.Routes.length === 0 ? { ...stored, Routes: null } : stored;
