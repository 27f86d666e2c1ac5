import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import type { LanyardError } from '../../../src/errors.ts';
import { freePort } from '../../support/ports.ts';
import { endpointOf, errorOf, json, operation, optionsOf, serve, serveSocket, token } from './support.ts';

const password = 'correct-horse-battery';
const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n';
const secrets = [token, password, 'b3BlbnNzaC1rZXk', Buffer.from(token).toString('base64')];
const input = { name: 'n', password, private_key: key };

/** Everything that can be reached from a value, as text: properties that do not show, prototypes, causes. */
function everything(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  return Reflect.ownKeys(value)
    .map((name) => `${String(name)}: ${everything(Reflect.get(value, name), seen)}`)
    .join('\n');
}

function expectNoSecret(error: LanyardError, said: object): void {
  const shown = [
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(error),
    String(error),
    error.stack ?? '',
    everything(error),
    JSON.stringify(said),
  ].join('\n');
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown).not.toContain('node_modules/got');
}

const echo = (text: string) => `${text} ${token} ${password} ${JSON.stringify(key)} ${key}`;

describe('no error holds a secret', () => {
  it.each(['read', 'repeat', 'write', 'once'] as const)('with "connection refused" (%s)', async (retry) => {
    const options = optionsOf();
    const send = transport(endpointOf(`http://127.0.0.1:${await freePort()}`), options);
    expectNoSecret(await errorOf(send(operation(retry), input)), options);
  });

  it.each(['repeat', 'write', 'once'] as const)('when the response is lost (%s)', async (retry) => {
    const server = await serveSocket((socket) => socket.destroy());
    const options = optionsOf();
    expectNoSecret(
      await errorOf(transport(endpointOf(server.url), options)(operation(retry), input)),
      options,
    );
  });

  it('when the time is up', async () => {
    const server = await serveSocket(() => {});
    const options = optionsOf({ timeout: 1000 });
    expectNoSecret(
      await errorOf(transport(endpointOf(server.url), options)(operation('once'), input)),
      options,
    );
  });

  it('when the signal comes', async () => {
    const stop = new AbortController();
    const server = await serveSocket(() => stop.abort());
    const options = optionsOf({ signal: stop.signal });
    expectNoSecret(
      await errorOf(transport(endpointOf(server.url), options)(operation('once'), input)),
      options,
    );
  });

  it.each([200, 302, 400, 401, 403, 404, 409, 412, 429, 472, 500, 501, 502, 503, 504])(
    'when the service echoes them with %i',
    async (status) => {
      const answers = [
        {
          type: 'application/json',
          text: JSON.stringify({ errors: [echo('bad')], data: { key, token, password } }),
        },
        { type: 'application/json', text: `{"data":{"a":"${token}","private_key":"${key.slice(0, 60)}` },
        { type: 'text/plain', text: echo('bad') },
        { type: 'text/html', text: `<html>${echo('bad')}` },
      ];
      for (const service of ['secrets', 'registry', 'box', 'scheduler', 'accounts'] as const) {
        for (const { type, text } of answers) {
          const server = await serve((_seen, response) => {
            response.writeHead(status, {
              'Content-Type': type,
              Location: `http://other.test/?token=${token}`,
            });
            response.end(text);
          });
          const options = optionsOf();
          const rejecting = operation('write', {
            service,
            decode: () => {
              throw new Error(`token: expected an object but received "${token}"`);
            },
          });
          const send = transport(endpointOf(server.url, { service }), options);
          expectNoSecret(await errorOf(send(rejecting, input)), options);
        }
      }
    },
  );

  it('when a value cannot be a header', async () => {
    const options = optionsOf();
    const endpoint = endpointOf('http://127.0.0.1:1', { namespace: `a\n${token}` });
    expectNoSecret(await errorOf(transport(endpoint, options)(operation('write'), input)), options);
  });
});

describe('the body of a failure', () => {
  it('exists for a command, and is not shown', async () => {
    const server = await serve((_seen, response) => json(response, { Items: { password } }, 409));
    const send = transport(endpointOf(server.url, { service: 'scheduler' }), optionsOf());
    const error = await errorOf(send(operation('write', { service: 'scheduler' }), input));
    expect((error as LanyardError & { body: unknown }).body).toEqual({ Items: { password } });
    expectNoSecret(error, {});
  });
});
