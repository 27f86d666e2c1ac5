import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { json, serve } from './support.ts';

describe('a process', () => {
  it('exits after its last call, though connections are kept alive', async () => {
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
