import { describe, expect, it } from 'vitest';
import { hideSecrets, redact, redactUrl, secretsIn, tokenSecret } from '../../../src/api/redaction.ts';

describe('redact', () => {
  it('removes a secret as plain text, inside JSON and inside a URL', () => {
    const secret = 'line one\n"quoted" & more';
    const text = `${secret} | ${JSON.stringify({ a: secret })} | ?p=${encodeURIComponent(secret)}`;
    expect(redact(text, [secret])).toBe('<redacted> | {"a":"<redacted>"} | ?p=<redacted>');
  });

  it('takes out the longer of two that overlap', () => {
    expect(redact('abcdefgh', ['abcd', 'abcdefgh'])).toBe('<redacted>');
  });

  it('removes private keys that are not listed, complete or cut', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----';
    expect(redact(`a ${key} b`, [])).toBe('a <redacted> b');
    expect(redact('a -----BEGIN PRIVATE KEY-----\nAAAA', [])).toBe('a <redacted>');
  });

  it('leaves words that are too short to be a secret', () => {
    expect(redact('a cat', ['a', ''])).toBe('a cat');
  });
});

describe('a token', () => {
  const short = [tokenSecret('root')];

  it('of a product is taken out wherever it is', () => {
    expect(redact('a hvs.CAESIJ b', [tokenSecret('hvs.CAESIJ')])).toBe('a <redacted> b');
    expect(redact('xdevtokenx', [tokenSecret('devtoken')])).toBe('x<redacted>x');
  });

  it.each([
    'root is not a valid value for valid_principals',
    'the root of the tree, uprooted',
    'token_type root_token, tokenroot',
  ])('that is a short word leaves %j readable', (text) => {
    expect(redact(text, short)).toBe(text);
  });

  it.each([
    ['X-Vault-Token: root', 'X-Vault-Token: <redacted>'],
    ['Authorization: Bearer root', 'Authorization: Bearer <redacted>'],
    ['invalid token "root"', 'invalid token "<redacted>"'],
    ['bad token root.', 'bad token <redacted>.'],
    ['{"client_token":"root"}', '{"client_token":"<redacted>"}'],
    ['/v1/x?token=root&a=b', '/v1/x?token=<redacted>&a=b'],
  ])('that is a short word is taken out of %j', (text, hidden) => {
    expect(redact(text, short)).toBe(hidden);
  });

  it('may have characters that mean something in a pattern', () => {
    expect(redact('token: a.*[b', [tokenSecret('a.*[b')])).toBe('token: <redacted>');
    expect(redact('token: axx[b', [tokenSecret('a.*[b')])).toBe('token: axx[b');
  });
});

describe('secretsIn of a body whose values are only assumed to be secrets', () => {
  it('has no words, numbers and durations, but for fields that are called a secret', () => {
    const body = {
      type: 'nosuchthing',
      token_type: 'default-batch',
      ttl: '768h',
      max_ttl: 86400,
      on: true,
      password: 'correct',
      config: { token: 'word', path: 'auth/userpass' },
    };
    expect(secretsIn(JSON.stringify(body), { secretBody: 'assumed' })).toEqual(['correct', 'word']);
  });

  it.each([
    'hunter22',
    'Sup3rS3cret',
    'deadbeef00',
    'aBcDeFgH',
    'correct horse battery staple',
    'AKIAIOSFODNN7EXAMPLE',
    'qjxkzvbwpmfgtrhd',
    '123456789',
    'a\nb',
  ])('has %j', (value) => {
    expect(secretsIn(JSON.stringify({ value2: value }), { secretBody: 'assumed' })).toEqual([value]);
  });

  it('hides all of them where the request is shown', () => {
    expect(hideSecrets('{"type":"kv","ttl":1}', { secretBody: 'assumed' })).toEqual({
      type: '<redacted>',
      ttl: '<redacted>',
    });
  });
});

describe('redactUrl', () => {
  it('has no credentials and no token', () => {
    const url = new URL('https://user:pass@host/v1/x?token=t1&ns=a&access_token=t2');
    expect(redactUrl(url)).toBe('https://host/v1/x?token=redacted&ns=a&access_token=redacted');
  });
});

describe('hideSecrets', () => {
  it('hides fields by name, however they are spelt', () => {
    const body = {
      private_key: 'k',
      password: 'p',
      current_password: 'p',
      new_password: 'p',
      otp: 'o',
      token: 't',
      BearerToken: 'b',
      secret_id: 's',
      SecretID: 's',
      two_factor: { code: '123' },
      public_key: 'shown',
      key_type: 'shown',
    };
    const hidden = JSON.stringify(hideSecrets(JSON.stringify(body)));
    expect(hidden.match(/<redacted>/g)).toHaveLength(10);
    expect(hidden.match(/shown/g)).toHaveLength(2);
  });

  it('hides what ends in the name of a secret, and nothing that only begins with one', () => {
    const secrets = [
      'OIDCClientSecret',
      'ServiceAccountJWT',
      'bind-password',
      'secret_access_key',
      'unwrap_tokens',
    ];
    const shown = [
      'token_ttl',
      'token_type',
      'JWTSupportedAlgs',
      'secret_shares',
      'status_code',
      'KeyValue',
      'Key',
    ];
    const body = Object.fromEntries([...secrets, ...shown].map((name) => [name, 'text']));
    expect(hideSecrets(JSON.stringify(body))).toEqual({
      ...body,
      ...Object.fromEntries(secrets.map((name) => [name, '<redacted>'])),
    });
    expect(hideSecrets('{"bind_secret_id":true}')).toEqual({ bind_secret_id: true });
    const text = '{"disable_local_ca_jwt":"true","local_secret_ids":"false","jwt":"a.b.c"}';
    expect(secretsIn(text, { secretBody: 'assumed' })).toEqual(['a.b.c']);
    expect(hideSecrets(text)).toMatchObject({ disable_local_ca_jwt: 'true', local_secret_ids: 'false' });
  });

  it('hides keys where they are secrets and no names', () => {
    const text = '{"key":"a","Keys":["b"],"public_key":"c","key_type":"d","pgp_keys":["e"]}';
    expect(hideSecrets(text)).toEqual(JSON.parse(text));
    expect(hideSecrets(text, { secretKeys: true })).toEqual({
      ...JSON.parse(text),
      key: '<redacted>',
      Keys: ['<redacted>'],
    });
  });

  it('hides a private key whatever it is called', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    expect(hideSecrets(JSON.stringify({ bundle: pem }))).toEqual({ bundle: '<redacted>' });
    expect(secretsIn(JSON.stringify({ bundle: pem }))).toEqual([pem]);
  });

  it('hides every value of items and of key-value data', () => {
    expect(
      hideSecrets('{"Path":"a","Items":{"user":"x","n":1},"data":{"deep":[{"v":true}]},"null":null}'),
    ).toEqual({
      Path: 'a',
      Items: { user: '<redacted>', n: '<redacted>' },
      data: { deep: [{ v: '<redacted>' }] },
      null: null,
    });
  });

  it('goes into an object that only bears the name of a secret', () => {
    expect(hideSecrets('{"token":{"description":"laptop"}}')).toEqual({
      token: { description: '<redacted>' },
    });
  });

  it('hides every value, whatever its name, if the entire body is secret', () => {
    expect(hideSecrets('{"user":"x","deep":{"n":[1,null]}}', { secretBody: true })).toEqual({
      user: '<redacted>',
      deep: { n: ['<redacted>', null] },
    });
    expect(hideSecrets('plain text', { secretBody: true })).toBe('<redacted>');
    expect(secretsIn('{"user":"x","n":1}', { secretBody: true })).toEqual(['x', '1']);
  });

  it('keeps integers exact', () => {
    expect(hideSecrets('{"Flags":18446744073709551615}')).toEqual({ Flags: 18446744073709551615n });
  });

  it('leaves text as text, without the private keys in it', () => {
    expect(hideSecrets('key "" { policy = "read" }')).toBe('key "" { policy = "read" }');
    expect(hideSecrets('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')).toBe(
      '<redacted>\n',
    );
    expect(hideSecrets('"text"')).toBe('"text"');
  });
});

describe('secretsIn', () => {
  it('finds what hideSecrets hides', () => {
    expect(secretsIn('{"password":"hunter2","Items":{"n":12345},"name":"x"}')).toEqual(['hunter2', '12345']);
    expect(secretsIn('no json')).toEqual([]);
    expect(secretsIn(undefined)).toEqual([]);
  });
});
