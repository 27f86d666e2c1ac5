import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EngineParts } from '../../../src/services/secrets/engine.ts';
import { type EmbeddedOptions, startServices } from '../../../src/services/start-services.ts';
import { call, folder, freePorts, head, rootToken, shelf, start } from './support.ts';

const options: EmbeddedOptions = {
  clock: () => new Date(),
  random: (length) => randomBytes(length),
  version: '1.0.0',
  engines: { shelf },
};

describe('the embedded services', () => {
  const json = 'application/json';
  const has = (fields: object) => expect.objectContaining(fields);
  const ready = { initialized: true, sealed: false, standby: false, cluster_name: 'lanyard' };
  const healthy = { ok: true, message: 'ok' };

  test.each([
    ['secrets', '/v1/sys/health', has({ ...ready, version: '9.8.7' })],
    ['registry', '/v1/status/leader', '127.0.0.1:8300'],
    ['registry', '/v1/agent/self', has({ Config: has({ Datacenter: 'dc1', Version: '9.8.7' }) })],
    ['box', '/api/v2/search?q=x', { boxes: [] }],
    ['scheduler', '/v1/agent/health', { server: healthy, client: healthy }],
    ['scheduler', '/v1/agent/self', has({ config: has({ Region: 'global' }) })],
    ['accounts', '/health', {}],
  ] as const)('respond to the health check of %s at %s', async (service, path, body) => {
    const { addresses } = await start();
    const { status, headers, text } = await call(addresses[service], 'GET', path, { token: null });
    expect([status, headers['content-type']]).toEqual([200, json]);
    expect(JSON.parse(text)).toEqual(body);
  });

  test.each([
    ['registry', 'text/plain; charset=utf-8', 'Invalid URL path: not a recognized HTTP API endpoint'],
    ['scheduler', undefined, ''],
    ['box', json, '{"errors":["Resource not found!"],"success":false}'],
    ['accounts', undefined, ''],
  ] as const)('report "not found" in the format of %s', async (service, type, text) => {
    const { addresses } = await start();
    const reply = await call(addresses[service], 'GET', '/v1/nowhere');
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([404, type, text]);
  });

  test('handle HEAD as GET without the body', async () => {
    const { addresses } = await start();
    const reply = await call(addresses.secrets, 'HEAD', '/v1/sys/health', { token: null });
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(0);
  });

  test('listen only on the loopback interface', async ({ skip }) => {
    const { addresses } = await start();
    for (const address of Object.values(addresses)) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const outside = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (!outside) return skip('there is no address but the loopback');
    const socket = connect(Number(new URL(addresses.secrets).port), outside.address);
    const outcome = await new Promise((resolve) => {
      socket.on('connect', () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(outcome).toBe('ECONNREFUSED');
  });

  test('name the port and the service if a port is in use, and then listen nowhere', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address() as { port: number };
    const services = await startServices(options);
    onTestFinished(() => services.close());
    await expect(services.listen({ ...freePorts, box: port })).rejects.toMatchObject({
      reason: 'port',
      message: `port ${port} for the box service is in use; stop the process that uses it, or choose another port`,
    });
  });

  test('start in less time than 100 units of ordinary work', async () => {
    const module = (path: string) => JSON.stringify(join(import.meta.dirname, '../../..', path));
    const script = `
      const { startServices } = await import(${module('src/services/start-services.ts')});
      const { ordinaryWork } = await import(${module('test/support/ordinary-work.ts')});
      const { randomBytes } = await import('node:crypto');
      ordinaryWork();
      const before = performance.now();
      const services = await startServices({ dataDirectory: process.argv[1], clock: () => new Date(), random: randomBytes, version: '1' });
      await services.listen(${JSON.stringify(freePorts)});
      const ready = performance.now();
      await services.close();
      const closed = performance.now();
      for (let piece = 0; piece < 10; piece++) ordinaryWork();
      console.log((ready - before) / ((performance.now() - closed) / 10));`;
    let pieces = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5 && !(pieces < 100); round++) {
      const data = join(await folder(), 'data');
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, data]);
      let printed = '';
      for await (const chunk of child.stdout) printed += chunk;
      expect(Number(printed)).toBeGreaterThan(0);
      pieces = Math.min(pieces, Number(printed));
    }
    expect(pieces).toBeLessThan(100);
  });
});

describe('closing', () => {
  test('closes idle connections immediately and finishes a running request', async () => {
    const entered = Promise.withResolvers<void>();
    const watched = (parts: EngineParts) => {
      const engine = shelf(parts);
      const handle: typeof engine.handle = (asked) => {
        if (asked.path === 'slow') entered.resolve();
        return engine.handle(asked);
      };
      return { ...engine, handle };
    };
    const services = await startServices({ ...options, rootToken, engines: { shelf: watched } });
    const { secrets } = await services.listen(freePorts);
    const port = Number(new URL(secrets).port);
    const ended: string[] = [];
    const idle = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const socket of idle) {
      socket.on('error', () => {});
      socket.on('close', () => ended.push('idle'));
    }
    idle[1]?.write(head('GET', '/v1/sys/health'));
    await new Promise((resolve) => idle[1]?.once('data', resolve));
    const running = call(secrets, 'GET', '/v1/shelf/slow').then((reply) => {
      ended.push('running');
      return reply;
    });
    await entered.promise;
    await services.close();
    const reply = await running;
    expect(reply.status).toBe(200);
    expect(reply.headers.connection).toBe('close');
    expect(ended).toEqual(['idle', 'idle', 'running']);
    await services.close();
  });
});

describe('with a data directory', () => {
  const put = (address: string, name: string, value: string) =>
    call(address, 'PUT', `/v1/shelf/things/${name}`, { body: { value } });

  test('everything exists after a restart, and the given root token works', async () => {
    const data = join(await folder(), 'data');
    const first = await start({ dataDirectory: data });
    expect((await put(first.addresses.secrets, 'a', 'kept')).status).toBe(204);
    const made = await call(first.addresses.secrets, 'POST', '/v1/auth/token/create', { body: {} });
    const child = (made.json?.auth as { client_token: string } | undefined)?.client_token ?? '';
    await first.close();
    const second = await start({ dataDirectory: data, rootToken: 'hvs.another-root' });
    const { secrets } = second.addresses;
    const read = await call(secrets, 'GET', '/v1/shelf/things/a', { token: 'hvs.another-root' });
    expect(read.json?.data).toEqual({ kept: { value: 'kept' } });
    expect((await call(secrets, 'GET', '/v1/shelf/things/a', { token: rootToken })).status).toBe(403);
    expect((await call(secrets, 'GET', '/v1/auth/token/lookup-self', { token: child })).status).toBe(200);
  });

  test('the files contain no secret in clear', async () => {
    const data = join(await folder(), 'data');
    const services = await start({ dataDirectory: data });
    await put(services.addresses.secrets, 'key', 'BEGIN OPENSSH PRIVATE KEY');
    await call(services.addresses.secrets, 'PUT', '/v1/sys/policies/acl/p', {
      body: { policy: 'path "private-path" { capabilities = ["read"] }' },
    });
    await services.close();
    for (const name of await readdir(data)) {
      const bytes = await readFile(join(data, name));
      for (const secret of ['BEGIN OPENSSH', 'private-path', rootToken, services.unsealKey ?? '-']) {
        if (name === 'secrets.key' && secret === services.unsealKey) continue;
        expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false);
      }
    }
  });

  test('a key file of other data or a damaged one is a clear error; without it the service starts sealed', async () => {
    const data = join(await folder(), 'data');
    const first = await start({ dataDirectory: data });
    await put(first.addresses.secrets, 'a', 'kept');
    await first.close();
    const file = join(data, 'secrets.key');
    const key = await readFile(file, 'utf8');

    await writeFile(file, randomBytes(32).toString('hex'));
    await expect(startServices({ ...options, dataDirectory: data })).rejects.toMatchObject({
      reason: 'data',
      message: expect.stringContaining(`the key in ${file} does not decrypt the data in the same directory`),
    });
    await writeFile(file, 'nonsense');
    await expect(startServices({ ...options, dataDirectory: data })).rejects.toThrow(
      `the key file ${file} is damaged`,
    );

    await rm(file);
    const { addresses, rootToken: none } = await start({ dataDirectory: data });
    expect(none).toBeUndefined();
    expect((await call(addresses.secrets, 'GET', '/v1/shelf/things/a')).status).toBe(503);
    const unsealed = await call(addresses.secrets, 'PUT', '/v1/sys/unseal', { body: { key: key.trim() } });
    expect(unsealed.json).toMatchObject({ sealed: false });
    expect((await call(addresses.secrets, 'GET', '/v1/shelf/things/a')).status).toBe(200);
  });

  test('a second start in the same directory is rejected', async () => {
    const data = join(await folder(), 'data');
    await start({ dataDirectory: data });
    await expect(startServices({ ...options, dataDirectory: data })).rejects.toMatchObject({
      reason: 'locked',
    });
  });
});
