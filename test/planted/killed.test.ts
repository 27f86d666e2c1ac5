import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { expectExit, homeForAll, servicesForAll } from '../support/command-tests.ts';
import { keyPair } from '../support/keys.ts';
import { counted, sized } from '../support/soak.ts';

// The client is killed just before each change that it makes to a file, and at random moments. Then no file is
// incomplete, the next run works, and it removes what the killed run left.

const at = homeForAll();
const running = servicesForAll(at);
const image = 'an image '.repeat(400_000);
const certificate = /^ssh-\S+-cert-v01@openssh\.com [A-Za-z0-9+/]+={0,2}[^\n]*\n$/;
const publicKey = /^ssh-ed25519 [A-Za-z0-9+/]+={0,2}[^\n]*\n$/;
const privateKey =
  /^-----BEGIN OPENSSH PRIVATE KEY-----\n[A-Za-z0-9+/\n]+={0,2}\n-----END OPENSSH PRIVATE KEY-----\n$/;

beforeAll(async () => {
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  at.env.LANYARD_CACHE = 'off';
  at.env.TMPDIR = at.file('tmp');
  at.env.TOKEN = running.rootToken;
  at.write('key.pub', keyPair('ed25519').publicLine);
  at.write('image', image);
  at.write('editor', '#!/bin/sh\necho "k: edited" >"$1"\n', 0o700);
  at.env.EDITOR = at.file('editor');
  for (const line of [
    'ssh ca create --key-type ed25519',
    'ssh role put deploy --allow-user-certificates --allowed-users u --default-user u',
    'box publish dev/web 1.0.0 libvirt image',
  ]) {
    expectExit(await at.run(line.split(' ')), 0);
  }
});

interface Row {
  readonly line: string;
  /** The flags of the run after the kill: what was complete may be replaced. */
  readonly again?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Creates what is there before. */
  readonly prepare?: () => Promise<void> | void;
  /** The files that the command writes, and their contents after it is done. */
  readonly files: Readonly<Record<string, RegExp | ((text: string) => boolean)>>;
  /** Looks at what is not in files; `done`: after the run that was not killed. */
  readonly check?: (done: boolean) => Promise<void>;
}

const withoutEnvironment = { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' };
const names = Array.from({ length: 200 }, (_none, index) => `p${index}`);
const settings = () => ({
  profiles: Object.fromEntries(
    names.map((name) => [name, { secrets: { address: running.addresses.secrets } }]),
  ),
  active: 'p0',
});

const rows: Readonly<Record<string, Row>> = {
  'profile put': {
    line: 'profile put p7 box.address=http://localhost:1',
    prepare: () => void at.write('config/config.json', JSON.stringify(settings())),
    files: {
      'config/config.json': (text) => JSON.parse(text).profiles.p7.box.address === 'http://localhost:1',
    },
  },
  'secrets login': {
    line: 'secrets login --method token --token env://TOKEN',
    env: withoutEnvironment,
    prepare: () => {
      at.write('config/config.json', JSON.stringify(settings()));
      const tokens = Object.fromEntries(names.slice(1).map((name) => [name, { secrets: token(name) }]));
      at.write('config/credentials.json', JSON.stringify({ tokens }));
    },
    files: {
      'config/credentials.json': (text) => {
        const { tokens } = JSON.parse(text);
        return tokens.p0.secrets.token === running.rootToken && tokens.p199.secrets.token === 'p199';
      },
    },
  },
  'ssh issue': {
    line: 'ssh issue deploy --key-type ed25519 --out work/made',
    again: '--force',
    files: { 'work/made': privateKey, 'work/made.pub': publicKey, 'work/made-cert.pub': certificate },
  },
  'ssh issue --force': {
    line: 'ssh issue deploy --key-type ed25519 --force --out work/made',
    async prepare() {
      expectExit(await at.run('ssh issue deploy --key-type ed25519 --out work/made'.split(' ')), 0);
    },
    files: { 'work/made': privateKey, 'work/made.pub': publicKey, 'work/made-cert.pub': certificate },
  },
  'ssh sign': {
    line: 'ssh sign deploy --key key.pub --out work/out-cert.pub',
    files: {
      'work/out-cert.pub': certificate,
      'work/out-cert.pub.source': (text) => JSON.parse(text).role === 'deploy',
    },
  },
  'box download': {
    line: 'box download dev/web --out work/w.box',
    again: '--force',
    files: { 'work/w.box': (text) => text === image },
  },
  'box download --force': {
    line: 'box download dev/web --force --out work/w.box',
    prepare: () => void at.write('work/w.box', 'an earlier image'),
    files: { 'work/w.box': (text) => text === image },
  },
  'kv edit': {
    line: 'kv edit secret/edited',
    async prepare() {
      expectExit(await at.run('kv put secret/edited k=before'.split(' ')), 0);
    },
    files: {},
    async check(done) {
      const { stdout } = await at.run('kv get secret/edited --field k'.split(' '));
      expect(done ? ['edited'] : ['before', 'edited']).toContain(stdout.trim());
      for (const name of readdirSync(at.file('tmp')))
        expect(statSync(at.file(`tmp/${name}`)).mode & 0o777).toBe(0o700);
    },
  },
};

const token = (name: string) => ({ where: 'file', token: name });

const program = join(import.meta.dirname, '../../bin/lanyard.js');
const preload = join(import.meta.dirname, 'kill-at.cjs');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** Runs the built program; it is killed before its n-th change of a file (from 1), or after milliseconds. */
function run(row: Row, words: string, kill: { readonly change?: number; readonly after?: number } = {}) {
  const begun = performance.now();
  return new Promise<Ended>((done, failed) => {
    const child = spawn(process.execPath, ['--require', preload, program, ...words.split(' ')], {
      cwd: at.path,
      env: { ...at.env, HOME: at.path, ...row.env, KILL_AT: String(kill.change ?? 0) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const timer = kill.after === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), kill.after);
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', failed);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, stderr, duration: performance.now() - begun });
    });
  });
}

const folders = ['config', 'work', 'tmp'] as const;
const filesNow = (): string[] =>
  folders.flatMap((name) => readdirSync(at.file(name)).map((each) => `${name}/${each}`));

async function prepare({ prepare: own }: Row): Promise<ReadonlyMap<string, string>> {
  for (const name of folders) {
    rmSync(at.file(name), { recursive: true, force: true });
    mkdirSync(at.file(name), { mode: 0o700 });
  }
  await own?.();
  return new Map(
    at
      .list('work')
      .concat(at.list('config'))
      .map((name) => [name, at.read(name)]),
  );
}

/** Is every file that the command writes what it was before, or complete? */
async function expectComplete(row: Row, before: ReadonlyMap<string, string>, done: boolean): Promise<void> {
  const there = filesNow();
  for (const [name, expected] of Object.entries(row.files)) {
    if (!there.includes(name)) {
      expect([done, before.has(name)], name).toEqual([false, false]);
      continue;
    }
    const text = at.read(name);
    if (!done && text === before.get(name)) continue;
    expect(
      expected instanceof RegExp ? expected.test(text) : expected(text),
      `${name}: ${text.slice(0, 200)}`,
    ).toBe(true);
    // An image is no secret: its mode is that of every new file.
    expect(statSync(at.file(name)).mode & (name.endsWith('.box') ? 0o022 : 0o077), name).toBe(0);
  }
  await row.check?.(done);
}

/** Names that stay: locks are empty databases. */
const staying = /^config\/(config\.json|credentials\.json)(\.lock)?$/;

async function tryKill(
  row: Row,
  kill: { readonly change?: number; readonly after?: number },
): Promise<Ended> {
  const before = await prepare(row);
  const killed = await run(row, row.line, kill);
  const isKilled = killed.signal !== null;
  if (!isKilled) expect(killed).toMatchObject({ code: 0 });
  await expectComplete(row, before, !isKilled);
  // What was left is old when the next run begins.
  const old = new Date(Date.now() - 11 * 60_000);
  for (const name of filesNow().filter((each) => !before.has(each))) utimesSync(at.file(name), old, old);
  const next = await run(row, row.again && isKilled ? `${row.line} ${row.again}` : row.line);
  if (isKilled || !row.again) {
    expect(next).toMatchObject({ code: 0, signal: null });
    await expectComplete(row, before, true);
    const left = filesNow().filter((name) => !(name in row.files) && !staying.test(name));
    expect(left).toEqual([]);
  }
  return killed;
}

test.each(Object.entries(rows))('%s, killed at any moment, leaves no incomplete file', async (name, row) => {
  await counted(`kill -9 of ${name}`, async (tried) => {
    let duration = 0;
    for (let change = 1; ; change += sized(1, 6)) {
      tried();
      const ended = await tryKill(row, { change });
      duration = ended.duration;
      if (ended.signal === null) break;
    }
    for (let time = 0; time < sized(20, 1); time++) {
      tried();
      await tryKill(row, { after: randomInt(Math.ceil(duration)) });
    }
  });
});
