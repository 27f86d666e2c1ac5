import { describe, expect, test } from 'vitest';
import { ownVariable, type SettingName, services, settingNames } from '../../../src/api/services.ts';
import { type Settings, settingsOf } from '../../../src/api/settings.ts';
import type { ProfileSettings, Sources } from '../../../src/api/sources.ts';
import { LanyardError } from '../../../src/errors.ts';
import { hasSetting, type ServiceName, serviceNames } from '../../../src/wire/services.ts';

const address = 'https://service.example.com:8200';

/** The settings from an environment, and from profiles with the address. */
function of(
  service: ServiceName,
  env: Sources['env'],
  profiles: { readonly named?: ProfileSettings; readonly active?: ProfileSettings } = {},
  more: Partial<Sources> = {},
): Settings {
  const { named, active } = profiles;
  return settingsOf(service, {
    flags: {},
    env,
    ...(named ? { named: { name: 'n', settings: named } } : {}),
    ...(active ? { active: { name: 'a', settings: active } } : {}),
    ...more,
  });
}

/** The value that a variable sets: a file of a token is the token's source. */
const settingOf = (settings: Settings, setting: SettingName): unknown =>
  settings[setting === 'tokenFile' ? 'token' : setting];

/** A value of its kind, and what becomes of it. */
function sample(setting: SettingName, name: string): readonly [text: string, expected: unknown] {
  if (setting === 'address') return ['https://other.example.com:1', 'https://other.example.com:1'];
  if (setting === 'token' || setting === 'httpAuth') return ['value', { from: 'variable', name }];
  if (setting === 'tokenFile') return ['/the/file', { from: 'file', path: '/the/file' }];
  if (setting === 'skipVerify') return ['true', true];
  if (setting === 'timeout') return ['1m30s', 90];
  if (setting === 'maxRetries') return ['5', 5];
  return ['value', 'value'];
}

/** Every variable of a product, and every LANYARD_ variable, with the setting that it is for. */
const variables = serviceNames.flatMap((service) =>
  settingNames
    .filter((setting) => hasSetting(service, setting))
    .flatMap((setting) =>
      [ownVariable(service, setting), ...(services[service].product[setting] ?? [])].map(
        (name) => [name, service, setting] as const,
      ),
    ),
);

describe('the variable', () => {
  test.each(variables)('%s is read (%s, %s)', (name, service, setting) => {
    const [text, expected] = sample(setting, name);
    const settings = of(service, { [name]: text }, { active: { address } });
    expect(settingOf(settings, setting)).toEqual(expected);
    // Empty counts as not set.
    expect(settingOf(of(service, { [name]: '' }, { active: { address } }), setting)).toEqual(
      settingOf(of(service, {}, { active: { address } }), setting),
    );
  });

  test.each(variables)('%s is one of its service alone (%s)', (name, service, setting) => {
    const [text] = sample(setting, name);
    for (const other of serviceNames.filter((each) => each !== service)) {
      expect(of(other, { [name]: text }, { active: { address } })).toEqual(
        of(other, {}, { active: { address } }),
      );
    }
  });

  test.each(
    services.secrets.product.address === undefined
      ? []
      : settingNames.flatMap((setting) =>
          (services.secrets.product[setting] ?? [])
            .filter((name) => name.startsWith('BAO_'))
            .map((name) => [name, setting] as const),
        ),
  )('%s comes before the one of VAULT_, also where it is empty', (name, setting) => {
    const [text, expected] = sample(setting, name);
    const vault = name.replace('BAO_', 'VAULT_');
    const other = {
      address: 'https://vault.example.com',
      skipVerify: 'false',
      timeout: '7s',
      maxRetries: '7',
    };
    const value = Object.hasOwn(other, setting) ? other[setting as keyof typeof other] : 'other';
    const active = { address };
    expect(settingOf(of('secrets', { [vault]: value, [name]: text }, { active }), setting)).toEqual(expected);
    expect(settingOf(of('secrets', { [vault]: value, [name]: '' }, { active }), setting)).toEqual(
      settingOf(of('secrets', {}, { active }), setting),
    );
  });

  test.each(serviceNames)('LANYARD_ comes before the product’s, a named profile between (%s)', (service) => {
    for (const setting of settingNames.filter((each) => services[service].product[each])) {
      const [product = ''] = services[service].product[setting] ?? [];
      const own = ownVariable(service, setting);
      const [text, expected] = sample(setting, product);
      const env = { [product]: text };
      expect(settingOf(of(service, env, { active: { address } }), setting)).toEqual(expected);
      const [ownText, ownExpected] = sample(setting, own);
      expect(
        settingOf(of(service, { ...env, [own]: ownText }, { named: { address } }), setting),
        setting,
      ).toEqual(ownExpected);
    }
  });

  test.each([
    ['secrets', 'VAULT_SKIP_VERIFY', 'maybe', 'expected true or false'],
    ['registry', 'CONSUL_HTTP_SSL_VERIFY', 'nonsense', 'expected true or false'],
    ['secrets', 'VAULT_CLIENT_TIMEOUT', 'soon', 'expected a duration'],
    ['secrets', 'VAULT_CLIENT_TIMEOUT', '-5', 'expected a duration'],
    ['secrets', 'VAULT_MAX_RETRIES', '-1', 'expected a number'],
    ['accounts', 'BOUNDARY_MAX_RETRIES', 'many', 'expected a number'],
  ] as const)('of %s %s=%s is rejected', (service, name, value, message) => {
    const call = () => of(service, { [name]: value }, { active: { address } });
    expect(call).toThrow(LanyardError);
    expect(call).toThrow(`invalid ${name}: ${message}`);
  });

  test('VAULT_CLIENT_TIMEOUT is seconds or a duration; 0 means the default', () => {
    expect(of('secrets', { VAULT_CLIENT_TIMEOUT: '90' }, { active: { address } }).timeout).toBe(90);
    expect(of('secrets', { VAULT_CLIENT_TIMEOUT: '2m' }, { active: { address } }).timeout).toBe(120);
    expect(of('secrets', { VAULT_CLIENT_TIMEOUT: '0' }, { active: { address } }).timeout).toBeUndefined();
  });

  test.each(['false', '0', 'F'])('CONSUL_HTTP_SSL_VERIFY=%s turns verification off', (value) => {
    const env = { CONSUL_HTTP_SSL_VERIFY: value };
    expect(of('registry', env, { active: { address } }).skipVerify).toBe(true);
    expect(of('registry', env, { named: { address, skipVerify: 'false' } }).skipVerify).toBe(false);
    expect(
      of('registry', { ...env, LANYARD_REGISTRY_SKIP_VERIFY: 'false' }, { active: { address } }).skipVerify,
    ).toBe(false);
    expect(
      of('registry', { CONSUL_HTTP_SSL_VERIFY: 'true' }, { active: { address, skipVerify: 'true' } })
        .skipVerify,
    ).toBe(false);
  });
});

describe('the token', () => {
  const file = (path: string) => ({ from: 'file', path });
  const variable = (name: string) => ({ from: 'variable', name });

  test('of CONSUL_HTTP_TOKEN_FILE comes before CONSUL_HTTP_TOKEN', () => {
    const env = { CONSUL_HTTP_TOKEN: 't', CONSUL_HTTP_TOKEN_FILE: '/f' };
    expect(of('registry', env, { active: { address, token: 'env://X' } }).token).toEqual(file('/f'));
    expect(of('registry', { ...env, LANYARD_REGISTRY_TOKEN: 'o' }, { active: { address } }).token).toEqual(
      variable('LANYARD_REGISTRY_TOKEN'),
    );
  });

  test('of a named profile comes before the product’s file', () => {
    const env = { CONSUL_HTTP_TOKEN_FILE: '/f' };
    expect(of('registry', env, { named: { address, token: 'env://X' } }).token).toEqual(variable('X'));
  });

  const exists = () => true;
  const loginFiles = [
    ['secrets', 'VAULT_ADDR', {}, '~/.vault-token'],
    ['secrets', 'BAO_ADDR', {}, '~/.vault-token'],
    ['secrets', 'VAULT_ADDR', { VAULT_TOKEN_PATH: '/v' }, '/v'],
    ['secrets', 'VAULT_ADDR', { VAULT_TOKEN_PATH: '/v', BAO_TOKEN_PATH: '/b' }, '/b'],
    ['secrets', 'VAULT_ADDR', { VAULT_TOKEN_PATH: '/v', BAO_TOKEN_PATH: '' }, '~/.vault-token'],
    ['box', 'VAGRANT_SERVER_URL', {}, '~/.vagrant.d/data/vagrant_login_token'],
    ['box', 'VAGRANT_SERVER_URL', { VAGRANT_HOME: '/v' }, '/v/data/vagrant_login_token'],
  ] as const;

  test.each(loginFiles)('of the login of %s goes with %s %j: %s', (service, name, more, path) => {
    const env = { [name]: address, ...more };
    expect(of(service, env, {}, { exists }).token).toEqual(file(path));
    expect(of(service, env, {}, { exists }).tokenFrom).toBe(path);
    expect(of(service, env, {}, { exists: () => false }).token).toBeUndefined();
    const active = { address, token: 'env://X' };
    expect(of(service, env, { active }, { exists }).token).toEqual(file(path));
    expect(of(service, env, { active }, { exists: () => false }).token).toEqual(variable('X'));
  });

  test.each(loginFiles)(
    'of the login of %s goes with no other address than that of %s',
    (service, _name, more) => {
      const own = ownVariable(service, 'address');
      expect(of(service, { ...more, [own]: address }, {}, { exists }).token).toBeUndefined();
      expect(of(service, more, { active: { address } }, { exists }).token).toBeUndefined();
      expect(of(service, more, { named: { address } }, { exists }).token).toBeUndefined();
      expect(of(service, more, {}, { exists, flags: { address } }).token).toBeUndefined();
    },
  );

  test('of a variable comes before the file of a login', () => {
    const env = { VAULT_ADDR: address, VAULT_TOKEN: 't' };
    expect(of('secrets', env, {}, { exists }).token).toEqual(variable('VAULT_TOKEN'));
  });

  test('of a profile goes to each of its addresses, and to no other', () => {
    const active = { addresses: [address, 'https://two.example.com'], token: 'env://X' };
    const at = (url: string) => of('secrets', {}, { active }, { flags: { address: url } }).token;
    expect(of('secrets', {}, { active }).token).toEqual(variable('X'));
    expect(at('https://two.example.com')).toEqual(variable('X'));
    expect(at('https://three.example.com')).toBeUndefined();
    const mixed = { LANYARD_SECRETS_ADDR: `${address},https://three.example.com` };
    expect(of('secrets', mixed, { active }).token).toBeUndefined();
  });

  test('of a profile belongs to the path of its unix socket', () => {
    const active = { address: 'unix:///run/one.sock', token: 'env://X' };
    const at = (url: string) => of('registry', {}, { active }, { flags: { address: url } }).token;
    expect(at('unix:///run/one.sock')).toEqual(variable('X'));
    expect(at('unix:///run/two.sock')).toBeUndefined();
    expect(at('http://localhost')).toBeUndefined();
  });

  test('and HTTP authentication of a profile stay at its address', () => {
    const active = { address, httpAuth: 'env://AUTH' };
    expect(of('registry', {}, { active }).httpAuth).toEqual(variable('AUTH'));
    const flags = { address: 'https://other.example.com' };
    expect(of('registry', {}, { active }, { flags }).httpAuth).toBeUndefined();
  });
});

describe('the namespace', () => {
  test.each(['..', '.', '../a', 'a/../b', 'a/..', 'a/./b', 'a\u0000b', 'a\nb', '\u001b[31m'])(
    'must be names: %j',
    (namespace) => {
      expect(() => of('secrets', { VAULT_ADDR: address }, {}, { flags: { namespace } })).toThrow(
        'invalid namespace from --namespace: expected names separated by "/"',
      );
      expect(() => of('secrets', { VAULT_ADDR: address, VAULT_NAMESPACE: namespace })).toThrow(
        'invalid namespace from VAULT_NAMESPACE',
      );
    },
  );

  test.each(['a', 'a/b/', '/a', '/', '*', 'a..b', '...'])('may be %s', (namespace) => {
    expect(of('secrets', { VAULT_ADDR: address }, {}, { flags: { namespace } }).namespace).toBe(namespace);
  });
});

describe('the address', () => {
  test('may be several, from a profile or LANYARD_', () => {
    const two = 'https://two.example.com';
    expect(of('secrets', {}, { active: { addresses: [address, two] } })).toMatchObject({
      address,
      addresses: [address, two],
      profile: 'a',
    });
    expect(of('secrets', {}, { active: { address: two, addresses: [address, two] } }).addresses).toEqual([
      two,
      address,
    ]);
    expect(of('secrets', { LANYARD_SECRETS_ADDR: `${address}, ${two}` }).addresses).toEqual([address, two]);
    expect(
      of('secrets', { VAULT_ADDR: 'https://v' }, { active: { addresses: [address, two] } }).addresses,
    ).toEqual(['https://v']);
    expect(
      of('secrets', { VAULT_ADDR: 'https://v' }, { named: { addresses: [address, two] } }).addresses,
    ).toEqual([address, two]);
  });

  test.each([
    ['unix:///run/consul/http.sock', 'unix:///run/consul/http.sock'],
    ['unix:/run/x y.sock', 'unix:///run/x y.sock'],
  ])('%s is a unix socket', (given, expected) => {
    expect(of('registry', { CONSUL_HTTP_ADDR: given }).address).toBe(expected);
    expect(of('scheduler', { NOMAD_ADDR: given }).address).toBe(expected);
    expect(of('secrets', { VAULT_ADDR: given }).address).toBe(expected);
  });

  test.each(['unix://relative.sock', 'unix:', 'unix:///'])('%s is rejected', (given) => {
    expect(() => of('registry', { CONSUL_HTTP_ADDR: given })).toThrow('expected the path of a unix socket');
  });
});

describe('CA certificates', () => {
  test('come from the strongest source; of one source a file before text before a directory', () => {
    const all = { VAULT_CACERT: '/c', VAULT_CACERT_BYTES: 'pem', VAULT_CAPATH: '/d' };
    const authority = (env: Sources['env'], profiles = {}) => {
      const { caCert, caPem, caPath } = of('secrets', { VAULT_ADDR: address, ...env }, profiles);
      return { caCert, caPem, caPath };
    };
    expect(authority(all)).toEqual({ caCert: '/c' });
    expect(authority({ ...all, VAULT_CACERT: '' })).toEqual({ caPem: 'pem' });
    expect(authority({ VAULT_CAPATH: '/d' })).toEqual({ caPath: '/d' });
    expect(authority({ ...all, LANYARD_SECRETS_CAPATH: '/own' })).toEqual({ caPath: '/own' });
    expect(authority(all, { named: { address, caPath: '/p' } })).toEqual({ caPath: '/p' });
    expect(authority({ VAULT_CAPATH: '/d' }, { active: { address, caCert: '/p' } })).toEqual({
      caPath: '/d',
    });
  });
});

describe('a variable that is not supported', () => {
  test.each([
    [
      'secrets',
      { VAULT_WRAP_TTL: '60s' },
      'VAULT_WRAP_TTL is set and not supported: the response is not wrapped; use --wrap-ttl',
    ],
    ['secrets', { BAO_WRAP_TTL: '60s', VAULT_WRAP_TTL: '1s' }, 'BAO_WRAP_TTL is set and not supported'],
    ['secrets', { VAULT_MFA: 'x' }, 'VAULT_MFA is set and not supported'],
    ['registry', { CONSUL_PARTITION: 'team' }, 'CONSUL_PARTITION is set and not supported'],
    ['accounts', { BOUNDARY_RECOVERY_CONFIG: 'f' }, 'BOUNDARY_RECOVERY_CONFIG is set and not supported'],
  ] as const)('of %s is named: %j', (service, env, message) => {
    const [product = ''] = services[service].product.address ?? [];
    const { unsupported } = of(service, { [product]: address, ...env });
    expect(unsupported).toHaveLength(1);
    expect(unsupported[0]).toContain(message);
  });

  test.each([
    ['box', 'httpAuth', 'LANYARD_BOX_HTTP_AUTH has no effect: the box service has no http-auth'],
    [
      'accounts',
      'httpAuth',
      'LANYARD_ACCOUNTS_HTTP_AUTH has no effect: the accounts service has no http-auth',
    ],
    ['accounts', 'namespace', 'LANYARD_ACCOUNTS_NAMESPACE has no effect'],
    ['secrets', 'region', 'LANYARD_SECRETS_REGION has no effect'],
    ['scheduler', 'datacenter', 'LANYARD_SCHEDULER_DATACENTER has no effect'],
    ['registry', 'authMethod', 'LANYARD_REGISTRY_AUTH_METHOD_ID has no effect'],
  ] as const)(
    'of a setting that the service lacks is ignored and named (%s, %s)',
    (service, setting, message) => {
      const settings = of(service, { [ownVariable(service, setting)]: 'value' }, { active: { address } });
      expect(settings).not.toHaveProperty(setting);
      expect(settings.from).not.toHaveProperty(setting);
      expect(settings.unsupported).toEqual([expect.stringContaining(message)]);
      const held = of(service, {}, { active: { address, [setting]: 'env://NAME' } });
      expect(held).not.toHaveProperty(setting);
      expect(held.unsupported).toEqual([expect.stringContaining('has no effect')]);
    },
  );

  test('is not named where it changes nothing', () => {
    expect(of('registry', { CONSUL_HTTP_ADDR: address, CONSUL_PARTITION: 'default' }).unsupported).toEqual(
      [],
    );
    expect(of('secrets', { VAULT_ADDR: address, VAULT_SRV_LOOKUP: 'false' }).unsupported).toEqual([]);
  });
});

describe('CONSUL_HTTP_SSL', () => {
  test.each([
    ['http://consul.example.com:8501', 'https://consul.example.com:8501'],
    ['HTTP://127.0.0.1:8500', 'https://127.0.0.1:8500'],
    ['consul.example.com:8501', 'https://consul.example.com:8501'],
    ['https://consul.example.com:8501', 'https://consul.example.com:8501'],
    ['unix:///run/consul.sock', 'unix:///run/consul.sock'],
  ])('=true makes CONSUL_HTTP_ADDR=%s %s', (given, expected) => {
    expect(of('registry', { CONSUL_HTTP_ADDR: given, CONSUL_HTTP_SSL: 'true' }).address).toBe(expected);
  });

  test('=true changes no address from elsewhere, and =false nothing', () => {
    const plain = 'http://127.0.0.1:8500';
    const own = { LANYARD_REGISTRY_ADDR: plain, CONSUL_HTTP_SSL: 'true' };
    expect(of('registry', own).address).toBe(plain);
    expect(of('registry', { CONSUL_HTTP_SSL: 'true' }, { active: { address: plain } }).address).toBe(plain);
    expect(of('registry', { CONSUL_HTTP_ADDR: plain, CONSUL_HTTP_SSL: 'false' }).address).toBe(plain);
  });
});
