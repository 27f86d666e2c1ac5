import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountsService } from '../../../../../src/services/accounts/service.ts';
import { createHttpServer } from '../../../../../src/services/core/http/http-server.ts';
import { type HttpError, textResponse } from '../../../../../src/services/core/http/http-service.ts';
import { JsonBody } from '../../../../../src/services/core/http/json-body.ts';
import { integer, object } from '../../../../../src/services/core/schema/types.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { call, head, raw, rootToken, start } from '../../support.ts';

const echo = '/v1/shelf/echo/x';

async function expectHealthy(address: string): Promise<void> {
  expect((await call(address, 'GET', '/v1/sys/health', { token: null })).status).toBe(200);
}

describe('a request body', () => {
  test.for([
    ['{"a":', 'error parsing JSON: unexpected end of input'],
    ['{"a":1}}', 'error parsing JSON: invalid character at 8'],
    ['"text"', 'error parsing JSON: the body must be an object'],
    ['[1]', 'error parsing JSON: the body must be an object'],
    [`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`, 'JSON input exceeds allowed nesting depth'],
    [`{"a":"${'x'.repeat(1_048_577)}"}`, 'JSON input exceeds allowed string value length'],
    [`{"a":[${'0,'.repeat(10_000)}0]}`, 'JSON input exceeds allowed array element count'],
  ] as const)('that is invalid is 400', async ([body, message]) => {
    const { addresses } = await start();
    const reply = await call(addresses.secrets, 'POST', echo, { body });
    expect(reply).toMatchObject({ status: 400, json: { errors: [message] } });
  });

  test('that is not UTF-8 is 400', async () => {
    const { addresses } = await start();
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const [reply] = await raw(addresses.secrets, [head('POST', echo, { 'Content-Length': '5' }), bytes]);
    expect(reply).toMatchObject({ status: 400, json: { errors: ['body is not UTF-8'] } });
  });

  test('keeps integers of 64 bits', async () => {
    const { addresses } = await start();
    const reply = await call(addresses.secrets, 'POST', echo, { body: { n: 18446744073709551615n } });
    expect(reply.json?.data).toMatchObject({ data: { n: 18446744073709551615n } });
  });
});

describe('a slow or broken sender', () => {
  test('is disconnected: no head in time, no body in time', async () => {
    const service = await accountsService({
      storage: memoryStore(),
      clock: () => new Date(),
      random: (length) => randomBytes(length),
      version: '1',
      log: () => {},
      token: 'at_1_1',
    });
    const host = createHttpServer(service, {
      version: '1',
      log: () => {},
      timeouts: { headMs: 1_000, requestMs: 2_000 },
    });
    const address = `http://127.0.0.1:${await host.listen(0)}`;
    onTestFinished(() => host.close());
    const slow = async (first: string) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      const drip = setInterval(() => socket.write('a'), 50);
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', () => {});
      socket.write(first);
      await new Promise((resolve) => socket.on('close', resolve));
      clearInterval(drip);
      return received;
    };
    const [inHead, inBody] = await Promise.all([
      slow('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
      slow('POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'),
    ]);
    expect(inHead).toMatch(/^HTTP\/1\.1 408 /);
    expect(inHead).toContain('"message":"request timeout"');
    expect(inBody).toMatch(/^HTTP\/1\.1 405 /);
    expect((await call(address, 'GET', '/health')).status).toBe(200);
  });

  test('that disconnects in the middle does no harm', async () => {
    const { addresses, logged } = await start();
    for (const piece of [
      '',
      'G',
      head('POST', echo, { 'Content-Length': '100' }),
      `${head('GET', '/v1/shelf/slow')}`,
    ]) {
      const socket = connect(Number(new URL(addresses.secrets).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(piece);
      await pause(20);
      socket.resetAndDestroy();
    }
    await pause(150);
    await expectHealthy(addresses.secrets);
    expect(logged).toEqual([]);
  });

  test.for([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['no version', `GET ${echo}\r\n\r\n`, 403],
    ['a greeting of TLS', '\x16\x03\x01\x00\xa5\x01\x00', 400],
    ['no Host', `GET ${echo} HTTP/1.1\r\n\r\n`, 400],
    ['a large head', head('GET', echo, { 'X-Large': 'x'.repeat(20_000) }), 431],
    ['a broken chunk', `${head('POST', echo, { 'Transfer-Encoding': 'chunked' })}zz\r\n`, 400],
    ['two lengths', head('POST', echo, { 'Transfer-Encoding': 'chunked', 'Content-Length': '5' }), 400],
  ] as const)('gets an error and the service continues: %s', async ([, bytes, status]) => {
    const { addresses } = await start();
    const [reply] = await raw(addresses.secrets, [bytes]);
    expect(reply?.status).toBe(status);
    await expectHealthy(addresses.secrets);
  });
});

test('a response that has not the type of its operation is 500, and is logged', async () => {
  const lines: string[] = [];
  const service = {
    name: 'uploads' as const,
    headerPrefixes: ['X-A', 'X-B'] as const,
    handle: async () => ({ status: 200, body: new JsonBody({ size: '1' }).as(object({ size: integer() })) }),
    errorResponse: ({ status, message }: HttpError) => textResponse(status, message),
  };
  const host = createHttpServer(service, { version: '1', log: (line) => lines.push(line) });
  onTestFinished(() => host.close());
  const response = await fetch(`http://127.0.0.1:${await host.listen(0)}/`);
  expect([response.status, await response.text()]).toEqual([500, 'internal error']);
  expect(lines).toEqual([expect.stringContaining('a response does not match its type: integer expected')]);
});

describe('headers', () => {
  test('of either prefix are accepted, and returned with both', async () => {
    const { addresses } = await start();
    for (const name of ['X-Secrets-Token', 'X-Vault-Token']) {
      const reply = await call(addresses.secrets, 'GET', echo, {
        token: null,
        headers: { [name]: rootToken },
      });
      expect(reply.status, name).toBe(200);
    }
    const bearer = { Authorization: `Bearer ${rootToken}` };
    expect((await call(addresses.secrets, 'GET', echo, { token: null, headers: bearer })).status).toBe(200);
    const nodes = await call(addresses.registry, 'GET', '/v1/catalog/nodes');
    expect(nodes.headers).toMatchObject({ 'x-registry-index': '1', 'x-consul-index': '1' });
    const agent = await call(addresses.scheduler, 'GET', '/v1/agent/self');
    expect(agent.headers).toMatchObject({ 'x-scheduler-index': '1', 'x-nomad-index': '1' });
  });

  test('reach the engine without prefix; the token never does', async () => {
    const { addresses } = await start();
    const headers = { 'X-Vault-Recover-Snapshot-Id': 's1', 'X-Secrets-Request': 'true' };
    const reply = await call(addresses.secrets, 'GET', echo, { headers });
    expect(reply.json?.data).toMatchObject({ headers: { 'recover-snapshot-id': 's1', request: 'true' } });
    expect(reply.text).not.toContain(rootToken);
  });

  test('name the program and its version on every response', async () => {
    const { addresses } = await start();
    const [broken] = await raw(addresses.secrets, ['nonsense\r\n\r\n']);
    expect(broken?.headers.server).toBe('Lanyard/9.8.7');
    for (const address of Object.values(addresses)) {
      expect((await call(address, 'GET', '/nowhere')).headers.server).toBe('Lanyard/9.8.7');
    }
  });
});
