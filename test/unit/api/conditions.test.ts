import { describe, expect, test } from 'vitest';
import * as is from '../../../src/api/conditions.ts';
import { ServiceError } from '../../../src/api/failures.ts';
import { LanyardError } from '../../../src/errors.ts';

const failed = (status: number, ...details: readonly string[]): LanyardError =>
  new LanyardError(status === 404 ? 'not_found' : 'failure', 'an operation', { status, details });

describe('Vault and OpenBao', () => {
  test.each([
    [failed(400, 'no default issuer currently configured'), true],
    [failed(400, "keys haven't been configured yet"), true],
    [failed(500, 'no keys configured'), true],
    [failed(404), true],
    [failed(404, 'no handler for route "nossh/config/ca". route entry not found.'), false],
    [failed(403, 'permission denied'), false],
    [new Error('no default issuer currently configured'), false],
  ])('a mount without a CA (%#)', (error, expected) => {
    expect(is.isWithoutCa(error)).toBe(expected);
  });

  test('a mount whose issuers have no default', () => {
    expect(is.hasNoDefaultIssuer(failed(400, 'no default issuer currently configured'))).toBe(true);
    expect(is.hasNoDefaultIssuer(failed(400, "keys haven't been configured yet"))).toBe(false);
  });

  test.each([
    [['Endpoint ignored these unrecognized parameters: [managed_key_name]'], ['managed_key_name']],
    [
      ['other', 'Endpoint ignored these unrecognized parameters: [a b]'],
      ['a', 'b'],
    ],
    [['Deleted 2 issuers, including default issuer if configured.'], []],
    [null, []],
    [undefined, []],
  ])('ignored parameters (%#)', (warnings, names) => {
    expect(is.ignoredParameters({ warnings })).toEqual(names);
  });

  test.each([
    [['no handler for route "kvx/data/a". route entry not found.'], 'kvx/data/a'],
    [['unsupported path'], undefined],
    [[], undefined],
  ])('a path below no mount (%#)', (messages, path) => {
    expect(is.unmountedPathIn(messages)).toBe(path);
  });

  test.each([
    [['permission denied'], ['permission denied'], true],
    [
      ['2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n'],
      ['permission denied', 'invalid token'],
      true,
    ],
    [['1 error occurred:\n\t* permission denied\n\n'], ['permission denied'], false],
    [
      ['preflight capability check returned 403, please ensure ...'],
      ['preflight capability check returned 403, please ensure ...'],
      false,
    ],
  ])('a token that the service does not know (%#)', (errors, details, expected) => {
    const error = new ServiceError('forbidden', 'an operation', { status: 403, details }, { errors });
    expect(is.isInvalidToken(error)).toBe(expected);
    expect(is.isHiddenMount(error)).toBe(details[0]?.startsWith('preflight'));
    expect(is.isInvalidToken(failed(400, 'invalid token'))).toBe(false);
  });

  test('a parameter that the help of a path does not list', () => {
    const help = '## PARAMETERS\n\n    generate_signing_key (bool)\n\n        Generate managed_key_name.\n';
    expect(is.lacksParameter(help, 'generate_signing_key', 'managed_key_name')).toBe(true);
    expect(is.lacksParameter(help, 'generate_signing_key', 'generate_signing_key')).toBe(false);
    expect(is.lacksParameter('', 'generate_signing_key', 'managed_key_name')).toBe(false);
  });
});

describe('every product', () => {
  test('plain http to a port that speaks TLS', () => {
    expect(is.isPlainHttpToTls(['Client sent an HTTP request to an HTTPS server.'])).toBe(true);
    expect(is.isPlainHttpToTls(['an HTTPS server'])).toBe(false);
  });
});
