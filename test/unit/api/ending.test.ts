import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, errorOf, json, operation, optionsOf, serve, serveSocket } from './support.ts';

describe('a signal', () => {
  it('ends a call under way that no one answers', async () => {
    const stop = new AbortController();
    const server = await serveSocket(() => stop.abort());
    const send = transport(endpointOf(server.url), optionsOf({ timeout: 600_000, signal: stop.signal }));
    const error = await errorOf(send(operation('write'), { name: 'n' }));
    expect(error.kind).toBe('interrupted');
    expect(error.details).toEqual(['The request was sent; whether "do the thing" took effect is not known.']);
  });

  it('ends the wait between attempts', async () => {
    const stop = new AbortController();
    const server = await serve((_seen, response) => response.writeHead(503, { 'Retry-After': '15' }).end());
    const options = optionsOf({ signal: stop.signal, note: () => setTimeout(() => stop.abort(), 20) });
    const error = await errorOf(transport(endpointOf(server.url), options)(operation('read'), { name: 'n' }));
    expect(error.kind).toBe('interrupted');
    expect(error.details).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('that came before lets nothing be sent', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const send = transport(endpointOf(server.url), optionsOf({ signal: AbortSignal.abort() }));
    expect((await errorOf(send(operation('write'), { name: 'n' }))).kind).toBe('interrupted');
    expect(server.seen).toHaveLength(0);
  });
});

describe('a process', () => {
  it('ends by itself after its last call, though connections are kept', async () => {
    // The server keeps them for longer than the test may take.
    const server = await serve((_seen, response) => json(response, {}), undefined, 3_600_000);
    const script = `
      import { transport } from ${JSON.stringify(fileURLToPath(new URL('../../../src/api/http/client.ts', import.meta.url)))};
      const quiet = () => {};
      const send = transport(
        { service: 'registry', address: '${server.url}', token: async () => undefined, headerPrefixes: ['X-Registry'] },
        { timeout: 60000, signal: new AbortController().signal, userAgent: 't', random: () => 0, note: quiet, warn: quiet, detail: quiet },
      );
      const read = { name: 'r', service: 'registry', method: 'GET', path: '/v1/x', accepts: [200], retry: 'read', decode: (body) => body };
      await send(read, {});
      await send({ ...read, method: 'PUT', retry: 'write' }, {});
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    let err = '';
    child.stderr.on('data', (chunk) => (err += chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(server.seen).toHaveLength(2);
  });
});
