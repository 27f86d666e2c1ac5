import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { expectExit, homeForEach, outputOf, words } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import type { Ran, RunOptions } from '../support/run.ts';

const at = homeForEach();
const running = new Set<Dev>();
afterEach(async () => {
  for (const dev of running) await dev.stop();
});

interface Dev {
  readonly ready: {
    readonly profile: string;
    readonly addresses: Readonly<Record<string, string>>;
    readonly tokens: Readonly<Record<string, string>>;
  };
  stop(): Promise<Ran>;
}

/** Runs `dev` in this process until it is stopped. */
async function dev(flags = '', options: RunOptions = {}): Promise<Dev> {
  const end = new AbortController();
  let printed = '';
  const stdout = new PassThrough().on('data', (part) => {
    printed += part;
  });
  const ended = at.run(words(`dev --port 0 -o json ${flags}`), { ...options, signal: end.signal, stdout });
  await Promise.race([
    eventually(() => JSON.parse(printed)),
    ended.then((ran) => {
      throw new Error(ran.stderr);
    }),
  ]);
  const started: Dev = {
    ready: JSON.parse(printed),
    stop() {
      running.delete(started);
      end.abort('SIGINT');
      return ended;
    },
  };
  running.add(started);
  return started;
}

const configuration = () => JSON.parse(at.read('config/config.json'));
/** The configuration and the stored tokens, byte for byte. */
const files = () => ['config/config.json', 'config/credentials.json'].map((name) => at.read(name));
const stored = (): readonly string[] =>
  existsSync(at.file('config/credentials.json'))
    ? Object.entries(JSON.parse(at.read('config/credentials.json')).tokens ?? {}).flatMap(
        ([name, services]) => (Object.keys(services as object).length > 0 ? [name] : []),
      )
    : [];
const locks = () =>
  readdirSync(at.file('config')).filter((name) => /^dev-/.test(name) && !name.endsWith('-journal'));

/** A profile "dev" of the user, with a stored token. */
async function putOwnProfile(): Promise<void> {
  for (const line of [
    'profile put dev secrets.address=https://vault.dev.example.com:8200 registry.address=http://127.0.0.1:9',
    'profile put dev secrets.token=-',
  ]) {
    expect((await at.run(words(line), { stdin: 'a-token-of-mine\n' })).code).toBe(0);
  }
}

describe('the profile of dev', () => {
  test('is not a profile of the user, which stays byte for byte the same', async () => {
    await putOwnProfile();
    const before = files();
    const one = await dev();
    expect(one.ready.profile).toBe('dev-2');
    expect(configuration().profiles.dev).toEqual(JSON.parse(before[0] ?? '').profiles.dev);
    expectExit(await at.run(words('-p dev-2 secrets read auth/token/lookup-self')), 0);
    expectExit(await one.stop(), 0, 'Using profile "dev-2": profile "dev" was not created by "lanyard dev".');
    expect(configuration()).toEqual(JSON.parse(before[0] ?? ''));
    expect(stored()).toEqual(['dev']);
    expect(locks()).toEqual([]);
  });

  test('is not the profile of another running instance, whose tokens are unchanged', async () => {
    const first = await dev();
    const stdout = outputOf(await at.run(words('acl bootstrap --store --field SecretID')));
    const second = await dev();
    expect([first.ready.profile, second.ready.profile]).toEqual(['dev', 'dev-2']);
    expect((await second.stop()).stderr).toContain('profile "dev" belongs to another running "lanyard dev"');
    const own = await at.run(words('acl token self --field SecretID --show-secret'));
    expect(own.stdout, own.stderr).toBe(stdout);
    expect(configuration()).toMatchObject({ active: 'dev', profiles: { dev: {} } });
    expect(stored()).toEqual(['dev']);
    await first.stop();
    expect(configuration()).toEqual({ profiles: {} });
    expect(stored()).toEqual([]);
    expect(locks()).toEqual([]);
  });

  test('is taken by one of two that start at the same time', async () => {
    const all = await Promise.all([dev(), dev(), dev()]);
    expect(all.map(({ ready }) => ready.profile).sort()).toEqual(['dev', 'dev-2', 'dev-3']);
    for (const { ready } of all) {
      const { stdout } = await at.run(words(`profile get ${ready.profile} --field secrets.address`));
      expect(stdout).toBe(`${ready.addresses.secrets}\n`);
    }
    await Promise.all(all.map((one) => one.stop()));
    expect(configuration()).toEqual({ profiles: {} });
    expect(stored()).toEqual([]);
  });

  test('that a killed one left is taken, or removed with its tokens', async () => {
    const left = (instance: string) => ({
      secrets: { address: 'http://127.0.0.1:1', token: 'stored' },
      dev: { instance, isActivated: true },
    });
    const profiles = { dev: left('00000000000000aa'), 'dev-2': left('00000000000000bb') };
    at.write('config/config.json', JSON.stringify({ active: 'dev-2', profiles }));
    at.write('config/dev-00000000000000aa.lock', '');
    const entry = { secrets: { where: 'file', token: 'old' }, registry: { where: 'file', token: 'old' } };
    at.write('config/credentials.json', JSON.stringify({ tokens: { dev: entry, 'dev-2': entry } }));
    const one = await dev();
    expect(one.ready.profile).toBe('dev');
    expect(Object.keys(configuration().profiles)).toEqual(['dev']);
    expect(configuration().active).toBe('dev');
    expect(stored()).toEqual(['dev']);
    expect(at.read('config/credentials.json')).not.toContain('"old"');
    expect(locks()).toEqual([`dev-${configuration().profiles.dev.dev.instance}.lock`]);
    await one.stop();
    expect(locks()).toEqual([]);
  });

  test('that the user changes meanwhile is the user’s', async () => {
    const one = await dev();
    expect((await at.run(words('profile put dev secrets.namespace=team-a'))).code).toBe(0);
    const before = files();
    await one.stop();
    expect(files()).toEqual(before);
    const next = await dev();
    expect(next.ready.profile).toBe('dev-2');
    await next.stop();
    expect(files()).toEqual(before);
  });

  test('becomes active only if none is, and that ends with it', async () => {
    await at.run(words('profile put mine secrets.address=http://127.0.0.1:1'));
    const before = configuration();
    const one = await dev();
    expect(configuration().active).toBe('mine');
    await one.stop();
    expect(configuration()).toEqual(before);
  });

  test('deleted or selected by the user while it is running, leaves nothing', async () => {
    await at.run(words('profile put mine secrets.address=http://127.0.0.1:1'));
    const one = await dev();
    await at.run(words('profile use dev'));
    await one.stop();
    expect(Object.keys(configuration().profiles)).toEqual(['mine']);
    expect(configuration().active).toBeUndefined();
    const two = await dev();
    await at.run(words('profile delete dev --yes'));
    expect((await two.stop()).code).toBe(0);
    expect(Object.keys(configuration().profiles)).toEqual(['mine']);
    expect(stored()).toEqual([]);
  });

  test('with --data stays for that directory, with its tokens', async () => {
    const one = await dev('--data state');
    await one.stop();
    expect(configuration().active).toBeUndefined();
    const kept = files();
    const other = await dev('--data other');
    expect(other.ready.profile).toBe('dev-2');
    expect((await other.stop()).stderr).toContain(
      `profile "dev" belongs to the data directory ${at.file('state')}`,
    );
    const temporary = await dev();
    expect(temporary.ready.profile).toBe('dev-3');
    await temporary.stop();
    expect(JSON.parse(files()[0] ?? '').profiles.dev).toEqual(JSON.parse(kept[0] ?? '').profiles.dev);
    const again = await dev('--data state');
    expect(again.ready.profile).toBe('dev');
    expect(again.ready.tokens).toEqual(one.ready.tokens);
    expect(configuration().active).toBe('dev');
    // The user's from then on, but its tokens are found.
    await at.run(words('profile put dev secrets.timeout=5s'));
    await again.stop();
    const third = await dev('--data state');
    expect(third.ready.profile).not.toBe('dev');
    expect(third.ready.tokens).toEqual(one.ready.tokens);
  });

  test('with --data keeps the tokens that the user stored, which gain no permissions at the next start', async () => {
    const one = await dev('--data state');
    const create = words('secrets token create --policy default --field client_token');
    const limited = (await at.run(create)).stdout;
    const login = await at.run(words('secrets login --token -'), { stdin: limited });
    expect(login.stderr).toContain('The stored secrets token of profile "dev" was replaced, not revoked.');
    expectExit(await at.run(words('acl bootstrap --store')), 0);
    const { secrets, registry, ...others } = JSON.parse(at.read('config/credentials.json')).tokens.dev;
    await one.stop();
    const again = await dev('--data state');
    expect(JSON.parse(at.read('config/credentials.json')).tokens.dev).toEqual({
      ...others,
      secrets,
      registry,
    });
    expect(again.ready.tokens.secrets).not.toBe(limited.trim());
    const policies = await at.run(words('secrets token self --select policies -o json'));
    expect(JSON.parse(policies.stdout), policies.stderr).toEqual(['default']);
    expect((await at.run(words('acl policy list'))).code).toBe(0);
    const env = { LANYARD_SECRETS_TOKEN: again.ready.tokens.secrets ?? '' };
    expect((await at.run(words('secrets policy list'), { env })).code).toBe(0);
    const { stderr } = await again.stop();
    for (const service of ['secrets', 'registry'])
      expect(stderr).toContain(`Profile "dev" keeps its ${service} token, which was not stored by`);
    expect(stderr).not.toContain('keeps its box token');
  });

  test('restores the keyring, also after a killed instance', async () => {
    mkdirSync(at.file('keyring'));
    const program = join(import.meta.dirname, '../unit/config/folder-keyring.ts');
    const options = {
      env: { LANYARD_KEYRING: '', KEYRING: at.file('keyring') },
      keyring: [process.execPath, program] as const,
    };
    const keyring = () =>
      readdirSync(at.file('keyring')).map((name) => [name, readFileSync(at.file(`keyring/${name}`), 'utf8')]);
    at.env.LANYARD_KEYRING = '';
    await at.run(
      words('profile put dev secrets.address=https://vault.dev.example.com:8200 secrets.token=-'),
      { ...options, stdin: 'a-token-of-mine\n' },
    );
    const before = [keyring(), files()];
    expect(before[0]).toHaveLength(1);
    const one = await dev('', options);
    expect(keyring()).toHaveLength(6);
    // As a killed one leaves them.
    const left = files();
    const leftTokens = keyring();
    await one.stop();
    expect([keyring(), files()]).toEqual(before);
    at.write('config/config.json', left[0] ?? '');
    at.write('config/credentials.json', left[1] ?? '');
    for (const [name = '', token = ''] of leftTokens) at.write(`keyring/${name}`, token);
    const next = await dev('', options);
    expect(next.ready.profile).toBe('dev-2');
    expect(keyring()).toHaveLength(6);
    await next.stop();
    expect([keyring(), files()]).toEqual(before);
  });
});

describe('a new dev', () => {
  test('is usable at once: export and acl commands need no other step', async () => {
    const one = await dev();
    expect(Object.keys(one.ready.tokens).sort()).toEqual([
      'accounts',
      'box',
      'registry',
      'scheduler',
      'secrets',
    ]);
    for (const line of ['export state', 'acl policy list', 'acl token list', 'status']) {
      const ran = await at.run(words(line));
      expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
    }
  });

  test('permits access without a token until the bootstrap, which works once', async () => {
    const one = await dev();
    const { registry = '', scheduler = '' } = one.ready.addresses;
    const key = () =>
      fetch(`${registry}/v1/kv/a?keys`, { method: 'PUT', body: 'x' }).then((got) => got.status);
    const list = () => fetch(`${registry}/v1/acl/policies`).then((got) => got.status);
    const namespaces = () => fetch(`${scheduler}/v1/acl/tokens`).then((got) => got.status);
    expect(await key()).toBe(200);
    expect(await list()).toBe(403);
    const before = await namespaces();
    const bootstrap = (address: string) => fetch(`${address}/v1/acl/bootstrap`, { method: 'PUT' });
    expect([(await bootstrap(registry)).status, (await bootstrap(registry)).status]).toEqual([200, 403]);
    expect([(await bootstrap(scheduler)).status, (await bootstrap(scheduler)).status]).toEqual([200, 400]);
    expect(await key()).toBe(403);
    expect([before, await namespaces()]).toEqual([before, 403]);
    // The tokens of the profile stay valid.
    for (const line of ['acl policy list', 'namespace list', 'export state']) {
      const ran = await at.run(words(line));
      expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
    }
  });
});
