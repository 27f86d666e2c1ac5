import { describe, expect, test } from 'vitest';
import { failure } from '../../../src/api/failures.ts';
import type { Call } from '../../../src/api/http/response.ts';

const failed = (
  status: number,
  message: string,
  operation: Partial<Call['operation']> = {},
  call: Partial<Call> = {},
) =>
  failure(
    {
      operation: { name: 'do it', service: 'secrets', retry: 'read', accepts: [200], ...operation },
      tokenSent: true,
      secrets: [],
      ...call,
    },
    {
      status,
      headers: { 'content-type': operation.service ? 'text/plain' : 'application/json' },
      text: operation.service ? message : JSON.stringify({ errors: [message] }),
    },
  );

const ssh = { engine: 'ssh', mount: 'ssh-ca' } as const;

describe('a request to a port with TLS', () => {
  const text = 'Client sent an HTTP request to an HTTPS server.';

  test('fails with the hint to use https', () => {
    expect(failed(400, text, { service: 'registry' })).toMatchObject({
      kind: 'unreachable',
      message: 'cannot do it: the service registry expects TLS (400)',
      hint: 'Use https:// in its address.',
      status: 400,
      details: [text],
    });
  });

  test('is distinguished from other statuses and texts', () => {
    expect(failed(500, text, { service: 'registry' }).kind).toBe('failure');
    expect(failed(400, 'Bad request', { service: 'registry' }).kind).toBe('failure');
    expect(failed(400, `proxy: ${text}`, { service: 'registry' }).kind).toBe('failure');
  });
});

describe('a request without a token to an engine', () => {
  const { engine, mount } = ssh;

  test('that is forbidden may be to a missing mount', () => {
    expect(
      failed(403, 'permission denied', { engine, token: 'none' }, { mount, tokenSent: false }),
    ).toMatchObject({
      kind: 'forbidden',
      message: 'cannot do it: permission denied (403)',
      hint: 'Check that an ssh engine is mounted at ssh-ca/.',
    });
  });

  test.each([
    [{ engine }, 403],
    [{ engine, token: 'optional' }, 403],
    [{ token: 'none' }, 403],
    [{ engine, token: 'none' }, 404],
  ] as const)('is not, for another operation or status (%j, %i)', (operation, status) => {
    expect(failed(status, 'permission denied', operation, { mount }).hint ?? '').not.toContain('mounted');
  });
});

describe('a request below no mount', () => {
  const text = 'no handler for route "ssh-ca/roles/a". route entry not found.';
  const { engine, mount } = ssh;

  test('of any path names the path, and how to list the mounts', () => {
    expect(failed(404, text)).toMatchObject({
      kind: 'not_found',
      message: 'cannot do it: nothing is mounted at the path "ssh-ca/roles/a" (404)',
      hint: 'Run `lanyard secrets mount list` to see what is mounted.',
    });
    expect(failed(404, text, {}, { namespace: 'team/a' }).hint).toBe(
      'Run `lanyard secrets mount list -n team/a` to see what is mounted.',
    );
  });

  test('of an engine names its mount, and how to mount one', () => {
    expect(failed(404, text, { engine }, { mount })).toMatchObject({
      kind: 'not_found',
      message: 'cannot do it: no ssh engine is mounted at ssh-ca/ (404)',
      hint: 'Run `lanyard secrets mount enable ssh --path ssh-ca` to mount it.',
    });
    expect(failed(404, text, { engine }, { mount, namespace: 'team/a' }).hint).toBe(
      'Run `lanyard secrets mount enable ssh --path ssh-ca -n team/a` to mount it.',
    );
  });

  test('is a 404 with that text, and no other response', () => {
    expect(failed(400, text).message).toBe(
      'cannot do it: the secrets service rejected the request as invalid (400)',
    );
    expect(failed(404, 'unsupported path').message).toBe('cannot do it: not found (404)');
    expect(failed(404, `about: ${text}`).message).toBe('cannot do it: not found (404)');
  });
});
