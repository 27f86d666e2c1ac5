import { describe, expect, test } from 'vitest';
import {
  expectFailure,
  expectOutput,
  homeForAll,
  jsonLines,
  quietOutputOf,
} from '../../support/command-tests.ts';
import { json, type TestServer } from '../../unit/api/support.ts';
import { type Account, id, method, reject, runAt, shelf } from './shelf.ts';

const at = homeForAll();
const run = runAt(at);

const account = (n: number, more: object = {}): Account => ({
  id: id(n),
  version: 1,
  type: 'password',
  auth_method_id: method,
  attributes: { login_name: `user-${n}` },
  updated_time: '2026-11-20T10:00:00Z',
  ...more,
});

type Page = Readonly<Record<string, unknown>>;

/** A list with a page per token; the first page has no token. */
const book = (pages: Readonly<Record<string, Page>>): Promise<TestServer> =>
  shelf([], ({ url }, response) => {
    const token = new URLSearchParams(url.split('?')[1]).get('list_token') ?? '';
    const page = pages[token];
    if (page) json(response, page);
    else
      reject(response, 400, 'InvalidArgument', 'Error in provided request.', [
        { name: 'list_token', description: 'The list token could not be parsed.' },
      ]);
  });

const three = {
  '': { items: [account(3), account(2)], response_type: 'delta', list_token: 'one', est_item_count: 3 },
  one: { items: [account(1)], response_type: 'complete', list_token: 'end', est_item_count: 3 },
};
const list = ['list', '--auth-method', method];

describe('account list', () => {
  test('follows the list token until the list is complete', async () => {
    const server = await book(three);
    expect(quietOutputOf(await run(server, list))).toBe(
      [3, 2, 1].map((n) => `${id(n)}\tuser-${n}\t-\tpassword\t1\t2026-11-20 10:00:00 UTC\n`).join(''),
    );
    expect(server.seen.map(({ url }) => url)).toEqual([
      `/v1/accounts?auth_method_id=${method}`,
      `/v1/accounts?auth_method_id=${method}&list_token=one`,
    ]);
  });

  test('is a table with a header on a terminal', async () => {
    const { stdout } = await run(await book(three), [...list, '--no-color'], { columns: 120 });
    expect(stdout).toMatch(/^ID +LOGIN OR SUBJECT +NAME +TYPE +VERSION +UPDATED\n/);
  });

  test('returns all pages as one with the last list token as JSON', async () => {
    const { stdout } = await run(await book(three), [...list, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      items: [account(3), account(2), account(1)],
      response_type: 'complete',
      list_token: 'end',
      est_item_count: 3,
      removed_ids: [],
    });
  });

  test('prints the list token with --verbose', async () => {
    const { stderr } = await run(await book(three), [...list, '-v']);
    expect(stderr).toContain('To list later changes, run the command again with --since end');
  });

  test('sends filter and page size', async () => {
    const server = await book({ '': { response_type: 'complete' } });
    const filter = '"/item/attributes/login_name" == "bob"';
    expectOutput(await run(server, [...list, '--filter', filter, '--page-size', '5']), '');
    const query = new URLSearchParams(server.seen[0]?.url.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({ auth_method_id: method, filter, page_size: '5' });
  });

  test('handles accounts that are deleted or changed between two pages', async () => {
    const server = await book({
      '': { items: [account(3), account(2)], response_type: 'delta', list_token: 'one' },
      one: { items: [account(3, { version: 2 })], removed_ids: [id(2)], response_type: 'complete' },
    });
    const { stdout } = await run(server, [...list, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ id: id(3), version: 2 }], removed_ids: [id(2)] });
  });

  test('with --since lists new, changed and removed accounts, and the next token', async () => {
    const server = await book({
      end: {
        items: [account(4), account(1, { version: 2 })],
        removed_ids: [id(3)],
        response_type: 'complete',
        list_token: 'later',
      },
    });
    expect(await run(server, [...list, '--since', 'end'])).toEqual({
      code: 0,
      stdout: [
        `new\t${id(4)}\tuser-4\t-\tpassword\t1\t2026-11-20 10:00:00 UTC\n`,
        `changed\t${id(1)}\tuser-1\t-\tpassword\t2\t2026-11-20 10:00:00 UTC\n`,
        `removed\t${id(3)}\t\t\t\t\t\n`,
      ].join(''),
      stderr: 'To list later changes, run the command again with --since later\n',
    });
    const lines = await run(server, [...list, '--since', 'end', '-o', 'jsonl', '-q']);
    expect(lines.stderr).toBe('');
    expect(jsonLines(lines.stdout)).toEqual([
      account(4),
      account(1, { version: 2 }),
      { id: id(3), removed: true },
    ]);
  });

  test('writes each page as it arrives with -o jsonl', async () => {
    const server = await book({ '': three[''], one: { response_type: 'delta', list_token: 'none' } });
    const ran = await run(server, [...list, '-o', 'jsonl']);
    expect(ran.code).toBe(1);
    expect(jsonLines(ran.stdout).map((each) => each.id)).toEqual([id(3), id(2)]);
    expect(JSON.parse(ran.stderr).error.messages).toContain(
      'list_token: The list token could not be parsed.',
    );
  });

  test('writes each removed account once if several pages contain it', async () => {
    const removed_ids = [id(7), id(8)];
    const server = await book({
      end: { items: [account(3)], removed_ids, response_type: 'delta', list_token: 'one' },
      one: {
        items: [account(2)],
        removed_ids: [...removed_ids, id(9)],
        response_type: 'complete',
        list_token: null,
      },
    });
    const stdout = quietOutputOf(await run(server, [...list, '--since', 'end', '-o', 'jsonl']));
    const lines = jsonLines(stdout);
    expect(lines).toEqual([
      account(3),
      ...removed_ids.map((each) => ({ id: each, removed: true })),
      account(2),
      { id: id(9), removed: true },
    ]);
  });

  test('reports how to continue after the written pages', async () => {
    const server = await shelf([], ({ url }, response) => {
      if (!url.includes('list_token')) json(response, three['']);
      else {
        response.setHeader('Retry-After', '29');
        reject(response, 429, 'ResourceExhausted', 'Resource exhausted: rate limit exceeded.');
      }
    });
    const ran = await run(server, [...list, '-o', 'jsonl']);
    expect(ran.code).toBe(8);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(JSON.parse(ran.stderr).error.hint).toBe(
      'Try again in 29 s. To list the rest, run the command again with --since one',
    );
    const text = await run(server, list);
    expect(text).toMatchObject({ code: 8, stdout: '' });
    expect(text.stderr).not.toContain('--since');
  });

  test.each(['grants have changed since list token was issued', 'list token was expired'])(
    'with an error "%s", suggests to run without --since',
    async (message) => {
      const server = await shelf([], (_seen, response) =>
        reject(response, 400, 'invalid list token', message),
      );
      const ran = await run(server, [...list, '--since', 'end']);
      expectFailure(ran, 1, 'invalid or expired list token (400)', message);
      expect(ran.stderr).toContain('Run the command again without --since');
    },
  );

  test('writes nothing to standard output if a later page fails', async () => {
    const server = await book({ '': three[''] });
    expect(await run(server, [...list, '-o', 'json'])).toMatchObject({ code: 1, stdout: '' });
  });

  test.each([{ response_type: 'delta' }, { response_type: 'delta', list_token: 'one' }])(
    'does not loop forever after %j',
    async (page) => {
      const server = await book({ '': three[''], one: page });
      expectFailure(await run(server, list), 1, 'the list is incomplete, but has no next page');
      expect(server.seen).toHaveLength(2);
    },
  );

  test('without an auth method, and without a primary one, lists nothing', async () => {
    const server = await book(three);
    expectFailure(await run(server, 'list'), 2, '--auth-method is required');
    expect(server.seen.every(({ url }) => url.startsWith('/v1/auth-methods?'))).toBe(true);
  });

  test.each([
    [[...list, '--page-size', '0'], 'invalid --page-size 0: expected at least 1'],
    [[...list, '--page-size', '-1'], '--page-size'],
    [[...list, '--since', ''], 'invalid --since "": expected a list token'],
  ])('rejects %j', async (argv, text) => {
    const server = await book(three);
    expectFailure(await run(server, argv), 2, text);
    expect(server.seen).toEqual([]);
  });

  test.each([
    [401, 'Unauthenticated', 'Unauthenticated, or invalid token.', 4],
    [403, 'PermissionDenied', 'Forbidden.', 5],
    [404, 'NotFound', 'Resource not found.', 3],
    [400, 'InvalidArgument', 'This field could not be parsed.', 1],
  ])('reports an error %i %s', async (status, kind, message, code) => {
    const server = await shelf([], (_seen, response) => reject(response, status, kind, message));
    expectFailure(await run(server, list), code, message);
  });

  test('reports a missing auth method by name', async () => {
    const server = await shelf([], (_seen, response) =>
      reject(response, 404, 'NotFound', 'Resource not found.'),
    );
    expect((await run(server, list)).stderr).toContain('auth method "ampw_1234567890" not found');
  });
});
