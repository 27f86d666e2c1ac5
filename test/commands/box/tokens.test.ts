import { beforeEach, describe, expect, test } from 'vitest';
import { expectExit, expectFailure, outputOf, storedTokens } from '../../support/command-tests.ts';
import { boxes, boxesForEach } from './registry.ts';

const service = boxesForEach();
beforeEach(async () => {
  delete service.at.env.LANYARD_BOX_ADDR;
  delete service.at.env.LANYARD_BOX_TOKEN;
  await service.run(`profile put dev box.address=${service.running.addresses.box}`);
  await service.run('profile use dev');
});

const password = 'a long password\n';
const adas = { env: { ADA: 'another password' } };
const stored = () => storedTokens(service.at);
/** The last code printed by the service. */
const shownCode = (): string => /\d{4,}/.exec(service.printed.at(-1) ?? '')?.[0] ?? '';
const logIn = (more = '') =>
  service.run(`box token create --login dev --password -${more}`, { stdin: password });

describe('box token create', () => {
  test('stores the token with the profile, and later requests use it', async () => {
    const stdout = outputOf(await logIn());
    expect(stdout).toBe('Logged in as dev.\nStored the token with profile dev, in a file.\n');
    const check = await service.run('box token check');
    expect(check.code, check.stderr).toBe(0);
    expect(check.stdout).toBe('The token from profile dev is valid and belongs to dev.\n');
    expect((await service.run('box create dev/web')).code).toBe(0);
  });

  test('prints the secret only with --no-store', async () => {
    const data = await service.json('box token create --login dev --password - --description laptop', {
      stdin: password,
    });
    expect(data).toEqual({
      profile: 'dev',
      stored: 'file',
      login: 'dev',
      description: 'laptop',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const before = stored();
    expect((await logIn(' --no-store')).stdout).toMatch(/^\S{20,}\n$/);
    expect(stored()).toBe(before);
    const whole = await service.json('box token create --login dev --password - --no-store', {
      stdin: password,
    });
    expect(whole).toMatchObject({ token: expect.any(String), token_hash: expect.any(String) });
  });

  test('accepts an email address, and masks the token in a CI service', async () => {
    const ran = await service.run('box token create --login dev@example.com --password env://PW --no-store', {
      env: { PW: 'a long password', GITHUB_ACTIONS: 'true' },
    });
    expectExit(ran, 0, `::add-mask::${ran.stdout.trim()}`);
  });

  test('prompts for missing values', async () => {
    const ran = await service.run('box token create', {
      columns: 80,
      answers: (output) =>
        output.includes('user name') ? 'dev\n' : output.includes('password') ? password : undefined,
    });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('long');
  });

  test('requests a code and prompts for it if the service requires one', async () => {
    const ran = await service.run('box token create --login ada --password env://ADA', {
      ...adas,
      columns: 80,
      answers: (output) => (output.includes('two-factor code') ? `${shownCode()}\n` : undefined),
    });
    expectExit(ran, 0, /sent a code to .*5678/);
    expect(ran.stdout).toContain('Logged in as ada.');
    expect(ran.stderr).not.toContain(shownCode());
  });

  test('gives the destination of a code as data', async () => {
    const sent = await service.run('box request-code --login ada --password env://ADA -o json', adas);
    expect(JSON.parse(sent.stdout)).toMatchObject({
      two_factor: { obfuscated_destination: expect.stringContaining('5678') },
    });
  });

  test('accepts a code that was requested before', async () => {
    const stdout = outputOf(await service.run('box request-code --login ada --password env://ADA', adas));
    expect(stdout).toMatch(/^Sent a code to .*5678\.\n$/);
    const ran = await service.run('box token create --login ada --password env://ADA --code - --no-store', {
      ...adas,
      stdin: `${shownCode()}\n`,
    });
    expect(ran.code).toBe(0);
  });

  test('reports a required code without a terminal, with a hint how to get one', async () => {
    const ran = await service.run('box token create --login ada --password env://ADA', adas);
    expectFailure(ran, 4, 'cannot log in: a two-factor code is required (406)', 'Delivery methods: sms');
    expect(ran.stderr).toContain('Run `lanyard box request-code` to get a code, and pass it with --code.');
  });

  test.each([
    ['dev', 'wrong', '', 'rejected the login or password (401)'],
    ['missing', 'wrong', '', 'rejected the login or password (401)'],
    ['ada', 'another password', ' --code env://CODE', 'rejected the login, password or code (401)'],
  ])('of %s with wrong credentials exits with 4, and stores nothing', async (login, PW, more, why) => {
    const ran = await service.run(`box token create --login ${login} --password env://PW${more}`, {
      env: { PW, CODE: '000000' },
    });
    expectFailure(ran, 4, why);
    expect(ran.stderr).not.toContain(PW);
    expect(stored()).toBe('');
  });

  test('creates no token that it cannot store', async () => {
    await service.run('profile delete dev --yes');
    const ran = await logIn(` --address ${service.running.addresses.box}`);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /cannot store the token: no profile is active[\s\S]*--no-store prints the token instead/,
    );
  });

  test('rejects a password on the command line', async () => {
    const ran = await service.run('box token create --login dev --password hunter2');
    expectFailure(ran, 2, 'not accepted on the command line');
    expect(ran.stderr).not.toContain('hunter2');
  });
});

describe('box request-code', () => {
  test('reports a wrong login or password', async () => {
    const ran = await service.run('box request-code --login ada --password env://PW', {
      env: { PW: 'wrong' },
    });
    expectFailure(ran, 4, 'the login or password (401)');
  });

  test('returns the destination as data', async () => {
    const data = await service.json('box request-code --login ada --password env://ADA', adas);
    expect(data).toEqual({ two_factor: { obfuscated_destination: expect.stringContaining('5678') } });
  });
});

describe('box token check', () => {
  test('distinguishes a missing token, an invalid one and an unreachable service', async () => {
    expectFailure(await service.run('box token check'), 4, 'no token for the box registry');
    const wrong = await service.run('box token check', { env: { LANYARD_BOX_TOKEN: 'nope' } });
    expectFailure(wrong, 4, 'the token in LANYARD_BOX_TOKEN is not valid');
    const away = await service.run('box token check --address http://127.0.0.1:9', {
      env: { LANYARD_BOX_TOKEN: 'nope' },
    });
    expect(away.code).toBe(7);
    expect(
      (await service.run('box token check --curl', { env: { LANYARD_BOX_TOKEN: 'x' } })).stdout,
    ).toContain('/api/v1/authenticate');
  });

  test('returns the response of the service as data', async () => {
    await logIn();
    expect(await service.json('box token check')).toEqual({ user: { username: 'dev' } });
  });
});

describe('box token delete', () => {
  test('prompts, deletes the token, and removes it', async () => {
    await logIn();
    expectFailure(await service.run('box token delete'), 2, '--yes');
    const dry = await service.run('box token delete --dry-run');
    expect(dry.stdout).toMatch(/request\tDELETE http:\S+\/api\/v1\/authenticate\n/);
    expect((await service.run('box token check')).code).toBe(0);

    const stdout = outputOf(await service.run('box token delete --yes'));
    expect(stdout).toBe('Deleted the token from profile dev and removed it.\n');
    expect((await service.run('box token check')).stderr).toContain('no token for the box registry');
    expect((await service.run('box token delete --yes')).code).toBe(4);
  });

  test('returns data, and removes no token that it did not store', async () => {
    const token = (await logIn(' --no-store')).stdout.trim();
    const env = { LANYARD_BOX_TOKEN: token };
    expect(await service.json('box token delete --yes', { env })).toEqual({
      from: 'LANYARD_BOX_TOKEN',
      deleted: true,
      forgotten: false,
    });
    expect((await service.run('box token check', { env })).code).toBe(4);
  });

  test('removes a token that the service does not know, and keeps it if the service is unreachable', async () => {
    await logIn();
    const { box } = service.running.addresses;
    await service.running.close();
    expect((await service.run('box token delete --yes')).code).toBe(7);
    expect(stored()).not.toBe('{}');

    const other = await boxes();
    await service.run(`profile put dev box.address=${other.running.addresses.box}`);
    expect(other.running.addresses.box).not.toBe(box);
    const unknown = await service.run('box token delete --yes');
    await other.close();

    expectFailure(unknown, 4, 'belongs to another cluster (401); the stored token was removed');
    expect((await service.run('box token check')).stderr).toContain('no token');
  });
});

describe('status', () => {
  test.each([
    ['of dev', 'valid'],
    ['unknown to the service', 'not accepted'],
  ])('shows that a token %s is %s', async (which, token) => {
    const value = which === 'of dev' ? service.running.embedded.boxToken : 'nope';
    const found = await service.json<{ service: string; token: string }[]>('status', {
      env: { LANYARD_BOX_TOKEN: value },
    });
    expect(found.find(({ service: name }) => name === 'box')?.token).toBe(token);
    const { stdout } = await service.run('status', { env: { LANYARD_BOX_TOKEN: value } });
    expect(stdout).toMatch(new RegExp(`^box\\t.*\\t${token}\\t`, 'm'));
  });
});
