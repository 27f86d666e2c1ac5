import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../support.ts';
import { boxes } from './support.ts';

const ada = { login: 'ada', password: 'correct horse' };
const bob = { login: 'bob', password: 'battery staple' };

describe('a token', () => {
  test('is made of login and password, checked, and deleted', async () => {
    const { ask, json } = await boxes();
    const made = await json('POST', 'authenticate', { user: ada, token: { description: 'laptop' } }, null);
    expect(made).toEqual({
      description: 'laptop',
      token: expect.stringMatching(/^\w{43}$/),
      token_hash: createHash('sha256').update(made.token).digest('hex'),
      created_at: '2026-01-02T12:00:00.000Z',
    });
    expect((await ask('GET', 'authenticate', undefined, made.token)).status).toBe(200);
    const deleted = await ask('DELETE', 'authenticate', undefined, made.token);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await ask('GET', 'authenticate', undefined, made.token)).status).toBe(401);
    expect((await ask('DELETE', 'authenticate', undefined, made.token)).status).toBe(401);
  });

  test('may be created with the email address', async () => {
    const { json } = await boxes();
    const made = await json('POST', 'authenticate', { user: { ...ada, login: 'ada@example.org' } }, null);
    expect(made).toMatchObject({ description: '' });
    expect(await json('GET', 'authenticate', undefined, made.token)).toEqual({ user: { username: 'ada' } });
  });

  test('is not created with a wrong password, an invalid login, or for a user without a password', async () => {
    const { rejected } = await boxes();
    const wrong = '401 Invalid login or password';
    const log = (user: unknown) => rejected('POST', 'authenticate', { user }, null);
    expect(await log({ ...ada, password: 'x' })).toEqual(wrong);
    expect(await log({ ...ada, login: 'missing' })).toEqual(wrong);
    expect(await log({ ...ada, login: 'team' })).toEqual(wrong);
    expect(await log({ login: 'eve', password: '' })).toBe('403 user.password is required');
    expect(await log({ login: 'eve', password: 'x' })).toEqual(wrong);
    expect(await log({ password: 'x' })).toBe('403 user.login is required');
    expect(await log(undefined)).toBe('403 user.login is required');
    expect(await log({ login: 1, password: 'x' })).toBe('403 user.login must be a string');
  });

  test('is stored as a hash, like a password', async () => {
    const data = await folder();
    const { close, login } = await boxes({ dataDirectory: data });
    const token = await login('ada', 'correct horse');
    await close();
    const kept = await readFile(join(data, 'lanyard.db'), 'latin1');
    expect(kept).toContain('ada@example.org');
    for (const secret of [token, 'correct horse']) expect(kept).not.toContain(secret);
  });
});

describe('two-factor authentication', () => {
  test('requires a code, which is printed where the registry was started, and accepts it once', async () => {
    const { ask, json, rejected, printed } = await boxes();
    const asked = await ask('POST', 'authenticate', { user: bob }, null);
    expect([asked.status, asked.json]).toEqual([
      406,
      {
        errors: ['Two-factor authentication is on; a code is required'],
        success: false,
        two_factor: { default_delivery_method: 'sms', delivery_methods: ['sms'] },
      },
    ]);
    const wanted = { two_factor: { delivery_method: 'sms' }, user: bob };
    expect(await json('POST', 'two-factor/request-code', wanted, null)).toEqual({
      two_factor: { obfuscated_destination: 'number ending in 0123' },
    });
    expect(printed).toEqual([expect.stringMatching(/^The code for bob is \d{6}$/)]);
    const code = printed[0]?.slice(-6);
    const { token } = await json('POST', 'authenticate', { user: bob, two_factor: { code } }, null);
    expect(await json('GET', 'authenticate', undefined, token)).toEqual({ user: { username: 'bob' } });
    expect(await rejected('POST', 'authenticate', { user: bob, two_factor: { code } }, null)).toBe(
      '401 Invalid two-factor code',
    );
  });

  test('does not reveal whether it is on, and sends no code, without the password', async () => {
    const { rejected, printed } = await boxes();
    const user = { ...bob, password: 'x' };
    const wrong = '401 Invalid login or password';
    expect(await rejected('POST', 'authenticate', { user }, null)).toEqual(wrong);
    const wanted = { two_factor: { delivery_method: 'sms' }, user };
    expect(await rejected('POST', 'two-factor/request-code', wanted, null)).toEqual(wrong);
    expect(printed).toEqual([]);
  });

  test('sends codes only by sms, and to users who have it on', async () => {
    const { rejected } = await boxes();
    const request = (delivery_method: string | undefined, user: unknown) =>
      rejected('POST', 'two-factor/request-code', { two_factor: { delivery_method }, user }, null);
    expect(await request('post', bob)).toBe(
      '403 two_factor.delivery_method must be sms: no other one is supported',
    );
    expect(await request(undefined, bob)).toBe('403 two_factor.delivery_method is required');
    expect(await request('sms', ada)).toBe('403 Two-factor authentication is off for ada');
  });

  test('a code is invalid after five minutes, after the next one, and after five wrong ones', async () => {
    const { ask, json, printed, pass } = await boxes();
    const send = async () => {
      await json(
        'POST',
        'two-factor/request-code',
        { two_factor: { delivery_method: 'sms' }, user: bob },
        null,
      );
      return printed.at(-1)?.slice(-6) ?? '';
    };
    const use = async (code: string) =>
      (await ask('POST', 'authenticate', { user: bob, two_factor: { code } }, null)).status;
    const late = await send();
    pass(300);
    expect(await use(late)).toBe(401);
    const earlier = await send();
    const later = await send();
    expect([await use(earlier), await use(later)]).toEqual([401, 200]);
    const guessed = await send();
    for (let guess = 0; guess < 5; guess++) expect(await use('wrong')).toBe(401);
    expect(await use(guessed)).toBe(401);
  });
});
