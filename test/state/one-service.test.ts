import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNames } from '../../src/state/kinds.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { type Bench, everyObject, kindOf, newSetId, type Stated, stateBench, writeSet } from './bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await stateBench();
});
afterAll(() => bench.close());

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

test.each(serviceNames)('%s alone is exported, validated, planned, applied and pruned', async (service) => {
  const env = only(service);
  const run = async (line: string, code: number) => {
    const ran = await bench.at.run(line.split(' '), { env });
    expect(ran.code, `${line}\n${ran.stdout}${ran.stderr}`).toBe(code);
    return ran;
  };
  // Objects of the service, that an export has.
  const objects = everyObject().filter(({ kind }) => kindOf(kind).service === service);
  const allowed = objects.map((object): Stated => ({ ...object, metadata: { deletion: 'allow' } }));
  const spec = { record: `file:.lanyard/${service}.json`, prune: { max: 1000, kinds: [...kindNames] } };
  writeSet(bench, allowed, { id: newSetId(), spec, directory: service });
  await run(`validate ${service}`, 0);
  await run(`plan ${service}`, 10);
  await run(`apply ${service} --yes`, 0);
  expect((await run(`plan ${service}`, 0)).stderr).toBe('');

  const directory = `exported-${service}`;
  await run(`export ${directory} --no-targets`, 0);
  await run(`validate ${directory}`, 0);
  await run(`plan ${directory} --take-over`, 10);

  const set = { id: newSetId(), spec, directory: service };
  writeSet(bench, allowed, { ...set, spec: { ...spec, record: `file:.lanyard/${service}-2.json` } });
  await run(`apply ${service} --yes --take-over`, 0);
  const [first] = allowed;
  writeSet(bench, first ? [first] : [], { ...set, spec: { ...spec, record: `file:.lanyard/${service}-2.json` } });
  await run(`status`, 0);
});

test.each(serviceNames)('validate --init writes a set for %s alone, whose record can be written', async (service) => {
  const env = only(service);
  const directory = `init-${service}`;
  const written = await bench.at.run(['validate', '--init', directory], { env });
  expect(written.code, written.stderr).toBe(0);
  const object = everyObject().find(({ kind }) => kindOf(kind).service === service);
  expect(object).toBeDefined();
  const applied = await bench.at.run(['apply', directory, '--yes'], { env });
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
});
