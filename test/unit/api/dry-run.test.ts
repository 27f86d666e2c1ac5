import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { curlLine, DryRunStop, dryRunRequest, dryRunSend } from '../../../src/api/dry-run.ts';
import { transport } from '../../../src/api/http/client.ts';
import { op } from '../../../src/api/operation.ts';
import { has } from '../../support/require.ts';
import { asIs, endpointOf, errorOf, json, operation, optionsOf, serve, token } from './support.ts';

const run = promisify(execFile);
const endpoint = endpointOf('https://secrets.example.test:8200');

async function dryRunOf(promise: Promise<unknown>): Promise<DryRunStop['calls'][number]> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof DryRunStop)) throw new Error(`not a dry run: ${error}`);
  const [call, ...others] = error.calls;
  if (!call || others.length > 0) throw new Error(`${error.calls.length} calls`);
  return call;
}

describe('a dry run', () => {
  it('is the request, with the token by reference and secrets hidden', () => {
    const named = { ...endpoint, namespace: 'team' };
    expect(dryRunRequest(named, operation('write'), { name: 'n', password: 'hunter2', ttl: '1h' })).toEqual({
      service: 'secrets',
      method: 'POST',
      url: 'https://secrets.example.test:8200/v1/thing/n',
      headers: {
        Accept: 'application/json, text/plain',
        'Content-Type': 'application/json',
        'X-Secrets-Request': 'true',
        'X-Secrets-Namespace': 'team',
        'X-Secrets-Token': '$LANYARD_SECRETS_TOKEN',
      },
      body: { password: '<redacted>', ttl: '1h' },
    });
  });

  it('sends preflight requests, and shows the next one, in a command that reads', async () => {
    const server = await serve((_seen, response) => json(response, { a: 1 }));
    const at = endpointOf(server.url);
    const send = dryRunSend(transport(at, optionsOf()), at, { writes: false });
    expect((await send(operation('read', { preflight: true }), { name: 'n' })).body).toEqual({ a: 1 });
    const { request: dryRun } = await dryRunOf(send(operation('read'), { name: 'm' }));
    expect(dryRun.url).toBe(`${server.url}/v1/thing/m`);
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1/thing/n']);
  });

  it('has no token where none is sent', () => {
    const { headers } = dryRunRequest(endpoint, operation('read', { token: 'none' }), { name: 'n' });
    expect(headers).not.toHaveProperty('X-Secrets-Token');
  });

  it.each([
    ['http://localhost:1', true],
    ['http://dev.localhost', true],
    ['http://localhost.:1', false],
    ['http://dev.localhost.', false],
    ['http://127.0.0.1', true],
    ['http://127.1.2.3:8200', true],
    ['http://[::1]:8200', true],
    ['http://[::ffff:127.0.0.1]', true],
    ['http://[::ffff:0.127.0.1]', false],
    ['http://[::2]', false],
    ['http://127.0.0.1.example.test', false],
    ['http://localhost.example.test', false],
    ['http://10.0.0.1', false],
    ['https://10.0.0.1', true],
  ])('of a call to %s is allowed: %s', (address, allowed) => {
    const attempt = () => dryRunRequest(endpointOf(address), operation('read'), { name: 'n' });
    if (allowed) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(/^plain http to .* is not allowed/);
  });

  it('rejects what sending rejects', () => {
    expect(() =>
      dryRunRequest(endpointOf('http://far.example.test'), operation('read'), { name: 'n' }),
    ).toThrow('plain http');
    expect(() => dryRunRequest({ ...endpoint, namespace: 'a\nb' }, operation('read'), { name: 'n' })).toThrow(
      'cannot do the thing: invalid value for the header X-Secrets-Namespace',
    );
  });
});

describe('operations of a dry run', () => {
  it('really reads in a command that writes, and stops at the first write', async () => {
    const server = await serve((_seen, response) => json(response, { version: 3 }));
    const local = endpointOf(server.url);
    const send = dryRunSend(transport(local, optionsOf()), local, { writes: true });
    expect((await send(operation('read'), { name: 'n' })).body).toEqual({ version: 3 });
    for (const retry of ['repeat', 'write', 'once'] as const) {
      const dry = await dryRunOf(send(operation(retry), { name: 'n', cas: 3 }));
      expect(dry.request.body).toEqual({ cas: 3 });
    }
    expect(server.seen).toHaveLength(1);
  });

  it('stops at the first operation in a command that reads, or where nothing may be sent', async () => {
    const server = await serve((_seen, response) => json(response, {}));
    const local = endpointOf(server.url);
    const reads = dryRunSend(transport(local, optionsOf()), local, { writes: false });
    await dryRunOf(reads(operation('read'), { name: 'n' }));
    await dryRunOf(dryRunSend(undefined, local, { writes: true })(operation('read'), { name: 'n' }));
    expect(server.seen).toHaveLength(0);
  });

  it('shows the token only where one would be sent', async () => {
    const anonymous = { ...endpoint, service: 'registry', token: async () => undefined } as const;
    const read = operation('read', { service: 'registry' });
    const without = await dryRunOf(dryRunSend(undefined, anonymous, { writes: false })(read, { name: 'n' }));
    expect(JSON.stringify(without.request)).not.toContain('TOKEN');
    const known = { ...anonymous, token: async () => token };
    const { request: dryRun } = await dryRunOf(
      dryRunSend(undefined, known, { writes: false })(read, { name: 'n' }),
    );
    expect(dryRun.headers['X-Secrets-Token']).toBe('$LANYARD_REGISTRY_TOKEN');
    expect(JSON.stringify(dryRun)).not.toContain(token);
  });

  it('passes the failure of a read through', async () => {
    const server = await serve((_seen, response) => json(response, { errors: [] }, 404));
    const local = endpointOf(server.url);
    const send = dryRunSend(transport(local, optionsOf()), local, { writes: true });
    expect((await errorOf(send(operation('read'), { name: 'n' }))).kind).toBe('not_found');
  });
});

describe('the curl line', () => {
  const lineOf = (more: object, retry: 'read' | 'write' = 'read', input: object = {}) => {
    const to = { ...endpoint, ...more };
    return curlLine(dryRunRequest(to, operation(retry), { name: 'n', ...input }), to);
  };

  it('has the files and the name of TLS', () => {
    const line = lineOf({
      caCert: '/a b/ca.pem',
      clientCert: '/c.pem',
      clientKey: '/k.pem',
      skipVerify: true,
    });
    expect(line).toContain(`--cacert '/a b/ca.pem' --cert /c.pem --key /k.pem --insecure`);
    expect(lineOf({ serverName: 'sni.test' })).toContain(
      '--connect-to sni.test:8200:secrets.example.test:8200 -H ' +
        "'Host: secrets.example.test:8200' https://sni.test:8200/v1/thing/n",
    );
  });

  it('has the proxy, without its credentials', () => {
    const line = lineOf({ proxy: 'http://user:pass@proxy.test:3128' });
    expect(line).toContain("--proxy http://proxy.test:3128/ --proxy-user '<redacted>'");
    expect(line).toMatch(/^# replace <redacted> with the secret\n/);
  });

  it('takes the token from the variable that it comes from', () => {
    const line = lineOf({ tokenSource: { variable: 'VAULT_TOKEN' } });
    expect(line).toMatch(/^curl .*-H "X-Secrets-Token: \$VAULT_TOKEN"/);
  });

  it.each([{ words: 'the token in the file /a\nrm -r b' }, { variable: 'a b; rm' }])(
    'has a reference that a shell without the variable rejects, for a token from elsewhere: %o',
    (tokenSource) => {
      const line = lineOf({ tokenSource });
      expect(line).toMatch(/^# set LANYARD_SECRETS_TOKEN to the token.*\ncurl [^\n]*$/);
      expect(line).toContain(`-H "X-Secrets-Token: \${LANYARD_SECRETS_TOKEN:?}"`);
      expect(line).not.toMatch(/^rm/m);
    },
  );

  describe.skipIf(!has('curl'))('pasted into sh (curl)', () => {
    async function paste(line: string, service: string): Promise<void> {
      await run('sh', ['-c', line], { env: { PATH: process.env.PATH, [`LANYARD_${service}_TOKEN`]: token } });
    }

    it('sends what the transport sends', async () => {
      const server = await serve((_seen, response) => json(response, {}));
      const input = { name: "it's a/b", note: `quotes ' " and $HOME \`id\` \\ \n`, at: '@/etc/hosts' };
      const operations = [
        operation('write'),
        operation('read'),
        operation('write', { service: 'box', method: 'PUT' }),
      ];
      for (const each of operations) {
        const local = endpointOf(server.url, { service: each.service, namespace: 'a' });
        await transport(local, optionsOf())(each, input);
        await paste(curlLine(dryRunRequest(local, each, input), local), each.service.toUpperCase());
        const [sent, pasted] = server.seen.splice(0);
        const { 'user-agent': _one, connection: _two, ...headers } = sent?.headers ?? {};
        expect(pasted).toMatchObject({ method: sent?.method, url: sent?.url, body: sent?.body, headers });
      }
    });

    it('sends text without calling it a form', async () => {
      const server = await serve((_seen, response) => json(response, {}));
      const local = endpointOf(server.url, { service: 'registry', headerPrefixes: ['X-Registry'] });
      const translate = op<{ content: string }>()({
        name: 'translate rules',
        service: 'registry',
        method: 'POST',
        path: '/v1/acl/rules/translate',
        body: 'content',
        accepts: [200],
        retry: 'read',
        decode: asIs,
      });
      const content = 'key "" {\n  policy = "read"\n}\n';
      await paste(curlLine(dryRunRequest(local, translate, { content }), local), 'REGISTRY');
      expect(server.seen[0]).toMatchObject({ method: 'POST', body: content });
      expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
    });

    it('requests only a head', async () => {
      const server = await serve((_seen, response) => response.end());
      const local = endpointOf(server.url);
      await paste(
        curlLine(dryRunRequest(local, operation('read', { method: 'HEAD' }), { name: 'n' }), local),
        'SECRETS',
      );
      expect(server.seen[0]?.method).toBe('HEAD');
    });
  });
});
