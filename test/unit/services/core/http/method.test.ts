import { describe, expect, test } from 'vitest';
import { head, type Reply, raw, rootToken, start } from '../../support.ts';

/** The requests as the engine sees them, `list echo/x`, or their status. */
const seen = (replies: readonly Reply[]) =>
  replies.map(({ status, json }) => {
    const data = json?.data as { operation: string; path: string } | undefined;
    return data ? `${data.operation} ${data.path}` : status;
  });

const echo = '/v1/shelf/echo/x';
const list = head('LIST', echo);
const scan = head('SCAN', echo);
const recover = head('RECOVER', echo, { 'X-Secrets-Recover-Snapshot-Id': 's1' });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('LIST, SCAN and RECOVER on the wire', () => {
  test.each([
    ['list', list],
    ['scan', scan],
    ['recover', recover],
  ])('%s is recognized in one packet, byte by byte, and split anywhere', async (operation, request) => {
    const { addresses } = await start();
    const splits = Array.from({ length: 9 }, (_, at) => [request.slice(0, at + 1), request.slice(at + 1)]);
    for (const pieces of [[request], [...request], ...splits])
      expect(seen(await raw(addresses.secrets, pieces)), pieces[0]).toEqual([`${operation} echo/x`]);
  });

  const post = head('POST', echo, { 'Content-Length': '7' });
  const chunked = head('POST', echo, { 'Transfer-Encoding': 'chunked' });

  test.each<[string, readonly string[], readonly (string | number)[]]>([
    [
      'are recognized repeatedly on one connection, after every kind of body',
      [
        ...[list, `${post}{"a":1}`, list, `${chunked}7\r\n{"a":1}\r\n0\r\n\r\n`, scan, recover],
        ...[head('GET', echo), '\r\n', list, `${post}{"a`, '":1}', list],
      ],
      [
        ...['list echo/x', 'update echo/x', 'list echo/x', 'update echo/x', 'scan echo/x', 'recover echo/x'],
        ...['read echo/x', 'list echo/x', 'update echo/x', 'list echo/x'],
      ],
    ],
    ['are rejected, never misread, in a packet after another request', [list + list], ['list echo/x', 400]],
    ['are rejected in a packet after GET', [head('GET', echo) + recover], ['read echo/x', 400]],
    ['do not change LINK in the same packet', [list + head('LINK', echo)], ['list echo/x', 405]],
    ['do not change GET in the same packet', [list + head('GET', echo)], ['list echo/x', 'read echo/x']],
    ['differ from LINK', [head('LINK', echo), list], [405, 'list echo/x']],
    ['differ from REPORT', [head('REPORT', echo), list], [405, 'list echo/x']],
    ['differ from REPORT and a space', [head('REPORT ', echo), list], [405, 'list echo/x']],
    [
      'are not read from header bytes when a pipelined request ends in its head',
      [head('GET', echo) + head('LINK', echo, { 'X-Secrets-Note': '' }).slice(0, -4), 'LIST \r\n\r\n'],
      ['read echo/x', 405],
    ],
    [
      'do not wait: the response to a running request precedes the error for what follows',
      [`${head('GET', '/v1/shelf/slow')}nonsense\r\n\r\n`, ''],
      ['read slow', 400],
    ],
  ])('%s', async (_, pieces, expected) => {
    const { addresses } = await start();
    expect(seen(await raw(addresses.secrets, pieces, expected.length))).toEqual(expected);
  });

  test('do not change a body that looks like one of them', async () => {
    const { addresses } = await start();
    for (const value of ['LIST /v1/shelf/echo/x HTTP/1.1', 'RECOVER /x HTTP/1.1']) {
      const body = `${value}=LIST /`;
      const announced = head('POST', echo, { 'Content-Length': String(body.length), ...form });
      const [first, second] = await raw(addresses.secrets, [announced, body, list], 2);
      expect(first?.json?.data).toMatchObject({ operation: 'update', data: { [value]: 'LIST /' } });
      expect(second?.json?.data).toMatchObject({ operation: 'list' });
    }
  });

  test('do not change a chunked body whose chunks look like one of them', async () => {
    const { addresses } = await start();
    const announced = head('POST', echo, { 'Transfer-Encoding': 'chunked', ...form });
    const chunks = ['7\r\n', 'LIST /=', '\r\n5\r\n', 'LIST ', '\r\n0\r\n\r\n'];
    const [first] = await raw(addresses.secrets, [announced, ...chunks]);
    expect(first?.json?.data).toMatchObject({ data: { 'LIST /': 'LIST ' } });
  });

  test('do not change a header that starts a packet with one of them', async () => {
    const { addresses } = await start();
    const [first] = await raw(addresses.secrets, [
      `GET ${echo} HTTP/1.1\r\nHost: localhost\r\nX-Secrets-Token: ${rootToken}\r\nX-Secrets-Note: `,
      'LIST RECOVER \r\n\r\n',
    ]);
    expect(first?.json?.data).toMatchObject({ operation: 'read', headers: { note: 'LIST RECOVER' } });
  });

  test.each([
    [400, 'LISTS LISP LIST/v1 RECOVERY RECOVER/ list LI'],
    [405, 'RECORT RECOVE SEARCH SUBSCRIBE LOCK'],
  ])('differ from similar words: %i', async (status, words) => {
    const { addresses } = await start();
    for (const method of words.split(' '))
      expect(seen(await raw(addresses.secrets, [head(method, echo)])), method).toEqual([status]);
  });

  test.each([
    ['registry', '/v1/status/leader'],
    ['box', '/api/v1/search'],
    ['scheduler', '/v1/agent/health'],
    ['accounts', '/health'],
  ] as const)('are 405 on the service %s', async (name, path) => {
    const { addresses } = await start();
    const [first] = await raw(addresses[name], [head('LIST', path)]);
    expect(first).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });
});
