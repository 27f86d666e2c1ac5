import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneRun, quantile } from './harness.ts';
import { installed } from './programs.ts';
import { atMost, type Benchmark, type Finding } from './report.ts';
import { type Services, withServices } from './services.ts';

/** Objects that are applied, and planned again without differences. */
const some = 1000;
/** Documents whose memory is measured. */
const many = 10_000;
/** How often a plan is measured. */
const rounds = 3;
/** The bounds: seconds for a plan of `some` objects, and MiB for a plan of `many` documents. */
const [longest, mostMemory] = [5, 500];
/** The bounds of a plan of `many` objects that exist, with the memory that the runtime chooses (ADR 112). */
const [longestOfMany, mostMemoryOfMany] = [30, 512];
/** MiB. Without a limit, the runtime collects garbage the later the more memory the machine has. */
const heapLimit = 256;

/** A plan of many objects: how long it takes, and what memory. */
export const state: Benchmark = {
  title: 'State in files, against the embedded services in memory',
  run: (say) => withServices(say, measured),
};

async function measured(services: Services): Promise<Finding[]> {
  const directory = await written(services, 'some', some);
  const env = { LANYARD_CONFIG_DIR: services.folder, LANYARD_KEYRING: 'off' };
  const lanyard = (...args: readonly string[]) => oneRun(installed(args, env));
  const limited = { ...env, NODE_OPTIONS: `--max-old-space-size=${heapLimit}` };
  const planned = async (what: string): Promise<Finding> => {
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round++)
      seconds.push((await lanyard('plan', directory, '--exit-zero')).milliseconds / 1000);
    const median = quantile(seconds, 0.5);
    return {
      what: `plan of ${some} objects, ${what}`,
      figure: `${median.toFixed(2)} s`,
      promise: atMost(median, longest, ' s'),
    };
  };
  const created = await planned('all to create');
  const applied = await lanyard('apply', directory, '--yes', '-q');
  const findings = [
    created,
    { what: `apply of ${some} objects`, figure: `${(applied.milliseconds / 1000).toFixed(2)} s` },
    await planned('all unchanged'),
  ];
  for (const perFile of [1, many]) {
    const large = await written(services, `many-${perFile}`, many, perFile);
    const { milliseconds, peak } = await oneRun(
      installed(['plan', large, '--exit-zero', '-o', 'json'], limited),
    );
    const what = `plan of ${many} documents in ${perFile === 1 ? 'as many files' : 'one file'}`;
    findings.push({ what, figure: `${(milliseconds / 1000).toFixed(2)} s` });
    findings.push(
      peak === undefined
        ? { what: `${what}, memory`, figure: 'not measured on this system' }
        : {
            what: `${what}, memory with a heap of ${heapLimit} MiB`,
            figure: `${peak.toFixed(0)} MiB`,
            promise: atMost(peak, mostMemory, ' MiB'),
          },
    );
  }
  return [...findings, ...(await ofMany(join(services.folder, `many-${many}`), env))];
}

/** An apply of many objects, some of which are in the first set, and a plan without differences. */
async function ofMany(directory: string, env: Readonly<Record<string, string>>): Promise<Finding[]> {
  const applied = await oneRun(installed(['apply', directory, '--take-over', '--yes', '-q'], env));
  const { milliseconds, peak = 0 } = await oneRun(installed(['plan', directory], env));
  const what = `plan of ${many} objects, all unchanged`;
  const figure = (seconds: number, mebibytes = 0) => `${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB`;
  return [
    { what: `apply of ${many} objects`, figure: figure(applied.milliseconds / 1000, applied.peak) },
    {
      what,
      figure: figure(milliseconds / 1000, peak),
      promise: atMost(milliseconds / 1000, longestOfMany, ' s'),
    },
    {
      what: `${what}, memory`,
      figure: `${peak.toFixed(0)} MiB`,
      promise: atMost(peak, mostMemoryOfMany, ' MiB'),
    },
  ];
}

/** Documents of objects of three services, by their number. */
const documents: readonly ((n: number) => string)[] = [
  (n) =>
    `kind: secrets.kv\nmetadata: {mount: secret, name: bench/${n}, allowLiteral: true}\nspec:\n  data: {user: bench, password: "${n}"}\n`,
  (n) =>
    `kind: secrets.policy\nmetadata: {name: bench-${n}}\nspec:\n  policy: |\n    path "secret/data/bench/${n}" {\n      capabilities = ["read"]\n    }\n`,
  (n) => `kind: registry.key\nmetadata: {name: bench/${n}, allowLiteral: true}\nspec: {value: "${n}"}\n`,
  (n) =>
    `kind: registry.config-entry\nmetadata: {entryKind: service-defaults, name: bench-${n}}\nspec: {Protocol: http, MaxInboundConnections: ${n + 1}}\n`,
  (n) =>
    `kind: scheduler.variable\nmetadata: {namespace: default, name: bench/${n}, allowLiteral: true}\nspec:\n  Items: {user: bench, password: "${n}"}\n`,
];

/** Writes a set with its documents; returns its directory. */
async function written({ folder }: Services, name: string, count: number, perFile = 1): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory);
  const header = 'apiVersion: lanyard/v1\n';
  await writeFile(
    join(directory, 'set.yaml'),
    `${header}kind: Set\nmetadata: {name: ${name}, id: ${name.replace('-', '').padEnd(10, 'x').slice(0, 10)}}\nspec: {record: "registry:lanyard/sets/${name}"}\n`,
  );
  const texts = Array.from({ length: count }, (_, n) => {
    const document = documents[n % documents.length];
    return `${header}${document?.(n) ?? ''}`;
  });
  for (let at = 0; at < count; at += perFile)
    await writeFile(
      join(directory, `${String(at).padStart(5, '0')}.yaml`),
      texts.slice(at, at + perFile).join('---\n'),
    );
  return directory;
}
