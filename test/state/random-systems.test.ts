import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNotFound } from '../../src/errors.ts';
import type { Services } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import { commitNumber } from '../support/changed.ts';
import { type Home, home, type Ran } from '../support/run.ts';
import { counted, isSoak, sized } from '../support/soak.ts';
import { newSetId, type Stated, stateBench, writeSet } from './bench.ts';
import { clientsOf } from './clients.ts';
import { imageContent, imageFile } from './other-objects.ts';
import { generators, randomSystem, withoutGenerator } from './random-systems.ts';

/**
 * Random systems of objects of all kinds: applied, exported, applied to another cluster, and exported there.
 *
 * `LANYARD_RANDOM_SYSTEMS` is the path of a JSON file for other servers: `clusters` with one or two maps of the
 * variables of their addresses and tokens, and `without` with the kinds that they do not have. Every object of the
 * servers is deleted. `LANYARD_RANDOM_SEEDS` is `FIRST-LAST`; without it, the number of the commit chooses two of them.
 *
 * In Boundary, the auth method with the accounts must be named `password`, the role that permits the token must have no
 * name, so that it is neither exported nor deleted, and Consul permits the connections of one seed per process.
 */
interface Cluster {
  readonly at: Home;
  readonly run: (argv: readonly string[]) => Promise<Ran>;
  readonly clients: () => Services;
  readonly close: () => Promise<void>;
}

interface Servers {
  readonly clusters: readonly Readonly<Record<string, string>>[];
  readonly without: readonly string[];
}

const given = process.env.LANYARD_RANDOM_SYSTEMS;
const servers: Servers | undefined =
  given === undefined ? undefined : JSON.parse(readFileSync(given, 'utf8'));
const without = servers?.without ?? [];

async function embedded(): Promise<Cluster> {
  const { at, othersEnv, close } = await stateBench();
  return clusterAt(at, othersEnv, close);
}

const clusterAt = (at: Home, env: Readonly<Record<string, string>>, close: () => Promise<void>): Cluster => {
  at.write(imageFile, imageContent);
  return { at, run: (argv) => at.run(argv, { env }), clients: () => clientsOf({ ...at, env }), close };
};

function ofServers(env: Readonly<Record<string, string>>): Cluster {
  const at = home();
  return clusterAt(at, { ...at.env, ...env }, async () => at.remove());
}

let clusters: readonly Cluster[] = [];
beforeAll(async () => {
  clusters = servers ? servers.clusters.map(ofServers) : [await embedded(), await embedded()];
  for (const cluster of clusters) await removeAll(cluster);
});
afterAll(async () => {
  for (const { close } of clusters) await close();
});

const available = kinds.filter(({ name }) => !without.includes(name));

/** Deletes every object that is not built in and can be deleted, whatever contains others at the end. */
async function removeAll({ clients }: Cluster): Promise<void> {
  const services = clients();
  const entries = [];
  for (const kind of available)
    for (const identity of await kind.list(services, [{ scope: { owner: 'dev' }, key: '' }]))
      entries.push({
        kind,
        identity,
        level: typeof kind.level === 'number' ? kind.level : kind.level(identity, {}),
      });
  for (const { kind, identity } of entries.toSorted((one, other) => other.level - one.level)) {
    const live = await kind.read(services, identity);
    if (!live || kind.isBuiltIn?.(identity, live) || kind.obstacle?.('delete', live.spec, live)) continue;
    await kind.remove(services, identity, live).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function done({ run }: Cluster, argv: readonly string[]): Promise<Ran> {
  const ran = await run(argv);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0);
  return ran;
}

/** The exported files; the public keys of generated pairs are those of their cluster. */
const filesOf = ({ at }: Cluster, directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    at.list(directory).flatMap((path): [string, string][] => {
      const name = path.slice(directory.length + 1);
      if (!name.endsWith('.yaml')) return [];
      return [[name, at.read(path).replace(/(public_key: \|\n\s*\S+) \S+/, '$1 KEY')]];
    }),
  );

/** Copies an export, with values for its references and the images of its providers. */
function copy(from: Cluster, to: Cluster, references: readonly string[]): void {
  const files = from.at.list('exported').map((path) => [path, from.at.read(path)] as const);
  to.at.clear('exported');
  for (const [path, text] of files) {
    const isProvider = path.includes('/box/provider/') && !text.includes('  url: ');
    to.at.write(path, isProvider ? `${text}  file: ${imageFile}\n` : text);
    if (isProvider) to.at.write(`${path.slice(0, path.lastIndexOf('/'))}/${imageFile}`, imageContent);
  }
  const values = Object.fromEntries(references.map((name) => [name, `value of ${name}`]));
  to.at.write('exported/.secrets.json', JSON.stringify(values), 0o600);
}

/** Exports into an empty directory that has the document of the set. */
async function exportTo(cluster: Cluster, directory: string, id: string, ...flags: readonly string[]) {
  writeSet(cluster, [], { id, directory });
  const argv = ['export', directory, '--no-targets', '-o', 'json', ...flags];
  return JSON.parse((await done(cluster, argv)).stdout);
}

const noChanges = async (cluster: Cluster, directory: string) =>
  expect((await done(cluster, ['plan', directory])).stdout).toMatch(/^No changes\./);

async function check(objects: readonly Stated[]): Promise<void> {
  const [source, target = source] = clusters;
  if (!source || !target) throw new Error('no cluster');
  const id = newSetId();
  writeSet(source, objects, { id });
  await done(source, ['apply', 'state', '--yes']);
  await noChanges(source, 'state');
  await exportTo(source, 'plain', id);
  await noChanges(source, 'plain');
  const { references } = await exportTo(source, 'exported', id, '--secrets', 'file');
  const exported = filesOf(source, 'exported');
  if (target === source) await removeAll(source);
  copy(source, target, references);
  await done(target, ['apply', 'exported', '--yes']);
  await noChanges(target, 'exported');
  await exportTo(target, 'again', id, '--secrets', 'file');
  expect(filesOf(target, 'again')).toEqual(exported);
}

test('every kind has a generator', () => {
  const missing = kinds.map(({ name }) => name).filter((name) => generators[name] === undefined);
  expect(missing).toEqual(withoutGenerator);
});

const seeds = 200;
/** Two seeds of each commit; a soak has all of them. */
const firstOfCommit = isSoak ? 1 : ((2 * (commitNumber() ?? 0)) % seeds) + 1;

const [first = firstOfCommit, last = first + sized(seeds, 2) - 1] = (process.env.LANYARD_RANDOM_SEEDS ?? '')
  .split('-')
  .filter(Boolean)
  .map(Number);

test('a random system is the same after an export and an apply to another cluster', async () => {
  const failures: string[] = [];
  await counted('state: random systems', async (tried) => {
    for (let seed = first; seed <= last; seed += 1) {
      tried();
      const system = randomSystem(seed, without);
      await check(system).catch((error: unknown) => {
        failures.push(
          `seed ${seed} (${system.length} objects): ${error instanceof Error ? error.message : error}`,
        );
      });
      for (const cluster of clusters) await removeAll(cluster);
    }
    expect(failures.join('\n\n')).toBe('');
  });
}, 3_600_000);
