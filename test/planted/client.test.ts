import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectExit, homeForAll, servicesForAll } from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';
import { sized } from '../support/soak.ts';
import { file, skip, useCertificates } from '../unit/api/certificates.ts';
import { makeVictim, type Plant, type PlantName, plants, stateAt, stateOf } from './plants.ts';

const at = homeForAll();
const running = servicesForAll(at);
/** The name of a download of w.box that is not complete. */
let part = '';

useCertificates();
beforeAll(async () => {
  for (const name of skip ? [] : ['client.pem', 'client.key'])
    at.write(`tls/${name}`, readFileSync(file(name)));
  at.env.LANYARD_CACHE = 'off';
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  at.write('key.pub', keyPair('ed25519').publicLine);
  at.write('editor', '#!/bin/sh\necho "k: $$" >"$1"\n', 0o700);
  at.env.EDITOR = at.file('editor');
  at.write('image', 'an image '.repeat(40_000));
  for (const line of [
    'ssh ca create --key-type ed25519',
    'ssh role put deploy --allow-user-certificates --allowed-users u --default-user u',
    'box publish dev/web 1.0.0 libvirt image',
    'kv put secret/edited k=before',
  ]) {
    expectExit(await at.run(line.split(' ')), 0);
  }
  const got = await at.run('box get dev/web -o json'.split(' '));
  const address = /"download_url":\s*"([^"]+)"/.exec(got.stdout)?.[1] ?? '';
  const headers = { Authorization: `Bearer ${running.embedded.boxToken}` };
  const etag = (await fetch(address, { headers })).headers.get('etag') ?? '';
  part = `work/w.box.${Buffer.from(etag).toString('base64url')}.part`;
  profile = JSON.stringify({
    profiles: { dev: { secrets: { address: running.addresses.secrets, token: 'stored' } } },
    active: 'dev',
  });
});

/** A command, and a path that it reads or writes. */
interface Row {
  readonly path: () => string;
  readonly line: string;
  readonly env?: Readonly<Record<string, string>>;
  /** With a configuration that has a profile, and no address and token in the environment. */
  readonly profile?: true;
  /** The plants with which the command does its work; every other gives an error that names the path. */
  readonly accepts: readonly PlantName[];
  /** Of those, the ones in whose place another file is afterwards, or none. */
  readonly replaces?: readonly PlantName[];
  /** Plants that are found to be wrong, and are removed. */
  readonly discards?: readonly PlantName[];
  /** Plants that are not tried: what the user named is waited for, or followed, as every program does it. */
  readonly exempt?: readonly PlantName[];
}

let profile = '';
const put = 'profile put dev box.address=http://localhost:1';
const login = 'secrets login --method token --token env://TOKEN';
const foreign = ['a file of another user', 'a file that others may write', 'a hard link'] as const;
const texts = ['truncated JSON', 'JSON of the wrong types', 'deep JSON', 'an empty file'] as const;
/** What may be replaced without being read. */
const regular = [...foreign, 'a huge file', 'random bytes', ...texts] as const;

const clientKeys = {
  LANYARD_SECRETS_ADDR: 'https://127.0.0.1:1',
  LANYARD_SECRETS_CLIENT_CERT: 'tls/client.pem',
  LANYARD_SECRETS_CLIENT_KEY: 'tls/client.key',
};

/** What others wrote, or one may have written, decides nothing; the same for keys, certificates and downloads. */
const rows: Readonly<Record<string, Row>> = {
  // One that is not there has no profiles; a link to a folder of the user's is the user's choice.
  'the configuration directory, read': {
    path: () => 'config',
    line: 'profile list',
    accepts: ['a link to a folder', 'a dangling link', 'a folder'],
  },
  'the configuration directory, written': {
    path: () => 'config',
    line: put,
    accepts: ['a folder'],
    replaces: ['a folder'],
    exempt: ['a link to a folder'],
  },
  XDG_RUNTIME_DIR: {
    path: () => 'work/runtime',
    line: 'kv edit secret/edited',
    env: { XDG_RUNTIME_DIR: 'work/runtime' },
    accepts: plants.map(({ name }) => name),
  },
  'config.json, read': { path: () => 'config/config.json', line: 'profile list', accepts: [] },
  'config.json, written': { path: () => 'config/config.json', line: put, accepts: [] },
  'the lock of config.json': { path: () => 'config/config.json.lock', line: put, accepts: ['an empty file'] },
  'credentials.json, read': {
    path: () => 'config/credentials.json',
    line: 'secrets read auth/token/lookup-self',
    profile: true,
    accepts: [],
  },
  'credentials.json, written': {
    path: () => 'config/credentials.json',
    line: login,
    profile: true,
    accepts: [],
  },
  'the lock of credentials.json': {
    path: () => 'config/credentials.json.lock',
    line: login,
    profile: true,
    accepts: ['an empty file'],
  },
  'the new credentials.json': {
    path: () => 'config/credentials.json.new',
    line: login,
    profile: true,
    accepts: plants.map(({ name }) => name).filter((name) => name !== 'a folder'),
    replaces: plants.map(({ name }) => name).filter((name) => name !== 'a folder'),
  },
  'the lock of edited files': {
    path: () => 'config/edits.lock',
    line: 'ssh trust --hosts h --known-hosts work/known',
    accepts: ['an empty file'],
  },
  known_hosts: {
    path: () => '.ssh/known_hosts',
    line: 'ssh trust --hosts h',
    accepts: [...foreign, ...texts],
    replaces: [...foreign, ...texts],
  },
  'a file of TrustedUserCAKeys': {
    path: () => 'work/trusted',
    line: 'ssh trust --users work/trusted',
    accepts: [...foreign, ...texts],
    replaces: [...foreign, ...texts],
  },
  'the certificate that ssh sign writes': {
    path: () => 'work/out-cert.pub',
    line: 'ssh sign deploy --key key.pub --out work/out-cert.pub',
    accepts: ['an empty file'],
    replaces: ['an empty file'],
  },
  'the key that ssh issue writes': {
    path: () => 'work/made',
    line: 'ssh issue deploy --key-type ed25519 --out work/made',
    accepts: [],
  },
  'the public key that ssh issue writes': {
    path: () => 'work/made.pub',
    line: 'ssh issue deploy --key-type ed25519 --out work/made',
    accepts: [],
  },
  'the certificate that ssh issue writes': {
    path: () => 'work/made-cert.pub',
    line: 'ssh issue deploy --key-type ed25519 --out work/made',
    accepts: [],
  },
  'the key that ssh issue replaces': {
    path: () => 'work/made',
    line: 'ssh issue deploy --key-type ed25519 --force --out work/made',
    accepts: regular,
    replaces: regular,
  },
  'the key that ssh config makes': {
    path: () => '.ssh/lanyard/deploy',
    line: 'ssh config web --role deploy',
    accepts: [],
  },
  'the include file that ssh config writes': {
    path: () => 'work/include',
    line: 'ssh config web --role deploy --out work/include',
    accepts: ['an empty file'],
    replaces: ['an empty file'],
  },
  '~/.ssh/config': {
    path: () => '.ssh/config',
    line: 'ssh config web --role deploy --install',
    accepts: [...foreign, ...texts],
    replaces: [...foreign, ...texts],
  },
  // It only decides whether the user is told to add a line.
  '~/.ssh/config, read': {
    path: () => '.ssh/config',
    line: 'ssh config web --role deploy',
    accepts: plants.map(({ name }) => name),
  },
  'the key that ssh sign reads': {
    path: () => 'work/key.pub',
    line: 'ssh sign deploy --key work/key.pub --out -',
    accepts: [],
    exempt: ['a FIFO'],
  },
  'a CA certificate': {
    path: () => 'work/ca.pem',
    line: 'secrets read sys/mounts',
    accepts: [],
    env: { LANYARD_SECRETS_ADDR: 'https://127.0.0.1:1', LANYARD_SECRETS_CACERT: 'work/ca.pem' },
  },
  'a client certificate': {
    path: () => 'work/planted.pem',
    line: 'secrets read sys/mounts',
    accepts: [],
    env: { ...clientKeys, LANYARD_SECRETS_CLIENT_CERT: 'work/planted.pem' },
  },
  'the key of a client certificate': {
    path: () => 'work/planted.key',
    line: 'secrets read sys/mounts',
    accepts: [],
    env: { ...clientKeys, LANYARD_SECRETS_CLIENT_KEY: 'work/planted.key' },
  },
  'the file of a value': {
    path: () => 'work/value',
    line: 'kv put secret/x v=@work/value',
    accepts: ['a link to a file', ...foreign, ...texts],
    exempt: ['a FIFO'],
  },
  'the image that box download writes': {
    path: () => 'work/w.box',
    line: 'box download dev/web --out work/w.box',
    accepts: [],
  },
  'the image that box download replaces': {
    path: () => 'work/w.box',
    line: 'box download dev/web --force --out work/w.box',
    accepts: regular,
    replaces: regular,
  },
  'the incomplete download': {
    path: () => part,
    line: 'box download dev/web --out work/w.box',
    // One that is longer than the image, or empty, is not resumed; the checksum of any other is wrong.
    accepts: ['a huge file', 'an empty file'],
    replaces: ['a huge file', 'an empty file'],
    discards: [
      'a file that others may write',
      'random bytes',
      'truncated JSON',
      'JSON of the wrong types',
      'deep JSON',
    ],
  },
};

/** Every plant and every row, some of their pairs. */
const all = Object.entries(rows)
  .filter(([_name, { env }]) => !skip || !env?.LANYARD_SECRETS_CLIENT_KEY)
  .map(([name, row], place) => {
    const own = plants
      .filter((plant) => !row.exempt?.includes(plant.name))
      .filter((_plant, index) => (index + place) % sized(1, 6) === 0);
    return { name, row, own };
  });

/** Milliseconds after which a command hangs. */
const patience = sized(60_000, 30_000);

/** Runs the built program: it starts faster than the sources, and there are hundreds of runs. */
function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; signal: string | null; stderr: string }>((done, failed) => {
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: at.path,
      env: { ...at.env, HOME: at.path, ...env },
      timeout: patience,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code: code ?? -1, signal, stderr }));
  });
}

const program = join(import.meta.dirname, '../../bin/lanyard.js');

/** What a run may leave: locks are empty databases that stay. */
const ownNames = /^(lanyard|config\.json|credentials\.json|edits)(\.lock(-journal)?)?$/;

describe.each(all)('$name', ({ row, own }) => {
  test.each(own)('$name', (plant) => tryPlant(row, plant));
});

async function tryPlant(row: Row, plant: Plant): Promise<void> {
  for (const name of ['config', 'work', '.ssh', 'victim'])
    rmSync(at.file(name), { recursive: true, force: true });
  makeVictim(at.file('victim'));
  for (const name of ['config', 'work', '.ssh']) mkdirSync(at.file(name), { mode: 0o700 });
  if (row.profile) at.write('config/config.json', profile);
  const path = at.file(row.path());
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { recursive: true, force: true });
  await plant.put(path, at.file('victim'));
  const before = stateAt(path);
  const names = readdirSync(dirname(path));
  const victim = stateOf(at.file('victim'));
  const runtime = row.env?.XDG_RUNTIME_DIR ? { XDG_RUNTIME_DIR: path } : {};
  const own = row.profile
    ? { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '', TOKEN: running.rootToken }
    : {};
  const ran = await run(row.line.split(' '), { ...own, ...row.env, ...runtime });
  expect(ran.signal, 'hangs').toBeNull();
  expect(stateOf(at.file('victim'))).toEqual(victim);
  const isAccepted = row.accepts.includes(plant.name);
  expect({ accepted: ran.code === 0, ...ran }).toMatchObject({ accepted: isAccepted });
  if (row.discards?.includes(plant.name)) {
    expect(ran.stderr).toContain('work/w.box was not written');
    expect(readdirSync(dirname(path))).toEqual([]);
    return;
  }
  const isReplaced = isAccepted && row.replaces?.includes(plant.name);
  if (!isReplaced) expect(stateAt(path)).toBe(before);
  if (isAccepted) return;
  expect(ran.stderr).not.toMatch(/Lanyard itself|\n\s+at /);
  expect(ran.stderr).toContain(basename(path));
  const left = readdirSync(dirname(path)).filter((name) => !ownNames.test(name) && !names.includes(name));
  expect(left).toEqual([]);
  expect(existsSync(join(at.path, 'absent'))).toBe(false);
}
