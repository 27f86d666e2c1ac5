import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeKey } from '../commands/signing.ts';
import { expectExit, expectFailure, homeForEach, words } from '../support/command-tests.ts';
import { eventually } from '../support/eventually.ts';
import { lanyardProcess, type Running, start } from '../support/process.ts';
import { sized } from '../support/soak.ts';

const at = homeForEach();

/** The output of `dev -o json` when it is ready. */
interface Ready {
  readonly addresses: Readonly<Record<string, string>>;
  readonly tokens: Partial<Readonly<Record<string, string>>>;
  readonly users: Readonly<Record<'box' | 'accounts', string>>;
  readonly password: string | null;
  readonly unsealKey: string | null;
  readonly profile: string;
}

async function dev(flags = ''): Promise<Running & { readonly ready: Ready }> {
  const running = start(at, words(`dev --port 0 -o json ${flags}`));
  return { ...running, ready: JSON.parse(await running.until(/^\}$/m)) };
}

async function stop({ child, ended }: Running, signal: NodeJS.Signals = 'SIGINT') {
  child.kill(signal);
  return ended;
}

const reachable = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );

describe('dev', () => {
  test('prints JSON when it is ready, with an active profile', async () => {
    const running = await dev();
    const { addresses, tokens, profile } = running.ready;
    expect(Object.keys(addresses)).toEqual(['secrets', 'registry', 'box', 'scheduler', 'accounts']);
    for (const address of Object.values(addresses)) {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await reachable(address)).toBe(true);
    }
    expect(tokens.secrets).toMatch(/^hvs\./);
    expect(profile).toBe('dev');
    const got = JSON.parse((await at.run(words('profile get -o json'))).stdout);
    expect(got).toMatchObject({
      name: 'dev',
      active: true,
      secrets: { address: addresses.secrets, token: 'stored' },
    });
    expect((await at.run(['status'])).stdout).toMatch(
      /^secrets\t\S+\tok\tLanyard \S+\tvalid, unlimited\tprofile dev\n/,
    );
    await stop(running);
  });

  test('prints the key that unseals the secrets service', async () => {
    const running = await dev();
    const { addresses, tokens, unsealKey } = running.ready;
    const put = (path: string, body: object) =>
      fetch(`${addresses.secrets}/v1/sys/${path}`, {
        method: 'PUT',
        headers: { 'X-Vault-Token': tokens.secrets ?? '' },
        body: JSON.stringify(body),
      });
    expect((await put('seal', {})).status).toBe(204);
    const unsealed = await put('unseal', { key: unsealKey });
    expect(await unsealed.json()).toMatchObject({ sealed: false });
    await stop(running);
  });

  test('--uninitialized starts without keys and tokens, and keeps what `secrets init` makes', async () => {
    const running = await dev('--uninitialized --data state');
    expect(running.ready).toMatchObject({ unsealKey: null, sealState: 'not initialized' });
    expect(running.ready.tokens.secrets).toBeUndefined();
    const initialized = JSON.parse((await at.run(words('secrets init --shares 1 -o json'))).stdout);
    await stop(running);

    const again = await dev('--uninitialized --data state');
    expect(again.ready).toMatchObject({ unsealKey: null, sealState: 'sealed' });
    const KEY = initialized.keys[0];
    expect((await at.run(words('secrets unseal env://KEY'), { env: { KEY } })).code).toBe(0);
    const env = { LANYARD_SECRETS_TOKEN: initialized.root_token };
    expect((await at.run(words('secrets read auth/token/lookup-self'), { env })).code).toBe(0);
    await stop(again);

    const plain = start(at, words('dev --port 0 --data state'));
    expect(await plain.until(/Press Ctrl\+C to stop/)).toContain(
      'secrets\tsealed (run "lanyard secrets unseal")',
    );
    await stop(plain);
  });

  test('--audit-log writes requests and responses with hashed secrets', async () => {
    const running = await dev('--audit-log audit.log --audit-option elide_list_responses=true');
    await at.run(words('kv put secret/app password=a-secret-value'));
    await at.run(words('secrets list sys/policies/acl'));
    const lines = at.read('audit.log').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).request.path)).toContain('secret/data/app');
    expect(at.read('audit.log')).not.toContain('a-secret-value');
    const listed = JSON.parse((await at.run(words('secrets read sys/audit -o json'))).stdout);
    expect(listed.data['file/'].options).toEqual({
      file_path: at.file('audit.log'),
      elide_list_responses: 'true',
    });
    await stop(running);
  });

  test.each([
    ['--audit-option log_raw=true', '--audit-option requires --audit-log'],
    ['--audit-log -', '--audit-log requires a file name'],
    ['--audit-log a.log --audit-option log_raw=maybe', 'expected true or false'],
    ['--audit-log a.log --audit-option mode=999', 'expected octal permissions such as 0600'],
    ['--audit-log a.log --audit-option colour=red', 'unknown option'],
    ['--audit-log notes.txt', 'notes.txt as the audit log: it exists and is not an audit log'],
  ])('%s is a usage error', async (flags, message) => {
    at.write('notes.txt', 'notes');
    expectExit(await at.run(words(`dev --port 0 ${flags}`)), 2, message);
    expect(at.read('notes.txt')).toBe('notes');
  });

  test('writes its output to the file of --out', async () => {
    const running = start(at, words('dev --port 0 -o json --out said.json'));
    await eventually(() => expect(JSON.parse(at.read('said.json')).profile).toBe('dev'));
    expect(await stop(running)).toMatchObject({ code: 0, stdout: '' });
  });

  test('prints the addresses and the unseal key as text', async () => {
    for (const kept of [false, true]) {
      const running = start(at, words(`dev --port 0 ${kept ? '--data state' : ''}`));
      const said = await running.until(/Press Ctrl\+C to stop/);
      expect(said).toMatch(
        /^Embedded services \(reachable from this machine only\):\nsecrets\thttp:\/\/127\.0\.0\.1:\d+\n/,
      );
      expect(said).toMatch(/^root token\thvs\./m);
      expect(said).toMatch(/^unseal key\t[\da-f]{64}$/m);
      expect(said).toMatch(kept ? /^state\tstored in state$/m : /^state\tin memory, lost on exit$/m);
      await stop(running);
    }
  });

  test('does not change the active profile', async () => {
    await at.run(words('profile put mine secrets.address=http://127.0.0.1:1'));
    const running = await dev();
    expect((await at.run(words('profile get --field name'))).stdout).toBe('mine\n');
    expect((await at.run(words('status --profile dev'))).code).toBe(0);
    await stop(running);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('exits cleanly with %s: code 0, ports closed', async (signal) => {
    const running = await dev();
    const ended = await stop(running, signal);
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stderr).toMatch(/Stopped the embedded services\.\n$/);
    for (const address of Object.values(running.ready.addresses))
      expect(await reachable(address)).toBe(false);
    // The profile is removed with its instance.
    expect((await at.run(words('profile list -o json'))).stdout).toBe('[]\n');
  });

  test('with --data exits cleanly with one signal, every time', async () => {
    for (let time = 0; time < sized(10, 3); time++) {
      const ended = await stop(await dev('--data state'), time % 2 === 0 ? 'SIGINT' : 'SIGTERM');
      expect(ended).toMatchObject({ code: 0, signal: null });
      expect(ended.stderr).toMatch(/Stopped the embedded services\.\n$/);
    }
  });

  test('exits while a client keeps a connection open', async () => {
    const running = await dev();
    const { secrets = '' } = running.ready.addresses;
    const { connect } = await import('node:net');
    const idle = connect(Number(new URL(secrets).port), '127.0.0.1');
    idle.on('error', () => {});
    let closed = false;
    idle.on('close', () => {
      closed = true;
    });
    await fetch(`${secrets}/v1/sys/health`);
    expect(closed).toBe(false);
    // The client would keep it open.
    expect((await stop(running)).code).toBe(0);
    await eventually(() => expect(closed).toBe(true));
  });

  test('reports the port in use, and changes nothing', async () => {
    const first = await dev();
    const port = new URL(first.ready.addresses.secrets ?? '').port;
    const before = at.read('config/config.json');
    const second = await lanyardProcess(at, words(`dev --port 0 --port secrets=${port}`));
    expectFailure(second, 1, new RegExp(`^error: .*${port}`));
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect(at.read('config/config.json')).toBe(before);
    expect((await at.run(['status'])).code).toBe(0);
    await stop(first);
  });

  test.each(['--port web=1', '--port secrets=70000', '--port nonsense'])(
    '%s is a usage error',
    async (flags) => {
      const ended = await lanyardProcess(at, words(`dev ${flags}`));
      expectFailure(ended, 2, 'expected 0 (free ports for all) or SERVICE=PORT');
    },
  );

  test('loses its state without --data', async () => {
    await stop(await withRole());
    const again = await dev();
    expect((await at.run(words('ssh role get deploy'))).code).toBe(3);
    await stop(again);
  });
});

async function withRole(flags = '') {
  const running = await dev(flags);
  expect((await at.run(words('ssh ca create --key-type ed25519'))).code).toBe(0);
  expect(
    (await at.run(words('ssh role put deploy --allow-user-certificates --allowed-users u --default-user u')))
      .code,
  ).toBe(0);
  return running;
}

describe('the box registry of dev', () => {
  const logIn = async (running: Awaited<ReturnType<typeof dev>>, path: string, body: object) => {
    const { users, password } = running.ready;
    const answer = await fetch(`${running.ready.addresses.box}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ user: { login: users.box, password }, ...body }),
    });
    return { status: answer.status, json: (await answer.json()) as { readonly token?: string } };
  };

  test('starts with a user who can log in, and a token in the profile', async () => {
    const running = await dev();
    expect((await logIn(running, 'authenticate', {})).status).toBe(200);
    expect(JSON.parse((await at.run(words('api box GET authenticate'))).stdout)).toEqual({
      user: { username: 'dev' },
    });
    await stop(running);
  });

  test('prints the two-factor code of a login', async () => {
    at.write('password', 'a long password\n');
    const running = await dev('--two-factor --password @password');
    expect(running.ready.password).toBe('a long password');
    expect((await logIn(running, 'authenticate', {})).status).toBe(406);
    await logIn(running, 'two-factor/request-code', { two_factor: { delivery_method: 'sms' } });
    await eventually(() => expect(running.stderr()).toMatch(/\b\d{6}\b/));
    const code = /\b\d{6}\b/.exec(running.stderr())?.[0];
    expect((await logIn(running, 'authenticate', { two_factor: { code } })).status).toBe(200);
    await stop(running);
    at.write('password', 'short\n');
    const rejected = await lanyardProcess(at, words('dev --port 0 --password @password'));
    expect(rejected).toMatchObject({ code: 2, stdout: '' });
    expect(rejected.stderr).not.toContain('short');
  });

  test('rejects requests above the rate limit', async () => {
    const running = await dev('--rate-limit 2');
    // Two requests per minute; if a minute ends in between, two more are accepted.
    const statuses: number[] = [];
    while (statuses.length < 5 && statuses.at(-1) !== 429) {
      statuses.push((await fetch(`${running.ready.addresses.box}/api/v1/search`)).status);
    }
    expect([2, 3, 4]).toContain(statuses.filter((status) => status === 200).length);
    expect(statuses.at(-1)).toBe(429);
    await stop(running);
    for (const limit of ['0', 'box=0', 'vault=3', 'registry=boundary', 'accounts=', '1,box=2'])
      expect(await lanyardProcess(at, words(`dev --port 0 --rate-limit ${limit}`))).toMatchObject({
        code: 2,
      });
  });

  test('limits several services, as their products do', async () => {
    const running = await dev('--rate-limit accounts=boundary --rate-limit secrets=1000,scheduler=1000');
    const { secrets, accounts } = running.ready.addresses;
    const scopes = await fetch(`${accounts}/v1/scopes?scope_id=global`);
    expect([scopes.status, scopes.headers.get('ratelimit')]).toEqual([
      200,
      'limit=150, remaining=149, reset=30',
    ]);
    const mounts = await fetch(`${secrets}/v1/sys/mounts`);
    expect([mounts.status, mounts.headers.get('x-ratelimit-remaining')]).toEqual([403, '999']);
    await stop(running);
  });
});

test('the account service of dev starts with a user who can log in, and a token in the profile', async () => {
  const running = await dev();
  const { users, password } = running.ready;
  const list = words('account list --auth-method ampw_1234567890 -o json');
  expect((await at.run(list)).stdout).toContain(`"login_name": "${users.accounts}"`);
  const login = words('account login --auth-method ampw_1234567890 --login-name admin --password env://PW');
  expectExit(await at.run(login, { env: { PW: password ?? '' } }), 0);
  expect((await at.run(list)).code).toBe(0);
  await stop(running);
});

describe('dev --data', () => {
  test.each(['SIGINT', 'SIGKILL'] as const)(
    'keeps the CA, role and token over a restart after %s',
    async (signal) => {
      const first = await withRole('--data state');
      const ca = (await at.run(words('ssh ca public-key'))).stdout;
      await stop(first, signal);
      const again = await dev('--data state');
      expect(again.ready.tokens).toEqual(first.ready.tokens);
      expect(again.ready.password).toBeNull();
      const login = words('account login --auth-method ampw_1234567890 --login-name admin --no-store');
      const asked = { env: { PW: first.ready.password ?? '' } };
      expect((await at.run([...login, '--password', 'env://PW'], asked)).code).toBe(0);
      const env = { LANYARD_SECRETS_TOKEN: first.ready.tokens.secrets ?? '' };
      expect((await at.run(words('ssh role get deploy'), { env })).code).toBe(0);
      expect((await at.run(words('ssh ca public-key'))).stdout).toBe(ca);
      makeKey(at, '.ssh/id_ed25519', 'ed25519');
      expect((await at.run(words('ssh sign deploy'))).code).toBe(0);
      await stop(again);
    },
  );

  test('reports a directory in use, and does not change it', async () => {
    const first = await withRole('--data state');
    const second = await lanyardProcess(at, words('dev --port 0 --data state'));
    expectFailure(second, 1, /^error: .*state.*(in use|another)/);
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect((await at.run(words('ssh role get deploy'))).code).toBe(0);
    await stop(first);
  });

  test.each([
    ['closed to others', 0o700],
    ['open to others', 0o755],
  ])('with a directory of other files, %s, is a usage error, and changes nothing', async (_, mode) => {
    at.write('proj/images/photo.jpg', 'my only copy');
    at.write('proj/images/sub/file', 'mine');
    const { chmodSync, statSync } = await import('node:fs');
    chmodSync(at.file('proj'), mode);
    const before = at.list('proj');
    const ended = await lanyardProcess(at, words('dev --port 0 --data proj'));
    expectFailure(ended, 2, `error: cannot use ${at.file('proj')} as the data directory: it is not empty`);
    expect(ended.stderr).not.toContain('chmod');
    expect(at.list('proj')).toEqual(before);
    expect(at.read('proj/images/photo.jpg')).toBe('my only copy');
    expect(statSync(at.file('proj')).mode & 0o777).toBe(mode);
  });

  test('reports the number of removed files', async () => {
    await stop(await dev('--data state'));
    at.write(`state/lanyard-images/${'ab'.repeat(16)}.part`, 'half');
    at.write('state/lanyard-images/mine', 'mine');
    const running = await dev('--data state');
    const { stderr } = await stop(running);
    expect(stderr).toContain('Removed 1 image file no longer used from ');
    expect(at.list('state/lanyard-images')).toEqual(['state/lanyard-images/mine']);
  });

  test('reports why a directory cannot be used', async () => {
    at.write('file', 'x');
    expectFailure(await lanyardProcess(at, words('dev --port 0 --data file')), 1, at.file('file'));
    expect(at.read('file')).toBe('x');
  });

  test('stores the private key of the CA only in files with owner-only permissions', async () => {
    const running = await withRole('--data state');
    await stop(running);
    const { statSync } = await import('node:fs');
    for (const name of at.list('state')) expect(statSync(at.file(name)).mode & 0o077).toBe(0);
    for (const name of at.list('state')) {
      expect(at.read(name)).not.toContain('OPENSSH PRIVATE KEY');
      expect(at.read(name)).not.toContain(running.ready.tokens.secrets ?? 'hvs.');
    }
  });
});

test('dev with its standard output closed keeps running until a signal', async () => {
  const running = await dev();
  running.child.stdout?.destroy();
  await sleep(100);
  expect(await reachable(running.ready.addresses.secrets ?? '')).toBe(true);
  expect((await stop(running)).code).toBe(0);
});
