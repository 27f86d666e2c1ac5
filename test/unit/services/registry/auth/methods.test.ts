import { describe, expect, test } from 'vitest';
import { responseContaining } from '../../callers.ts';
import { issuer, withLogin } from './support.ts';

const { pem } = issuer();
const { privateKey } = issuer();
const config = { JWTValidationPubKeys: [pem] };

describe('auth methods', () => {
  test('are made, read, listed without their configuration, changed and removed', async () => {
    const { manage } = await withLogin();
    const made = await manage('PUT', 'acl/auth-method', {
      Name: 'ci',
      Type: 'jwt',
      Description: 'the builds',
      MaxTokenTTL: '30m',
      TokenLocality: 'global',
      Config: config,
    });
    expect(made).toMatchObject({
      Name: 'ci',
      Type: 'jwt',
      MaxTokenTTL: '30m0s',
      TokenLocality: 'global',
      Config: config,
    });
    expect(await manage('GET', 'acl/auth-method/ci')).toEqual(made);
    const { Config: _config, ...listed } = made;
    expect(await manage('GET', 'acl/auth-methods')).toEqual([listed]);
    const changed = await manage('PUT', 'acl/auth-method/ci', { Type: 'jwt', Config: config });
    expect(changed).toMatchObject({ Name: 'ci', CreateIndex: made.CreateIndex });
    expect(changed).not.toHaveProperty('Description');
    expect(changed).not.toHaveProperty('MaxTokenTTL');
    expect(await manage('DELETE', 'acl/auth-method/ci')).toBe(true);
  });

  test.each([
    [{ Name: 'two words' }, 'invalid Name'],
    [{ Type: 'aws-iam' }, 'Type should be one of: [jwt kubernetes oidc]'],
    [{ TokenLocality: 'here' }, "TokenLocality should be one of 'local' or 'global'"],
    [{ Config: {} }, 'Config must have exactly one of JWTValidationPubKeys, JWKSURL, OIDCDiscoveryURL'],
    [{ Config: { ...config, JWKSURL: 'http://127.0.0.1/' } }, 'Config must have exactly one of'],
    [{ Config: { JWTValidationPubKeys: [] } }, 'JWTValidationPubKeys must be one to 32 public keys'],
    [{ Config: { JWTValidationPubKeys: ['x'] } }, 'JWTValidationPubKeys[0] is not a public key in PEM form'],
    [
      { Config: { JWTValidationPubKeys: [privateKey.export({ format: 'pem', type: 'pkcs8' })] } },
      'JWTValidationPubKeys[0] is a private key: give the public one',
    ],
    [{ Config: { ...config, JWTSupportedAlgs: ['HS256'] } }, 'JWTSupportedAlgs: "HS256" is not one of'],
    [{ Config: { ...config, JWTSupportedAlgs: ['none'] } }, 'JWTSupportedAlgs: "none" is not one of'],
    [
      { Config: { ...config, ClaimMappings: { a: 'x', b: 'x' } } },
      'ClaimMappings gives one name to two claims',
    ],
    [{ Config: { ...config, ClaimMappings: { a: 'x y' } } }, 'ClaimMappings: "x y" is not a name'],
    [{ Config: { ...config, ClockSkewLeeway: 'soon' } }, 'ClockSkewLeeway of Config must be a duration'],
    [{ Config: { ...config, Other: 1 } }, 'Other is not supported in the Config of a method of type jwt'],
    [
      { Config: { JWKSURL: 'https://keys.example/' } },
      'JWKSURL must be on this machine (127.0.0.1, ::1 or localhost)',
    ],
    [{ Config: { JWKSURL: 'http://127.0.0.1.example/' } }, 'JWKSURL must be on this machine'],
    [{ Config: { JWKSURL: 'file:///etc/passwd' } }, 'JWKSURL must be a URL'],
    [{ Config: { OIDCDiscoveryURL: 'https://10.0.0.1/' } }, 'OIDCDiscoveryURL must be on this machine'],
    [
      { Type: 'kubernetes', Config: { Host: 'https://cluster:6443' } },
      'Host is not supported: the embedded services make no outbound call',
    ],
    [{ Type: 'kubernetes', Config: {} }, 'JWTValidationPubKeys must be one to 32 public keys'],
    [
      { Type: 'oidc', Config: { OIDCDiscoveryURL: 'https://login.example' } },
      'OIDCDiscoveryURL must be on this machine',
    ],
    [
      { Type: 'oidc', Config: { OIDCDiscoveryURL: 'http://[::1]:1/', OIDCClientID: 'x' } },
      'AllowedRedirectURIs must name one',
    ],
  ])('that are invalid are rejected: %j', async (part, message) => {
    const { root } = await withLogin();
    const body = { Name: 'm', Type: 'jwt', Config: config, ...part };
    expect(await root('PUT', 'acl/auth-method', body)).toEqual(
      responseContaining(500, `Invalid Auth Method: ${message}`),
    );
  });

  test('have tokens of one minute at least, fields that are known, and a name', async () => {
    const { root, manage } = await withLogin();
    const method = { Name: 'm', Type: 'jwt', Config: config };
    const rejected = (body: unknown) => root('PUT', 'acl/auth-method', body);
    expect(await rejected({ ...method, NamespaceRules: [] })).toBe(
      '400 AuthMethod decoding failed: json: unknown field "NamespaceRules"',
    );
    expect(await rejected('')).toBe('400 AuthMethod decoding failed: EOF');
    expect(await root('PUT', 'acl/auth-method/x', method)).toBe(
      '400 AuthMethod Name in URL and payload do not match',
    );
    expect(await manage('PUT', 'acl/auth-method', { ...method, MaxTokenTTL: '25h' })).toMatchObject({
      MaxTokenTTL: '25h0m0s',
    });
    // The type of an existing method is the default.
    expect(await manage('PUT', 'acl/auth-method/m', { Config: config })).toMatchObject({ Type: 'jwt' });
  });

  test('are accepted with addresses of this machine only in every way to write one', async () => {
    const { manage } = await withLogin();
    const urls = [
      'http://127.0.0.1:1/k',
      'https://localhost/k',
      'http://[::1]:2/k',
      'http://127.1/k',
      'http://0x7f.1/',
    ];
    for (const [index, JWKSURL] of urls.entries()) {
      await manage('PUT', 'acl/auth-method', { Name: `m${index}`, Type: 'jwt', Config: { JWKSURL } });
    }
  });

  test('show the client secret only to callers that may write it, and nothing to callers that may not read', async () => {
    const { manage, holder, anonymous } = await withLogin();
    const Config = {
      OIDCDiscoveryURL: 'http://127.0.0.1:1',
      OIDCClientID: 'registry',
      OIDCClientSecret: 'a-secret',
      AllowedRedirectURIs: ['http://localhost:8550/oidc/callback'],
    };
    await manage('PUT', 'acl/auth-method', { Name: 'people', Type: 'oidc', Config });
    expect(await manage('GET', 'acl/auth-method/people')).toMatchObject({ Config });
    const { send } = await holder('acl = "read"');
    const shown = await send('GET', 'acl/auth-method/people');
    expect(shown).toMatch(/^200 .*<hidden>/);
    expect(shown).not.toContain('a-secret');
    expect(await send.status('PUT', 'acl/auth-method/people', { Type: 'oidc', Config })).toBe(403);
    expect(await send.status('DELETE', 'acl/auth-method/people')).toBe(403);
    expect(await anonymous.status('GET', 'acl/auth-methods')).toBe(403);
    expect(await anonymous.status('GET', 'acl/auth-method/people')).toBe(403);
  });

  test('take their binding rules and their tokens with them', async () => {
    const { manage, root, token, withToken } = await withLogin();
    const { pem, sign } = issuer();
    for (const Name of ['ci', 'other']) {
      await manage('PUT', 'acl/auth-method', { Name, Type: 'jwt', Config: { JWTValidationPubKeys: [pem] } });
      await manage('PUT', 'acl/binding-rule', { AuthMethod: Name, BindType: 'service', BindName: 'web' });
    }
    const gone = await token('ci', await sign({}));
    const stays = await token('other', await sign({}));
    await manage('DELETE', 'acl/auth-method/ci');
    expect(await manage('GET', 'acl/binding-rules')).toMatchObject([{ AuthMethod: 'other' }]);
    const self = async (made: typeof gone) => await withToken(made.SecretID).status('GET', 'acl/token/self');
    expect([await self(gone), await self(stays)]).toEqual([403, 200]);
    expect(await root.status('GET', `acl/token/${gone.AccessorID}`)).toBe(403);
  });
});
