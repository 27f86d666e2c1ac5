import { expect, test } from 'vitest';
import { kindNames } from '../../src/state/kinds.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { benchForAll, everyObject, kindOf, newSetId, type Stated, writeSet } from './bench.ts';

const bench = await benchForAll();

/** The environment of somebody who has only this service. */
const only = (service: ServiceName): Record<string, string> => {
  const own = `LANYARD_${service.toUpperCase()}_`;
  return Object.fromEntries(
    Object.entries(bench.othersEnv).map(([name, value]) => [
      name,
      /^LANYARD_[A-Z]+_(ADDR|TOKEN)$/.test(name) && !name.startsWith(own) ? '' : value,
    ]),
  );
};

const prune = '--prune --prune-max 1000';

test.each(serviceNames)('%s alone is exported, validated, planned, applied and pruned', async (service) => {
  const env = only(service);
  const run = async (line: string, code: number) => {
    const ran = await bench.at.run(line.split(' '), { env });
    expect(ran.code, `${line}\n${ran.stdout}${ran.stderr}`).toBe(code);
    return ran.stdout;
  };
  const objects = everyObject().filter(({ kind }) => kindOf(kind).service === service);
  const state = (stated: readonly Stated[]): void =>
    writeSet(
      bench,
      stated.map((object) => ({ ...object, metadata: { deletion: 'allow' } })),
      { id, spec, directory: 'state' },
    );
  const id = newSetId();
  // A directory that does not exist.
  const spec = { record: `file:.lanyard/${service}.json`, prune: { max: 1000, kinds: [...kindNames] } };
  state(objects);
  await run('validate state', 0);
  await run('plan state', 10);
  await run('apply state --yes', 0);
  await run('plan state', 0);

  await run('export exported', 0);
  await run('validate exported', 0);
  await run('plan exported --take-over', 0);
  await run('apply exported --take-over --yes', 0);
  await run('plan exported', 0);
  bench.at.clear('exported');

  await run('apply state --take-over --yes', 0);
  state([]);
  await run(`apply state --yes ${prune} --prune-all`, 0);
  await run(`plan state ${prune} --prune-all`, 0);
  await run('status', 0);
});
