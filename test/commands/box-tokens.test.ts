import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Boxes, boxes } from './box-registry.ts';

let service: Boxes;
beforeEach(async () => {
  service = await boxes();
  delete service.at.env.LANYARD_BOX_ADDR;
  delete service.at.env.LANYARD_BOX_TOKEN;
  await service.run(`profile put dev box.address=${service.running.addresses.box}`);
  await service.run('profile use dev');
});
afterEach(() => service.close());

const password = 'a long password\n';
const adas = { env: { ADA: 'another password' } };
const stored = (): string =>
  existsSync(service.at.file('config/credentials.json')) ? service.at.read('config/credentials.json') : '';
/** The code that the service showed last. */
const shownCode = (): string => /\d{4,}/.exec(service.printed.at(-1) ?? '')?.[0] ?? '';
const logIn = (more = '') =>
  service.run(`box token create --login dev --password -${more}`, { stdin: password });

describe('box token create', () => {
  test('stores the token with the profile, and later calls use it', async () => {
    const { code, stdout, stderr } = await logIn();
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('Made a token of dev.\nThe token is stored with the profile dev, in a file.\n');
    const check = await service.run('box token check');
    expect([check.code, check.stdout]).toEqual([
      0,
      'The token from profile dev is valid; it is one of dev.\n',
    ]);
    expect((await service.run('box create dev/web')).code).toBe(0);
  });

  test('says nothing of the secret but with --no-store', async () => {
    const data = await service.json('box token create --login dev --password - --description laptop', {
      stdin: password,
    });
    expect(data).toEqual({
      ...{ profile: 'dev', stored: 'file', login: 'dev', description: 'laptop' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const before = stored();
    const printed = await logIn(' --no-store');
    expect(printed.stdout).toMatch(/^\S{20,}\n$/);
    expect(stored()).toBe(before);
    const whole = await service.json('box token create --login dev --password - --no-store', {
      stdin: password,
    });
    expect(whole).toMatchObject({ token: expect.any(String), token_hash: expect.any(String) });
  });

  test('takes the email address, and masks the token in a CI service', async () => {
    const { code, stdout, stderr } = await service.run(
      'box token create --login dev@example.com --password env://PW --no-store',
      { env: { PW: 'a long password', GITHUB_ACTIONS: 'true' } },
    );
    expect(code).toBe(0);
    expect(stderr).toContain(`::add-mask::${stdout.trim()}`);
  });

  test('asks for what is not given', async () => {
    const { code, stderr } = await service.run('box token create', {
      columns: 80,
      answers: (said) =>
        said.includes('user name') ? 'dev\n' : said.includes('password') ? password : undefined,
    });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('long');
  });

  test('asks for a code when the service wants one, and has it sent', async () => {
    const { code, stdout, stderr } = await service.run('box token create --login ada --password env://ADA', {
      ...adas,
      columns: 80,
      answers: (said) => (said.includes('two-factor code') ? `${shownCode()}\n` : undefined),
    });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/a code is on its way to .*5678/);
    expect(stdout).toContain('Made a token of ada.');
    expect(stderr).not.toContain(shownCode());
  });

  test('takes a code that was sent before', async () => {
    const asked = await service.run('box request-code --login ada --password env://ADA', adas);
    expect([asked.code, asked.stdout]).toEqual([
      0,
      expect.stringMatching(/^A code is on its way to .*5678\.\n$/),
    ]);
    const { code } = await service.run(
      'box token create --login ada --password env://ADA --code - --no-store',
      { ...adas, stdin: `${shownCode()}\n` },
    );
    expect(code).toBe(0);
  });

  test('says without a terminal that a code is required, and how to get one', async () => {
    const { code, stderr } = await service.run('box token create --login ada --password env://ADA', adas);
    expect(code).toBe(4);
    expect(stderr).toContain('the account has two factors, and the box registry wants a code (406)');
    expect(stderr).toContain('Codes come by sms.');
    expect(stderr).toContain('Give it with --code SRC; "lanyard box request-code" has one sent.');
  });

  test.each([
    ['dev', 'wrong', '', 'does not accept the login or the password (401)'],
    ['nobody', 'wrong', '', 'does not accept the login or the password (401)'],
    ['ada', 'another password', ' --code env://CODE', 'the code'],
  ])('of %s with a wrong proof is not authenticated, and stores nothing', async (login, PW, more, why) => {
    const { code, stderr } = await service.run(
      `box token create --login ${login} --password env://PW${more}`,
      { env: { PW, CODE: '000000' } },
    );
    expect([code, stderr]).toEqual([4, expect.stringContaining(why)]);
    expect(stderr).not.toContain(PW);
    expect(stored()).toBe('');
  });

  test('makes no token that it could not store', async () => {
    await service.run('profile delete dev --yes');
    const { code, stderr } = await logIn(` --address ${service.running.addresses.box}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /cannot store the token: no profile is active[\s\S]*--no-store prints the token instead/,
    );
  });

  test('takes no password from the command line', async () => {
    const { code, stderr } = await service.run('box token create --login dev --password hunter2');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not accepted on the command line')]);
    expect(stderr).not.toContain('hunter2');
  });

  test('shows the request without secrets with --dry-run and --curl', async () => {
    const dry = await logIn(' --dry-run');
    expect(dry.stdout).toMatch(/request\tPOST http:\S+\/api\/v1\/authenticate\n/);
    expect(dry.stdout).toContain('"login": "dev"');
    const curl = await logIn(' --curl');
    expect(curl.stdout).toContain('--request POST');
    expect(dry.stdout + curl.stdout).not.toContain('a long password');
    expect(stored()).toBe('');
    const code = await service.run('box request-code --login ada --password env://ADA --dry-run', adas);
    expect(code.stdout).toMatch(/request\tPOST http:\S+\/api\/v1\/two-factor\/request-code\n/);
    expect(code.stdout).not.toContain('another password');
    expect(service.printed).toEqual([]);
  });
});

describe('box request-code', () => {
  test('says that the login or the password is wrong', async () => {
    const { code, stderr } = await service.run('box request-code --login ada --password env://PW', {
      env: { PW: 'wrong' },
    });
    expect([code, stderr]).toEqual([4, expect.stringContaining('the login or the password (401)')]);
  });

  test('gives the destination as data', async () => {
    const data = await service.json('box request-code --login ada --password env://ADA', adas);
    expect(data).toEqual({ two_factor: { obfuscated_destination: expect.stringContaining('5678') } });
  });
});

describe('box token check', () => {
  test('tells no token, one that is not valid, and a service that cannot be asked', async () => {
    const none = await service.run('box token check');
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('no token for the box registry')]);
    const wrong = await service.run('box token check', { env: { LANYARD_BOX_TOKEN: 'nope' } });
    expect([wrong.code, wrong.stderr]).toEqual([
      4,
      expect.stringContaining('the box registry does not accept the token (401)'),
    ]);
    const away = await service.run('box token check --address http://127.0.0.1:9', {
      env: { LANYARD_BOX_TOKEN: 'nope' },
    });
    expect(away.code).toBe(7);
    expect(
      (await service.run('box token check --curl', { env: { LANYARD_BOX_TOKEN: 'x' } })).stdout,
    ).toContain('/api/v1/authenticate');
  });

  test('gives what the service says as data', async () => {
    await logIn();
    expect(await service.json('box token check')).toEqual({ user: { username: 'dev' } });
  });
});

describe('box token delete', () => {
  test('asks, deletes the token, and forgets it', async () => {
    await logIn();
    const unasked = await service.run('box token delete');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const dry = await service.run('box token delete --dry-run');
    expect(dry.stdout).toMatch(/request\tDELETE http:\S+\/api\/v1\/authenticate\n/);
    expect((await service.run('box token check')).code).toBe(0);

    const { code, stdout } = await service.run('box token delete --yes');

    expect([code, stdout]).toEqual([0, 'The token from profile dev is deleted and forgotten.\n']);
    expect((await service.run('box token check')).stderr).toContain('no token for the box registry');
    expect((await service.run('box token delete --yes')).code).toBe(4);
  });

  test('gives data, and forgets no token that it did not store', async () => {
    const token = (await logIn(' --no-store')).stdout.trim();
    const env = { LANYARD_BOX_TOKEN: token };
    expect(await service.json('box token delete --yes', { env })).toEqual({
      ...{ from: 'LANYARD_BOX_TOKEN', deleted: true, forgotten: false },
    });
    expect((await service.run('box token check', { env })).code).toBe(4);
  });

  test('forgets a token that the service does not know, keeps it when the service is away', async () => {
    await logIn();
    const { box } = service.running.addresses;
    await service.running.close();
    const away = await service.run('box token delete --yes');
    expect(away.code).toBe(7);
    expect(stored()).not.toBe('{}');

    const other = await boxes();
    await service.run(`profile put dev box.address=${other.running.addresses.box}`);
    expect(other.running.addresses.box).not.toBe(box);
    const unknown = await service.run('box token delete --yes');
    await other.close();

    expect([unknown.code, unknown.stderr]).toEqual([
      4,
      expect.stringContaining('does not accept the token (401); it is forgotten'),
    ]);
    expect((await service.run('box token check')).stderr).toContain('no token');
  });
});

describe('status', () => {
  test.each([
    ['of the start', 'valid'],
    ['that nobody has', 'not accepted'],
  ])('knows whether a token %s is %s', async (which, token) => {
    const value = which === 'of the start' ? service.running.embedded.boxToken : 'nope';
    const found = await service.json<{ service: string; token: string }[]>('status', {
      env: { LANYARD_BOX_TOKEN: value },
    });
    expect(found.find(({ service: name }) => name === 'box')?.token).toBe(token);
    const { stdout } = await service.run('status', { env: { LANYARD_BOX_TOKEN: value } });
    expect(stdout).toMatch(new RegExp(`^box\\t.*\\t${token}\\t`, 'm'));
  });
});
