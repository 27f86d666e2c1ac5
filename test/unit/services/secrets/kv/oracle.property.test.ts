import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineRequest, EngineResponse } from '../../../../../src/services/secrets/engine.ts';
import { SecretsError } from '../../../../../src/services/secrets/errors.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { sized } from '../../../../support/soak.ts';
import type { Data } from '../engine-calls.ts';
import { type Mount, mount, noon } from './harness.ts';
import { Oracle, type Setting } from './oracle.ts';

/**
 * An operation, applied to the mount and to the oracle; each returns the result in the format of the oracle.
 */
interface Step {
  readonly name: string;
  readonly real: (kv: Mount) => Promise<string>;
  readonly expected: (oracle: Oracle) => string;
}

async function answerOf(
  kv: Mount,
  [operation, path, data]: readonly [EngineRequest['operation'], string, Data?],
  say: (response: EngineResponse) => string,
): Promise<string> {
  try {
    const response = await kv.call(operation, path, data);
    if (!response) return '204';
    return `${response.status ?? 200} ${say(response)}`;
  } catch (error) {
    if (error instanceof SecretsError) return [error.status, ...error.errors].join(' ');
    throw error;
  }
}

const member = (response: EngineResponse, name: string) => response.data?.[name] as Data;

/** Seconds after noon, empty for none. */
const after = (time: unknown) => (time === '' ? '' : (Date.parse(String(time)) - noon.getTime()) / 1000);

const versionSaid = (response: EngineResponse) => String(response.data?.version);

const readSaid = (response: EngineResponse) => {
  const number = member(response, 'metadata').version;
  return response.status === 404 ? `${number}` : `${number} ${JSON.stringify(response.data?.data)}`;
};

const describeSaid = ({ data }: EngineResponse) => {
  const versions = Object.entries(data?.versions as Record<string, Data>).map(
    ([number, { deletion_time, destroyed }]) =>
      `${number}${destroyed ? 'destroyed' : ''}@${after(deletion_time)}`,
  );
  return `${data?.current_version} [${versions}]`;
};

const keys = ['a', 'b', 'b/c', '__proto__'];
const key = fc.constantFrom(...keys);
const content = fc.dictionary(fc.constantFrom('x', 'y', 'constructor'), fc.integer({ min: 0, max: 9 }), {
  noNullPrototype: true,
});
const patch = fc.dictionary(fc.constantFrom('x', 'y', 'constructor'), fc.constantFrom(null, 1, 2), {
  noNullPrototype: true,
});
const cas = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const versions = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 });
const setting: fc.Arbitrary<Setting> = fc.record(
  {
    max_versions: fc.integer({ min: 0, max: 5 }),
    cas_required: fc.boolean(),
    delete_version_after: fc.integer({ min: 0, max: 6 }),
  },
  { requiredKeys: [] },
);
const mountSetting = fc.oneof(setting, fc.constant<Setting>({ delete_version_after: -1 }));

const options = (given: number | undefined): Data => (given === undefined ? {} : { options: { cas: given } });
const say = (name: string, ...parts: unknown[]) => `${name} ${JSON.stringify(parts)}`;

const write = fc.tuple(key, content, cas).map(
  ([at, data, given]): Step => ({
    name: say('write', at, data, given),
    real: (kv) => answerOf(kv, ['update', `data/${at}`, { data, ...options(given) }], versionSaid),
    expected: (oracle) => oracle.write(at, data, given),
  }),
);

const patching = fc.tuple(key, patch, cas).map(
  ([at, data, given]): Step => ({
    name: say('patch', at, data, given),
    real: (kv) => answerOf(kv, ['patch', `data/${at}`, { data, ...options(given) }], versionSaid),
    expected: (oracle) => oracle.patch(at, data, given),
  }),
);

const read = fc.tuple(key, fc.integer({ min: 0, max: 8 })).map(
  ([at, version]): Step => ({
    name: say('read', at, version),
    real: (kv) => answerOf(kv, ['read', `data/${at}`, { version }], readSaid),
    expected: (oracle) => oracle.read(at, version),
  }),
);

const deleteNewest = key.map(
  (at): Step => ({
    name: say('delete', at),
    real: (kv) => answerOf(kv, ['delete', `data/${at}`], String),
    expected: (oracle) => oracle.delete(at),
  }),
);

const acts = fc.tuple(fc.constantFrom('delete', 'undelete', 'destroy'), key, versions).map(
  ([verb, at, numbers]): Step => ({
    name: say(verb, at, numbers),
    real: async (kv) => {
      const answer = await answerOf(kv, ['update', `${verb}/${at}`, { versions: numbers }], String);
      return answer.replace(/ [Nn]o version number provided$/, '');
    },
    expected: (oracle) => oracle[verb](at, numbers),
  }),
);

const set = fc.tuple(key, setting).map(
  ([at, given]): Step => ({
    name: say('set', at, given),
    real: (kv) => answerOf(kv, ['update', `metadata/${at}`, { ...given }], () => 'warned'),
    expected: (oracle) => oracle.set(at, given),
  }),
);

const configure = mountSetting.map(
  (given): Step => ({
    name: say('configure', given),
    real: (kv) => answerOf(kv, ['update', 'config', { ...given }], String),
    expected: (oracle) => oracle.configure(given),
  }),
);

const remove = key.map(
  (at): Step => ({
    name: say('remove', at),
    real: (kv) => answerOf(kv, ['delete', `metadata/${at}`], String),
    expected: (oracle) => oracle.remove(at),
  }),
);

const passing = fc.integer({ min: 1, max: 4 }).map(
  (seconds): Step => ({
    name: say('pass', seconds),
    real: async (kv) => {
      kv.pass(seconds);
      return 'passed';
    },
    expected: (oracle) => {
      oracle.pass(seconds);
      return 'passed';
    },
  }),
);

const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 3, arbitrary: patching },
  { weight: 3, arbitrary: read },
  { weight: 2, arbitrary: deleteNewest },
  { weight: 4, arbitrary: acts },
  { weight: 1, arbitrary: set },
  { weight: 1, arbitrary: configure },
  { weight: 1, arbitrary: remove },
  { weight: 2, arbitrary: passing },
);

/** The expected number of stored values, from the metadata of the keys. */
async function expectNothingLeftBehind(kv: Mount): Promise<void> {
  const described = await Promise.all(
    keys.map(async (at) => (await kv.call('read', `metadata/${at}`).catch(() => undefined))?.data),
  );
  const known = described.filter((data) => data !== undefined);
  const alive = known.flatMap((data) =>
    Object.values(data.versions as Record<string, Data>).filter((version) => !version.destroyed),
  );
  expect(kv.storage.keys('metadata/')).toHaveLength(known.length);
  expect(kv.storage.keys('data/')).toHaveLength(alive.length);
}

test('any sequence of operations gets the expected responses, and leaves no data behind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async (steps) => {
      const kv = mount(2, memoryStorage());
      const oracle = new Oracle();
      for (const [index, { name, real, expected }] of steps.entries()) {
        expect(await real(kv), `step ${index}: ${name}`).toBe(expected(oracle));
        for (const at of keys) {
          const described = await answerOf(kv, ['read', `metadata/${at}`], describeSaid);
          expect(described, `${at} after step ${index}: ${name}`).toBe(oracle.describe(at));
        }
      }
      const listed = await answerOf(kv, ['list', 'metadata'], ({ data }) => String(data?.keys));
      expect(listed).toBe(oracle.list());
      await expectNothingLeftBehind(kv);
    }),
    { numRuns: sized(1_000, 200) },
  );
});
