import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/api/error-messages.ts';
import { firstLine } from '../../../src/api/http/response.ts';
import { ServiceError } from '../../../src/api/service-error.ts';
import type { Kind } from '../../../src/errors.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { failed, failureOf } from './support.ts';

describe('every status has its kind', () => {
  const statuses: readonly (readonly [number, ServiceName, Kind, string])[] = [
    [400, 'secrets', 'failure', 'the secrets service rejected the request as invalid (400)'],
    [401, 'registry', 'unauthenticated', 'the service registry does not accept the token (401)'],
    [401, 'box', 'unauthenticated', 'unauthorized (401)'],
    [402, 'box', 'failure', 'payment required (402)'],
    [403, 'secrets', 'forbidden', 'permission denied (403)'],
    [403, 'box', 'forbidden', 'permission denied, or a parameter is missing or invalid (403)'],
    [404, 'box', 'not_found', 'not found (404)'],
    [405, 'scheduler', 'failure', 'the scheduler responded with status 405'],
    [409, 'scheduler', 'conflict', 'conflict (409)'],
    [412, 'secrets', 'unavailable', 'the secrets service has not replicated an earlier write yet (412)'],
    [412, 'box', 'failure', 'the box registry rejected the request (412)'],
    [413, 'registry', 'failure', 'the service registry responded with status 413'],
    [422, 'box', 'failure', 'the box registry cannot process the request (422)'],
    [429, 'secrets', 'unavailable', 'the secrets service is a standby node (429)'],
    [429, 'box', 'unavailable', 'the box registry is limiting the rate of requests (429)'],
    [472, 'secrets', 'unavailable', 'the secrets service is a disaster-recovery secondary (472)'],
    [473, 'secrets', 'unavailable', 'the secrets service is a performance standby (473)'],
    [500, 'accounts', 'failure', 'the account service responded with status 500'],
    [501, 'secrets', 'unavailable', 'the secrets service is not initialized (501)'],
    [501, 'box', 'unavailable', 'the box registry does not support this operation (501)'],
    [502, 'secrets', 'failure', 'the secrets service responded with status 502'],
    [503, 'secrets', 'unavailable', 'the secrets service is sealed or down for maintenance (503)'],
    [503, 'box', 'unavailable', 'the box registry is down for maintenance (503)'],
    [503, 'scheduler', 'unavailable', 'the scheduler is unavailable (503)'],
  ];
  it.each(statuses)('%i of %s is %s', (status, service, kind, what) => {
    const error = failed(service, status);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ kind, message: `cannot do it: ${what}`, status, service, details: [] });
  });

  it('a rate limit is distinguished from a standby node', () => {
    const limited = failed('secrets', 429, { errors: ['rate limit quota exceeded'] });
    expect(limited.message).toBe('cannot do it: the secrets service is limiting the rate of requests (429)');
  });

  it('retryable are the states that pass', () => {
    const statuses = [400, 401, 403, 404, 409, 412, 422, 429, 500, 501, 503, 504];
    expect(statuses.filter((status) => failed('secrets', status).retryable)).toEqual([412, 429, 503, 504]);
  });
});

describe('what is missing', () => {
  it.each([
    ['/api/v2/box/acme/web', 'acme/web not found (404)'],
    ['/api/v2/box/acme/web/version/1.0', 'acme/web 1.0 not found (404)'],
    ['/api/v2/box/acme/web/version/1.0/provider/libvirt/amd64', 'acme/web 1.0 libvirt not found (404)'],
    ['/api/v2/box/a%20b/c', 'a b/c not found (404)'],
    ['/api/v2/user/acme', 'acme not found (404)'],
    ['/api/v2/user/acme/keys', 'not found (404)'],
    ['/api/v2/search', 'not found (404)'],
  ])('of the box registry is named: %s', (path, what) => {
    expect(failed('box', 404, undefined, { path }).message).toBe(`cannot do it: ${what}`);
    expect(failed('registry', 404, undefined, { path }).message).toBe('cannot do it: not found (404)');
  });

  it('is not repeated in words that name nothing', () => {
    const body = { errors: ['Resource not found!', 'other'] };
    expect(failed('box', 404, body).details).toEqual(['other']);
    expect(failed('box', 422, body).details).toEqual(['Resource not found!', 'other']);
    expect(failed('secrets', 404, body).details).toEqual(['Resource not found!', 'other']);
  });

  it('of a box is the organization: how to create it', () => {
    const hintOf = (...errors: readonly string[]) => failed('box', 422, { errors }).hint;
    const missing = 'User or organization ac-me does not exist';
    expect(hintOf('first', missing)).toBe('Run `lanyard box org create ac-me` to create the organization.');
    for (const other of ['first', `the ${missing}`, `${missing} here`]) expect(hintOf(other)).toBeUndefined();
  });

  it('of a variable is the namespace: how to create it', () => {
    const text = 'cannot apply variable in nonexistent namespace "dev"';
    expect(failed('scheduler', 500, text)).toMatchObject({
      kind: 'not_found',
      message: 'cannot do it: namespace "dev" not found (500)',
      hint: 'Run `lanyard namespace put dev` to create it.',
    });
    expect(failed('scheduler', 500, 'other').kind).toBe('failure');
    expect(failed('scheduler', 400, text).kind).toBe('failure');
    expect(failed('registry', 500, text).kind).toBe('failure');
  });
});

it('a write that the servers of a cluster lost has an unknown outcome, a read has failed', () => {
  const text = 'leadership lost while committing log';
  expect(failureOf('registry', 500, text, 'text/plain')).toMatchObject({
    kind: 'unknown',
    details: [text, 'The request was sent; whether "do it" took effect is not known.'],
  });
  expect(failed('registry', 500, text).kind).toBe('failure');
});

describe('conflicts', () => {
  it('of a transaction keep the body and list what failed', () => {
    const body = { Results: null, Errors: [{ OpIndex: 2, What: 'key "k" exists' }] };
    const error = failed('registry', 409, body) as ServiceError;
    expect(error.kind).toBe('conflict');
    expect(error.body).toEqual(body);
    expect(error.details).toEqual(['operation 2: key "k" exists']);
  });

  it('of a variable keep the body, with exact times, out of the output', () => {
    const text =
      '{"Path":"a","ModifyIndex":9,"ModifyTime":1700000000123456789,"Items":{"password":"hunter22"}}';
    const error = failureOf('scheduler', 409, text) as ServiceError;
    expect(error.body).toMatchObject({ ModifyTime: 1700000000123456789n, Items: { password: 'hunter22' } });
    expect(error.details).toEqual(['the stored variable has ModifyIndex 9']);
    expect(JSON.stringify(error)).not.toContain('hunter22');
  });
});

describe("the service's own messages", () => {
  it('of secrets may be the warnings of an envelope', () => {
    expect(messagesOf('secrets', { data: null, warnings: ['Invalid path for a versioned engine'] })).toEqual([
      'Invalid path for a versioned engine',
    ]);
  });

  it('of the secrets service are empty for a missing path, which is not found without details', () => {
    const error = failed('secrets', 404, { errors: [] }) as ServiceError;
    expect(error).toMatchObject({ kind: 'not_found', details: [], body: { errors: [] } });
  });

  it.each(['registry', 'scheduler'] as const)('of %s are plain text', (service) => {
    expect(failed(service, 403, 'Permission denied\n').details).toEqual(['Permission denied']);
  });

  it('takes apart what Boundary quotes a second time and cuts off', () => {
    const said = (message: string) => messagesOf('accounts', { kind: 'InvalidArgument', message });
    expect(
      said(
        'Error in provided request.", Details: {{name: "auth_method_id", desc: "Invalid formatted identifier."}, {name: "filter", desc: "This field could not be parsed. 1:4 (3): no match found, expected: \\"-\\", \\"\\\\\\"\\", [ \\\\t] or [a-z]',
      ),
    ).toEqual([
      'Error in provided request.',
      'auth_method_id: Invalid formatted identifier.',
      'filter: This field could not be parsed. 1:4 (3): no match found, expected: "-", "\\"", [ \\t] or [a-z]',
    ]);
    expect(said('Account \\"acctpw_1\\" doesn\'t exist or incorrect version provided.')).toEqual([
      'Account "acctpw_1" doesn\'t exist or incorrect version provided.',
    ]);
    expect(said('Forbidden.')).toEqual(['Forbidden.']);
  });

  it('of accounts are the message and a line a field', () => {
    const body = {
      kind: 'InvalidArgument',
      message: 'Error in provided request.',
      details: {
        request_fields: [{ name: 'version', description: 'Existing resource version is required.' }],
      },
    };
    expect(failed('accounts', 400, body).details).toEqual([
      'Error in provided request.',
      'version: Existing resource version is required.',
    ]);
    expect(messagesOf('accounts', { kind: 'NotFound', message: 'Resource not found.' })).toEqual([
      'Resource not found.',
    ]);
  });

  it('do not echo a secret body', () => {
    const error = failed('secrets', 400, { errors: ['bad token the-token'] });
    expect(error.details).toEqual(['bad token <redacted>']);
  });
});

describe('a body that is not of the service', () => {
  const page = { headers: { 'content-type': 'text/html' } };

  it('is an unexpected response, whatever the status', () => {
    const error = failed('secrets', 404, '<html><h1>404</h1>', page);
    expect(error.kind).toBe('failure');
    expect(error.message).toBe('unexpected response from the secrets service: status 404, an HTML page');
    expect(error.details).toEqual(['<html><h1>404</h1>']);
  });

  it('of a service that is down for now is unavailable', () => {
    expect(failed('secrets', 503, '<html>', page).kind).toBe('unavailable');
  });

  it('of a gateway leaves a write unknown', () => {
    expect(failed('secrets', 504, '<html>', { ...page, retry: 'write' }).kind).toBe('unknown');
    expect(failed('registry', 502, 'bad gateway', { retry: 'once' }).kind).toBe('unknown');
    expect(failed('registry', 502, 'bad gateway').kind).toBe('failure');
  });

  it.each([403, 404, 405, 413, 500])('leaves a write unknown (%i)', (status) => {
    for (const retry of ['write', 'once'] as const) {
      const error = failed('secrets', status, '<html>', { ...page, retry });
      expect(error).toMatchObject({ kind: 'unknown', retryable: false });
      expect(error.details.join('\n')).toContain('whether "do it" took effect is not known');
    }
  });
});

describe('a write that a service did not complete', () => {
  it.each([
    [502, { errors: ['third party'] }],
    [504, { errors: ['timeout'] }],
    [503, undefined],
    [503, { errors: ['upstream connect error'] }],
    [503, 'Vault is sealed'],
  ])('is unknown (%i, %j), with the message, and not retryable', (status, body) => {
    for (const retry of ['write', 'once'] as const) {
      const error = failed('secrets', status, body, { retry });
      expect(error).toMatchObject({ kind: 'unknown', status, retryable: false });
      expect(error.message).toContain('outcome unknown');
      if (typeof body === 'object') expect(error.details).toContain(body.errors[0]);
    }
    for (const retry of ['read', 'repeat'] as const)
      expect(failed('secrets', status, body, { retry }).kind).toBe(
        status === 503 ? 'unavailable' : 'failure',
      );
  });

  const own: readonly (readonly [ServiceName, unknown])[] = [
    ['secrets', { errors: ['Vault is sealed'] }],
    ['secrets', { errors: ['secrets service is sealed'] }],
    ['secrets', { errors: ['in maintenance mode'] }],
    ['secrets', { errors: ['node is not active'] }],
    ['secrets', { errors: ['no active Vault instance found'] }],
    ['secrets', { errors: ['API access to this namespace has been locked by an administrator'] }],
    ['box', { errors: ['The registry is under maintenance; try again later'], success: false }],
    [
      'registry',
      'rate limit exceeded for operation that can only be performed by the leader, try again later',
    ],
  ];
  it.each(own)('is unavailable if %s reports that nothing was done: %j', (service, body) => {
    const error = failed(service, 503, body, { retry: 'write' });
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true });
  });
});

describe('the first line', () => {
  it('has no value of JSON, closed or cut', () => {
    expect(firstLine('{"a": "one", "b" : ["two", 3], "c":"thr')).toBe('{"a": "…", "b" : ["…", 3], "c":"…"');
    expect(firstLine('["a\\"b","c\\')).toBe('["…","…"');
  });

  it('is the first that is not empty', () => {
    expect(firstLine('\r\n\n  Bad Gateway\nmore')).toBe('Bad Gateway');
    expect(firstLine('')).toBe('');
  });
});
