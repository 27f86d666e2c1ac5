import { describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  outputOf,
  quietOutputOf,
} from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at, run } = embeddedForEach({ uninitialized: true });

interface Initialized {
  readonly keys: readonly string[];
  readonly keys_base64: readonly string[];
  readonly root_token: string;
}
const init = async (flags = ''): Promise<Initialized> =>
  JSON.parse((await run(`secrets init ${flags} -o json`)).stdout);
const unseal = (key: string | undefined, flags = '') =>
  run(`secrets unseal env://KEY ${flags} -o json`, { env: { KEY: key ?? '' } });

describe('secrets init', () => {
  test('shows the unseal keys and the root token, and leaves the service sealed', async () => {
    const stdout = quietOutputOf(await run('secrets init'));
    expect(stdout).toMatch(
      /^unseal key 1\t\S{44}\nunseal key 2\t.*\n.*\n.*\nunseal key 5\t.*\nroot token\t\S+\n/,
    );
    expect(stdout).toContain('Run lanyard secrets unseal 3 times, each with another key.');
    const status = await run('secrets status');
    expect(status.stdout).toContain('unseal keys\t3 of 5 required, 0 provided');
    expect(status.code).toBe(8);
  });

  test('writes them to a new file of mode 0600, and sends nothing if the file exists', async () => {
    at.write('init.json', 'kept');
    expect((await run('secrets init --out init.json -o json')).code).not.toBe(0);
    expect((await run('secrets read sys/init --field initialized')).stdout).toBe('false\n');
    const ran = await run('secrets init --shares 1 --threshold 1 --out new.json -o json');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(at.read('new.json'))).toMatchObject({
      keys: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    });
  });

  test('is a conflict when the service is initialized', async () => {
    await init('--secret-shares 1');
    expectFailure(await run('secrets init'), 6, 'cannot initialize the secrets service: already initialized');
  });

  test('is a conflict when another client was first', async () => {
    const server = await serve(({ method }, response) => {
      if (method === 'GET') json(response, { initialized: false });
      else json(response, { errors: ['Vault is already initialized'] }, 400);
    });
    expectFailure(await run(`secrets init --address ${server.url}`), 6, 'already initialized');
  });

  test('has an unknown outcome if the response is lost, and is sent once', async () => {
    const server = await serve(({ method }, response) => {
      if (method === 'GET') json(response, { initialized: false });
      else response.destroy();
    });
    const ran = await run(`secrets init --address ${server.url}`);
    expectFailure(ran, 9, `Run \`lanyard secrets status --address ${server.url}\`.`);
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test.each([
    ['--secret-shares 0', 'invalid --secret-shares 0: expected 1 to 255'],
    ['--secret-shares 256', 'invalid --secret-shares 256: expected 1 to 255'],
    ['--secret-threshold 6', 'expected 1 to the number of shares (5)'],
    ['--secret-threshold 0', 'expected 1 to the number of shares (5)'],
    ['--shares 2 --threshold 1', 'invalid --secret-threshold 1: expected at least 2 with several shares'],
    ['--shares many', 'expected a non-negative integer'],
  ])('%s is a usage error, and nothing is sent', async (flags, message) => {
    expectFailure(await run(`secrets init ${flags}`), 2, message);
    expect((await run('secrets read sys/init --field initialized')).stdout).toBe('false\n');
  });
});

describe('secrets unseal', () => {
  test('reports the progress, until as many keys as the threshold unseal the service', async () => {
    const { keys, keys_base64: base64, root_token: token } = await init('--shares 3 --threshold 2');
    const stdout = quietOutputOf(await unseal(keys[0]));
    const { nonce, ...progress } = JSON.parse(stdout);
    expect(progress).toEqual({ state: 'sealed', threshold: 2, shares: 3, progress: 1 });
    expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse((await unseal(keys[0])).stdout)).toMatchObject({ progress: 1, nonce });
    const last = await unseal(base64[1], `--nonce ${nonce}`);
    expect(JSON.parse(last.stdout)).toEqual({
      ...{ state: 'unsealed', threshold: 2, shares: 3, progress: 0, nonce: null },
    });
    const looked = await run('secrets read auth/token/lookup-self', {
      env: { LANYARD_SECRETS_TOKEN: token },
    });
    expect(looked.code).toBe(0);
    expect((await unseal('ignored')).stdout).toContain('"state": "unsealed"');
  });

  test('prompts for the key, which is not echoed', async () => {
    const { keys } = await init('--shares 1');
    const ran = await run('secrets unseal', {
      columns: 80,
      answers: (output) => (output.includes('unseal key') ? `${keys[0]}\n` : undefined),
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('unsealed');
    expect(ran.stdout + ran.stderr).not.toContain(keys[0]);
  });

  test('rejects a key on the command line', async () => {
    const { keys } = await init('--shares 1');
    const ran = await run(`secrets unseal ${keys[0]}`);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain(keys[0]);
  });

  test('fails for a wrong key, and for one with the wrong length', async () => {
    await init('--shares 1');
    expectFailure(await unseal('00'.repeat(32)), 1, 'unseal failed: invalid key');
    expect((await unseal('c2hvcnQ=')).code).toBe(1);
  });

  test('--reset discards the keys provided so far, and --nonce protects against another attempt', async () => {
    const { keys } = await init('--shares 3 --threshold 2');
    const { nonce } = JSON.parse((await unseal(keys[0])).stdout);
    expect(JSON.parse((await run('secrets unseal --reset -o json')).stdout)).toMatchObject({ progress: 0 });
    expectFailure(await unseal(keys[1], `--nonce ${nonce}`), 6, 'no attempt is in progress');
    await unseal(keys[1]);
    expectFailure(await unseal(keys[2], `--nonce ${nonce}`), 6, 'the current attempt has nonce');
    expect((await run('secrets unseal --reset env://KEY')).code).toBe(2);
  });

  test.each([
    [true, 9, 'the service is sealed, 1 of 2 keys provided'],
    [false, 0, 'the response was lost, but the request took effect'],
  ])('after a lost response reads the state back: sealed %s is exit code %i', async (sealed, code, text) => {
    let sent = 0;
    const server = await serve(({ method }, response) => {
      if (method === 'GET')
        json(response, { initialized: true, sealed: sealed || sent === 0, t: 2, n: 3, progress: 1 });
      else {
        sent++;
        response.destroy();
      }
    });
    expectExit(await unseal('aabb', `--address ${server.url}`), code, text);
    expect(sent).toBe(1);
  });

  test('is unavailable before the service is initialized', async () => {
    expectFailure(await unseal('aa'), 8, 'lanyard secrets init');
  });

  test('hides the key in --curl', async () => {
    const { keys } = await init('--shares 1');
    const stdout = outputOf(await run('secrets unseal env://KEY --curl', { env: { KEY: keys[0] ?? '' } }));
    expect(stdout).toContain('/v1/sys/unseal');
    expect(stdout).not.toContain(keys[0]);
  });
});

describe('secrets seal', () => {
  const unsealed = async () => {
    const { keys, root_token: token } = await init('--shares 1');
    expect((await unseal(keys[0])).code).toBe(0);
    return { env: { LANYARD_SECRETS_TOKEN: token } };
  };

  test('seals after a confirmation, and does nothing when the service is sealed', async () => {
    const root = await unsealed();
    expect((await run('secrets seal', root)).code).toBe(2);
    expect((await run('secrets status')).stdout).toContain('state\tactive');
    expect(await run('secrets seal --yes', root)).toMatchObject({
      code: 0,
      stdout: 'state\tsealed\nunseal keys\t1 of 1 required, 0 provided\n',
    });
    expect((await run('secrets status')).code).toBe(8);
    expect((await run('secrets seal', root)).code).toBe(0);
  });

  test('is forbidden without sudo', async () => {
    const root = await unsealed();
    const token = JSON.parse(
      (await run('secrets write auth/token/create policies=default -o json', root)).stdout,
    ).auth.client_token;
    expect((await run('secrets seal --yes', { env: { LANYARD_SECRETS_TOKEN: token } })).code).toBe(5);
  });
});
