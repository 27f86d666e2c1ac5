import { describe, expect, test } from 'vitest';
import * as is from '../../../src/api/conditions.ts';
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

  test('a parameter that the help of a path does not list', () => {
    const help = '## PARAMETERS\n\n    generate_signing_key (bool)\n\n        Generate managed_key_name.\n';
    expect(is.lacksParameter(help, 'generate_signing_key', 'managed_key_name')).toBe(true);
    expect(is.lacksParameter(help, 'generate_signing_key', 'generate_signing_key')).toBe(false);
    expect(is.lacksParameter('', 'generate_signing_key', 'managed_key_name')).toBe(false);
  });
});
