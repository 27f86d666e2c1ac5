import { describe, expect, it } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { readBody } from '../../../src/api/http/response.ts';
import { endpointOf, errorOf, json, operation, optionsOf, request, serve } from './support.ts';

describe('responses', () => {
  it('keep integers exact and keys unchanged', async () => {
    const text = '{"ModifyTime":1700000000123456789,"__proto__":{"a":1},"n":1}';
    const server = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(text);
    });
    const answer = await request(server.url);
    const body = answer.body as { ModifyTime: bigint };
    expect(body.ModifyTime).toBe(1700000000123456789n);
    expect(Object.keys(body)).toContain('__proto__');
  });

  it('are text where they are text, with status and headers', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Secrets-Index': '7' });
      response.end('ssh-ed25519 AAAA\n');
    });
    const answer = await request(server.url);
    expect(answer.body).toBe('ssh-ed25519 AAAA\n');
    expect(answer.headers['x-secrets-index']).toBe('7');
    expect(answer.status).toBe(200);
  });

  it.each([
    ['a JSON object of an error', 409, 'text/plain; charset=utf-8', '{"ModifyIndex":7}', { ModifyIndex: 7 }],
    ['text of an error', 500, 'text/plain', 'rpc error', 'rpc error'],
    ['what only begins as JSON', 500, 'text/plain', '{oops', '{oops'],
    ['JSON of a success that is sent as text', 200, 'text/plain', '{"a":1}', '{"a":1}'],
    ['JSON without a type', 409, undefined, '{"ModifyIndex":7}', { ModifyIndex: 7 }],
  ])('are classified by their text if the type is ambiguous: %s', (_what, status, type, text, body) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(readBody({ status, headers, text })).toEqual(body);
  });

  it('with and without a body are both success of a write', async () => {
    const server = await serve((_seen, response, count) => {
      if (count === 1) response.writeHead(204).end();
      else json(response, { warnings: ['careful'] });
    });
    const send = transport(endpointOf(server.url), optionsOf());
    const first = await send(operation('write', { accepts: [200] }), { name: 'n' });
    const second = await send(operation('write', { accepts: [204] }), { name: 'n' });
    expect(first.body).toBeUndefined();
    expect(second.body).toEqual({ warnings: ['careful'] });
  });

  it('of a status that an operation accepts are its own to read, and not retried', async () => {
    const server = await serve((_seen, response) => json(response, { sealed: true }, 503));
    const send = transport(endpointOf(server.url), optionsOf());
    const answer = await send(operation('read', { accepts: [200, 503] }), { name: 'n' });
    expect(answer).toMatchObject({ status: 503, body: { sealed: true } });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['text/html', '<!DOCTYPE html>\n<title>Log in</title>', 'an HTML page', '<!DOCTYPE html>'],
    ['application/json', '<html><body>', 'an HTML page', '<html><body>'],
    ['application/json', '{"a":"secret value","b":tru', 'malformed JSON', '{"a":"…","b":tru'],
    [
      'application/json',
      `{"data":{"private_key":"-----BEGIN KEY`,
      'malformed JSON',
      '{"data":{"private_key":"…"',
    ],
  ])(
    'that are not of the service (%s, %s) are named by status and first line',
    async (type, text, why, line) => {
      const server = await serve((_seen, response) => {
        response.setHeader('Content-Type', type).end(text);
      });
      const error = await errorOf(request(server.url));
      expect(error.kind).toBe('failure');
      expect(error.message).toBe(`unexpected response from the secrets service: status 200, ${why}`);
      expect(error.details).toEqual([line]);
      expect(error.status).toBe(200);
    },
  );

  it('with a first line that is long or unprintable are shown in short', async () => {
    const server = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<html>\u001b[2J${'x'.repeat(500)}`);
    });
    const error = await errorOf(request(server.url));
    expect(error.details[0]).toHaveLength(120);
    expect(error.details[0]).not.toContain('\u001b');
  });

  it('that the decoder rejects are named by the field', async () => {
    const server = await serve((_seen, response) => json(response, { data: { key: 'the-secret' } }));
    const rejecting = operation('read', {
      decode: () => {
        throw new Error('data.signed_key is missing');
      },
    });
    const error = await errorOf(transport(endpointOf(server.url), optionsOf())(rejecting, { name: 'n' }));
    expect(error.message).toContain('status 200, data.signed_key is missing');
    expect(JSON.stringify(error)).not.toContain('the-secret');
  });

  it('that are compressed without being requested are rejected', async () => {
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('xx');
    });
    const error = await errorOf(request(server.url));
    expect(error.message).toContain('compressed');
  });

  it('of more than 64 MiB are rejected', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    const server = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'application/json');
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent++;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    const error = await errorOf(request(server.url));
    expect(error.message).toContain('64 MiB');
    expect(sent).toBeLessThan(120);
  });
});
