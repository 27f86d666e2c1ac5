import { describe, expect, test } from 'vitest';
import { messagesOf } from '../../../src/api/error-messages.ts';
import { ServiceError } from '../../../src/api/service-error.ts';
import { serviceNames } from '../../../src/wire/services.ts';
import { failed } from './support.ts';

const login = {
  secrets: 'Log in with `lanyard secrets login`, or set LANYARD_SECRETS_TOKEN or VAULT_TOKEN',
  registry: 'Log in with `lanyard acl login`, or set LANYARD_REGISTRY_TOKEN or CONSUL_HTTP_TOKEN',
  box: 'Create one with `lanyard box token create`, or set LANYARD_BOX_TOKEN or ATLAS_TOKEN',
  scheduler: 'Set LANYARD_SCHEDULER_TOKEN or NOMAD_TOKEN',
  accounts: 'Log in with `lanyard account login`, or set LANYARD_ACCOUNTS_TOKEN or BOUNDARY_TOKEN',
} as const;
const logIn = (service: keyof typeof login): string => `${login[service]}, or set a token in the profile.`;

test('an error is a ServiceError, without hint and details if it has none', () => {
  const error = failed('accounts', 500, undefined);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ name: 'LanyardError', details: [], hint: undefined });
});

test('an incomplete response is reported after the messages of the service', () => {
  const body = { errors: ['no'] };
  expect(failed('secrets', 400, body).details).toEqual(['no']);
  const incomplete = failed('secrets', 400, body, { incomplete: true });
  expect(incomplete.details).toEqual(['no', 'The response is incomplete.']);
});

test('a status of 600 is not one of HTTP', () => {
  expect(failed('secrets', 600, undefined).message).toBe(
    'unexpected response from the secrets service: status 600, not a valid HTTP status',
  );
});

describe('401', () => {
  test.each(['secrets', 'registry', 'scheduler', 'accounts'] as const)('of %s: how to log in', (service) => {
    const error = failed(service, 401, undefined);
    expect(error.kind).toBe('unauthenticated');
    expect(error.message).toMatch(/^cannot do it: the .* does not accept the token \(401\)$/);
    expect(error.hint).toBe(logIn(service));
    const anonymous = failed(service, 401, undefined, { tokenSent: false });
    expect(anonymous.message).toBe('cannot do it: unauthorized: no token was sent (401)');
  });

  test('of a registry whose access control is off: no login helps', () => {
    expect(failed('registry', 401, 'ACL support disabled')).toMatchObject({
      kind: 'unauthenticated',
      message: 'cannot do it: access control is off at the service registry (401)',
      hint: undefined,
    });
  });

  test('of a box registry: how to check the token, or how to make one', () => {
    for (const token of [undefined, 'none', 'optional'] as const) {
      const more = token === undefined ? {} : { token };
      expect(failed('box', 401, undefined, more)).toMatchObject({
        kind: 'unauthenticated',
        message: 'cannot do it: unauthorized (401)',
        hint: 'Run `lanyard box token check` to see whether the token is valid.',
      });
      expect(failed('box', 401, undefined, { ...more, tokenSent: false })).toMatchObject({
        kind: 'unauthenticated',
        message: 'cannot do it: unauthorized: no token was sent (401)',
        hint: logIn('box'),
      });
    }
  });

  test('of an operation on the token of a box registry', () => {
    expect(failed('box', 401, undefined, { token: 'required' })).toMatchObject({
      message: 'cannot do it: the box registry does not accept the token (401)',
      hint: logIn('box'),
    });
  });
});

describe('403', () => {
  test.each(serviceNames)('of %s without a token: how to log in', (service) => {
    expect(failed(service, 403, undefined, { tokenSent: false })).toMatchObject({
      kind: 'unauthenticated',
      message: 'cannot do it: permission denied: no token was sent (403)',
      hint: logIn(service),
    });
  });

  test.each(['secrets', 'registry', 'scheduler', 'accounts'] as const)(
    'of %s with a token: how to look at it',
    (service) => {
      expect(failed(service, 403, undefined)).toMatchObject({
        kind: 'forbidden',
        message: 'cannot do it: permission denied (403)',
        hint: 'Run `lanyard status` to see which token is used: it may lack the permission or have expired.',
      });
    },
  );

  test('of a box registry, or without a token where none is needed, has no hint', () => {
    expect(failed('box', 403, undefined).hint).toBeUndefined();
    const anonymous = { token: 'none', tokenSent: false } as const;
    for (const service of serviceNames)
      expect(failed(service, 403, undefined, anonymous)).toMatchObject({
        kind: 'forbidden',
        hint: undefined,
      });
  });
});

describe('404', () => {
  test('of a box registry without a token may be a private box', () => {
    const hint = `Private boxes are not visible without a token. ${logIn('box')}`;
    for (const more of [{}, { token: 'optional' }, { token: 'required' }] as const) {
      expect(failed('box', 404, undefined, { ...more, tokenSent: false })).toMatchObject({
        kind: 'not_found',
        message: 'cannot do it: not found (404)',
        hint,
      });
    }
  });

  test('has no hint with a token, without the need of one, or of another service', () => {
    expect(failed('box', 404, undefined).hint).toBeUndefined();
    expect(failed('box', 404, undefined, { tokenSent: false, token: 'none' }).hint).toBeUndefined();
    for (const service of ['secrets', 'registry', 'scheduler', 'accounts'] as const) {
      for (const tokenSent of [true, false])
        expect(failed(service, 404, undefined, { tokenSent }).hint).toBeUndefined();
    }
  });
});

describe('the hint of a status', () => {
  test.each([
    ['box', 402, 'The owner must settle the bill with the service.'],
    ['secrets', 412, 'Try again in a moment.'],
    ['secrets', 429, 'Send the request to the active node.'],
    ['secrets', 472, 'Send the request to the primary.'],
    ['secrets', 473, 'Send the request to the active node.'],
    ['secrets', 501, 'Initialize and unseal it first.'],
    ['secrets', 503, 'Try again later.'],
    ['registry', 429, 'Try again later.'],
    ['box', 503, 'Try again later.'],
    ['registry', 412, undefined],
    ['registry', 501, undefined],
    ['secrets', 400, undefined],
    ['scheduler', 409, undefined],
    ['box', 422, undefined],
  ] as const)('of %s: %i', (service, status, hint) => {
    expect(failed(service, status, undefined).hint).toBe(hint);
  });

  test.each([
    ['5', 'Try again in 5 s.'],
    ['120', 'Try again in 120 s.'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Try again after Wed, 21 Oct 2026 07:28:00 GMT.'],
    ['Wed Oct 21 07:28:00 2026 GMT', 'Try again after Wed, 21 Oct 2026 07:28:00 GMT.'],
    ['120 s', 'Try again later.'],
    ['hvs.secret', 'Try again later.'],
    ['soon 5', 'Try again later.'],
    ['at 99:99:99', 'Try again later.'],
  ])('names when to try again, after Retry-After: %s', (value, hint) => {
    for (const status of [429, 503])
      expect(failed('secrets', status, undefined, { headers: { 'retry-after': value } }).hint).toBe(hint);
  });

  test('of a sealed service is to unseal it', () => {
    expect(failed('secrets', 503, { errors: ['Vault is sealed'] })).toMatchObject({
      kind: 'unavailable',
      message: 'cannot do it: the secrets service is sealed (503)',
      hint: 'Unseal it, then try again.',
    });
    expect(failed('registry', 503, 'sealed').message).toBe(
      'cannot do it: the service registry is unavailable (503)',
    );
  });
});

describe('check-and-set', () => {
  const mismatch = 'check-and-set parameter did not match the current version';
  const required = 'check-and-set parameter required for this call';

  test('that does not match is a conflict, with the hint to read the version', () => {
    expect(failed('secrets', 400, { errors: ['first', mismatch] })).toMatchObject({
      kind: 'conflict',
      message: 'cannot do it: conflict: the current version differs from the given one',
      details: ['first', mismatch],
      hint: 'Read the current version and write with it.',
      retryable: false,
    });
  });

  test('that is required is a conflict, with the hint to give the version', () => {
    expect(failed('secrets', 400, { errors: ['first', required] })).toMatchObject({
      kind: 'conflict',
      message: 'cannot do it: conflict: check-and-set is required',
      hint: 'Set the current version with --cas (0 if the secret does not exist yet).',
    });
  });

  test('is of a 400 of the secrets service only', () => {
    for (const text of [mismatch, required]) {
      expect(failed('secrets', 500, { errors: [text] }).kind).toBe('failure');
      expect(failed('registry', 400, text)).toMatchObject({
        kind: 'failure',
        message: 'cannot do it: the service registry rejected the request as invalid (400)',
      });
    }
  });
});

test('a 412 is retryable for the secrets service only', () => {
  expect(failed('secrets', 412, undefined).retryable).toBe(true);
  expect(failed('registry', 412, undefined).retryable).toBe(false);
});

describe('a write that a gateway did not complete', () => {
  const unknown = 'The request was sent; whether "do it" took effect is not known.';
  const page = { headers: { 'content-type': 'text/html' }, retry: 'write' } as const;

  test.each([502, 503, 504])('has an unknown outcome, and a hint how to verify it (%i)', (status) => {
    const facts = {
      kind: 'unknown',
      message: `do it: outcome unknown: the secrets service, or a gateway in front of it, did not complete the request (${status})`,
      service: 'secrets',
      status,
      hint: 'Check the current state before you retry.',
      retryable: false,
    };
    const broken = failed('secrets', status, '<html>', page);
    expect(broken).toMatchObject({ ...facts, details: [unknown] });
    const said = failed('secrets', status, { errors: ['upstream'] }, { retry: 'write' });
    expect(said).toMatchObject({ ...facts, details: ['upstream', unknown] });
  });

  test('has an unknown outcome with 502 and 504, even if the text denies an effect', () => {
    for (const status of [502, 504])
      expect(failed('secrets', status, { errors: ['Vault is sealed'] }, { retry: 'write' }).kind).toBe(
        'unknown',
      );
  });

  test('has an unknown outcome if the rate limit is only a part of the text', () => {
    const limited = 'rate limit exceeded for operation\n, try again later';
    expect(failed('registry', 503, limited, { retry: 'write' }).kind).toBe('unknown');
  });
});

describe("a service's own messages", () => {
  test.each([
    ['1 error occurred:\n\t* one\n\n', ['one']],
    ['12 errors occurred:\n\t* one \r\n\t* two * three\n\n', ['one', 'two * three']],
    ['1 error occurred: one', ['one']],
    ['2 errors occurred:\n  * one\n* two', ['one', 'two']],
    ['about 2 errors occurred: one', ['about 2 errors occurred: one']],
    ['a * b', ['a * b']],
  ])('are without the decoration of a list: %j', (text, messages) => {
    expect(messagesOf('secrets', { errors: [text] })).toEqual(messages);
  });

  test('are empty for a body without a known field', () => {
    for (const service of serviceNames) {
      for (const body of [{}, null, [], 7, true, undefined]) expect(messagesOf(service, body)).toEqual([]);
      for (const body of [{ errors: 3 }, { Errors: [1] }, { details: [] }, { details: 'x' }])
        expect(() => messagesOf(service, body)).not.toThrow();
    }
    expect(messagesOf('secrets', { errors: null, warnings: null })).toEqual([]);
    expect(messagesOf('box', { errors: null })).toEqual([]);
    expect(messagesOf('registry', { Errors: null })).toEqual([]);
  });

  test('of a transaction skip invalid errors', () => {
    expect(messagesOf('registry', { Errors: [1, null, [], { OpIndex: 0, What: 'a' }, {}] })).toEqual([
      'operation 0: a',
      'operation null: null',
    ]);
  });

  test('of an account skip invalid fields', () => {
    const details = { request_fields: [1, null, [], { name: 'a', description: 'b' }, {}] };
    expect(messagesOf('accounts', { details })).toEqual(['a: b', 'null: null']);
    for (const other of ['text', null, [], 1]) expect(messagesOf('accounts', { details: other })).toEqual([]);
  });

  test('of an account are unquoted, with the fields of a text that was cut off', () => {
    const said = (message: string) => messagesOf('accounts', { message });
    expect(said('a\\tb\\nc \\"d\\" \\\\ \\x')).toEqual(['a\tb', 'c "d" \\ \\x']);
    expect(said('text", Details: {')).toEqual(['text']);
    const early = '{name: "x", desc: "y"} text';
    expect(said(`${early}", Details: {{name: "a", desc: "b`)).toEqual([early, 'a: b']);
    expect(said('", Details: {{name: "a", desc: "b"}, {name: "", desc: "')).toEqual(['a: b', ':']);
    expect(said('text", Details: {{name: "a\\"b", desc: "c\\"d')).toEqual(['text', 'a"b: c"d']);
  });

  test('of a box registry are the text of an object, its detail or its title', () => {
    const errors = [
      { message: 'm', detail: 'd' },
      { detail: 'd', title: 't' },
      { title: 't' },
      { message: 1 },
      'text',
    ];
    expect(messagesOf('box', { errors })).toEqual(['m', 'd', 't', '{"message":1}', 'text']);
    expect(messagesOf('box', { errors: 'one text' })).toEqual(['one text']);
  });
});
