import { describe, expect, test } from 'vitest';
import { basicAuthSecrets, hideSecrets, redact, secretsIn, textOf } from '../../../src/api/redaction.ts';

describe('redact', () => {
  test('hides a secret of four characters, and none of three', () => {
    expect(redact('a pass b cat c', ['pass', 'cat'])).toBe('a <redacted> b cat c');
  });

  test('leaves the text around a pattern', () => {
    expect(redact('token abc, abc', [/(?<=token )abc/g])).toBe('token <redacted>, abc');
  });
});

describe('basicAuthSecrets', () => {
  test.each([
    ['user:password', ['user:password', 'password']],
    ['user:pass:word', ['user:pass:word', 'pass:word']],
    ['user:seven77', ['user:seven77']],
    [':password', [':password', 'password']],
  ])('of %s', (text, [whole = '', ...password]) => {
    expect(basicAuthSecrets(text, 'base64')).toEqual([whole, 'base64', ...password]);
  });
});

describe('the text of a body', () => {
  test('is the text itself, or its bytes as text', () => {
    expect(textOf('10\0')).toBe('10\0');
    expect(textOf(Buffer.from('\ufeffmüde'))).toBe('\ufeffmüde');
  });

  test.each([[Uint8Array.of(0x61, 0)], [Uint8Array.of(0x61, 0xff)]])(
    'does not exist for bytes that no command line can contain (%#)',
    (bytes) => expect(textOf(bytes)).toBeUndefined(),
  );
});

describe('secretsIn', () => {
  test('finds them in a body of bytes', () => {
    expect(secretsIn(Buffer.from('{"password":"müde-hunter2"}'))).toEqual(['müde-hunter2']);
    expect(secretsIn(new TextEncoder().encode('{"password":"hunter2"}'))).toEqual(['hunter2']);
    expect(secretsIn(Uint8Array.of(0xff, 0xfe))).toEqual([]);
    expect(secretsIn(Uint8Array.of(0xff, 0xfe), { secretBody: true })).toEqual([]);
  });

  test('hides a secret body that is not valid JSON, and nothing of another', () => {
    expect(secretsIn('not JSON', { secretBody: true })).toEqual(['not JSON']);
    expect(secretsIn(Buffer.from('not JSON'), { secretBody: true })).toEqual(['not JSON']);
    expect(secretsIn('', { secretBody: true })).toEqual([]);
    expect(secretsIn('not JSON')).toEqual([]);
    expect(secretsIn(undefined, { secretBody: true })).toEqual([]);
  });

  test.each([
    'word',
    'two words',
    'a/b.c',
    'GET',
    'PUBLIC',
    '10',
    '1234567',
    '30s',
    '10ms',
    '5us',
    '5ns',
    '1m',
    '1h',
    '1d',
  ])('does not take %j for a secret where that is only assumed', (value) =>
    expect(secretsIn(JSON.stringify([value]), { secretBody: 'assumed' })).toEqual([]),
  );

  test.each([
    'Word',
    'one two three four',
    'a  b',
    'THIRTEENCHARS',
    'thirteenchars',
    '12345678',
    '10w',
    's10',
    '-1',
    'GETget',
  ])('takes %j for a secret where that is only assumed', (value) =>
    expect(secretsIn(JSON.stringify([value]), { secretBody: 'assumed' })).toEqual([value]),
  );
});

describe('hideSecrets', () => {
  test('leaves null as text', () => {
    expect(hideSecrets('null')).toBe('null');
    expect(hideSecrets('null', { secretBody: true })).toBe('<redacted>');
  });
});
