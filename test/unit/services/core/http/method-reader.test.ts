import { describe, expect, test } from 'vitest';
import { head, type Reply, raw, start } from '../../support.ts';

/** The request as seen by the engine: `list echo/x`. */
const asked = (replies: readonly Reply[]) =>
  replies.map(({ status, json }) => {
    const data = json?.data as { operation: string; path: string } | undefined;
    return data ? `${data.operation} ${data.path}` : status;
  });

const echo = '/v1/shelf/echo/x';
const list = head('LIST', echo);
const recover = head('RECOVER', echo, { 'X-Secrets-Recover-Snapshot-Id': 's1' });

describe('LIST and RECOVER on the wire', () => {
  test('are recognized', async () => {
    const { addresses } = await start();
    expect(asked(await raw(addresses.secrets, [list]))).toEqual(['list echo/x']);
    expect(asked(await raw(addresses.secrets, [recover]))).toEqual(['recover echo/x']);
  });

  test('are recognized byte by byte', async () => {
    const { addresses } = await start();
    expect(asked(await raw(addresses.secrets, [...list]))).toEqual(['list echo/x']);
    expect(asked(await raw(addresses.secrets, [...recover]))).toEqual(['recover echo/x']);
  });

  test('are recognized wherever the token is split', async () => {
    const { addresses } = await start();
    for (let at = 1; at <= 9; at++) {
      for (const request of [list, recover]) {
        const pieces = [request.slice(0, at), request.slice(at)];
        expect(asked(await raw(addresses.secrets, pieces)), `split at ${at}`).toEqual([
          `${request.startsWith('LIST') ? 'list' : 'recover'} echo/x`,
        ]);
      }
    }
  });

  test('SCAN is recognized too, split or not; other methods with S are not changed', async () => {
    const { addresses } = await start();
    const scan = head('SCAN', echo);
    expect(asked(await raw(addresses.secrets, [scan]))).toEqual(['scan echo/x']);
    for (let at = 1; at <= 5; at++)
      expect(asked(await raw(addresses.secrets, [scan.slice(0, at), scan.slice(at)]))).toEqual([
        'scan echo/x',
      ]);
    for (const method of ['SEARCH', 'SUBSCRIBE', 'LOCK'])
      expect(asked(await raw(addresses.secrets, [head(method, echo)])), method).toEqual([405]);
    expect(asked(await raw(addresses.secrets, [list, scan, list], 3))).toEqual([
      'list echo/x',
      'scan echo/x',
      'list echo/x',
    ]);
  });

  test('are recognized repeatedly on one connection, after every kind of body', async () => {
    const { addresses } = await start();
    const body = '{"a":1}';
    const post = head('POST', echo, { 'Content-Length': String(body.length) }) + body;
    const chunked = `${head('POST', echo, { 'Transfer-Encoding': 'chunked' })}7\r\n{"a":1}\r\n0\r\n\r\n`;
    const sent = [
      list,
      post,
      list,
      chunked,
      recover,
      head('GET', echo),
      '\r\n',
      list,
      post.slice(0, -4),
      post.slice(-4),
      list,
    ];
    expect(asked(await raw(addresses.secrets, sent, 9))).toEqual([
      'list echo/x',
      'update echo/x',
      'list echo/x',
      'update echo/x',
      'recover echo/x',
      'read echo/x',
      'list echo/x',
      'update echo/x',
      'list echo/x',
    ]);
  });

  test('do not change a body that looks like one of them', async () => {
    const { addresses } = await start();
    for (const value of ['LIST /v1/shelf/echo/x HTTP/1.1', 'RECOVER /x HTTP/1.1']) {
      const form = `${value}=LIST /`;
      const post = head('POST', echo, {
        'Content-Length': String(form.length),
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      const [first, second] = await raw(addresses.secrets, [post, form, list], 2);
      expect(first?.json?.data).toMatchObject({ operation: 'update', data: { [value]: 'LIST /' } });
      expect(second?.json?.data).toMatchObject({ operation: 'list' });
    }
  });

  test('do not change a chunked body whose chunks look like one of them', async () => {
    const { addresses } = await start();
    const post = head('POST', echo, {
      'Transfer-Encoding': 'chunked',
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    const [first] = await raw(addresses.secrets, [
      post,
      '7\r\n',
      'LIST /=',
      '\r\n5\r\n',
      'LIST ',
      '\r\n0\r\n\r\n',
    ]);
    expect(first?.json?.data).toMatchObject({ data: { 'LIST /': 'LIST ' } });
  });

  test('do not change a header that starts a packet with one of them', async () => {
    const { addresses } = await start();
    const [first] = await raw(addresses.secrets, [
      'GET /v1/shelf/echo/x HTTP/1.1\r\nHost: localhost\r\nX-Secrets-Token: hvs.test-root-token\r\nX-Secrets-Note: ',
      'LIST RECOVER \r\n\r\n',
    ]);
    expect(first?.json?.data).toMatchObject({ operation: 'read', headers: { note: 'LIST RECOVER' } });
  });

  test('differ from LINK and REPORT', async () => {
    const { addresses } = await start();
    for (const method of ['LINK', 'REPORT', 'REPORT ']) {
      const replies = await raw(addresses.secrets, [head(method, echo), list], 2);
      expect(asked(replies), method).toEqual([405, 'list echo/x']);
    }
  });

  test('differ from similar words', async () => {
    const { addresses } = await start();
    for (const method of [
      'LISTS',
      'LISP',
      'LIST/v1',
      'RECORT',
      'RECOVERY',
      'RECOVER/',
      'RECOVE',
      'list',
      'LI',
    ]) {
      const [first] = asked(await raw(addresses.secrets, [head(method, echo)]));
      expect([400, 405], method).toContain(first);
    }
  });

  test('are rejected, never misread, in a packet after another request', async () => {
    const { addresses } = await start();
    expect(asked(await raw(addresses.secrets, [list + list], 2))).toEqual(['list echo/x', 400]);
    expect(asked(await raw(addresses.secrets, [head('GET', echo) + recover], 2))).toEqual([
      'read echo/x',
      400,
    ]);
    expect(asked(await raw(addresses.secrets, [list + head('LINK', echo)], 2))).toEqual(['list echo/x', 405]);
    expect(asked(await raw(addresses.secrets, [list + head('GET', echo)], 2))).toEqual([
      'list echo/x',
      'read echo/x',
    ]);
  });

  test('are not read from header bytes when a pipelined request ends in its head', async () => {
    const { addresses } = await start();
    const cut =
      'LINK /v1/shelf/echo/x HTTP/1.1\r\nHost: localhost\r\nX-Secrets-Token: hvs.test-root-token\r\nX-Secrets-Note: ';
    expect(asked(await raw(addresses.secrets, [head('GET', echo) + cut, 'LIST \r\n\r\n'], 2))).toEqual([
      'read echo/x',
      405,
    ]);
  });

  test('do not wait: the response to a running request precedes the error for what follows', async () => {
    const { addresses } = await start();
    const replies = await raw(addresses.secrets, [`${head('GET', '/v1/shelf/slow')}nonsense\r\n\r\n`, ''], 2);
    expect(asked(replies)).toEqual(['read slow', 400]);
  });

  test('are 405 on the other services', async () => {
    const { addresses } = await start();
    const paths = {
      registry: '/v1/status/leader',
      box: '/api/v1/search',
      scheduler: '/v1/agent/health',
      accounts: '/health',
    } as const;
    for (const [name, path] of Object.entries(paths)) {
      const [first] = await raw(addresses[name as keyof typeof paths], [head('LIST', path)]);
      expect(first?.status, name).toBe(405);
      expect(first?.headers.allow).toBe('GET');
    }
  });
});
