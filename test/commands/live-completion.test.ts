import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, homeForTest, servicesForTest } from '../support/command-tests.ts';
import { type LiveShell, liveShell } from '../support/live-shell.ts';
import { has } from '../support/require.ts';
import { bashOffers, fishOffers, typed, zshOffers } from '../support/shells.ts';

const { at, running } = embeddedForAll();

const seed = async (...argv: string[]): Promise<string> => {
  const { code, stdout, stderr } = await at.run(argv);
  expect(stderr.includes('error:') ? stderr : '', argv.join(' ')).toBe('');
  expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0);
  return stdout.trim();
};

const ids = { session: '', token: '' };

beforeAll(async () => {
  Object.assign(at.env, {
    LANYARD_BOX_TOKEN: running.embedded.boxToken,
    LANYARD_ACCOUNTS_TOKEN: running.embedded.accountsToken,
    XDG_RUNTIME_DIR: at.file('runtime-that-does-not-exist'),
  });
  await seed('ssh', 'role', 'put', 'deploy', '--allow-user-certificates', '--allowed-users', 'ubuntu');
  await seed('secrets', 'mount', 'enable', 'ssh', '--path', 'team/ssh');
  await seed('secrets', 'mount', 'enable', 'kv', '--version', '1', '--path', 'plain');
  await seed('kv', 'put', 'secret/app/db', 'password=hunter2');
  await seed('kv', 'put', 'secret/app/web', 'password=hunter2');
  await seed('kv', 'put', 'plain/old/db', 'password=hunter2');
  await seed('secrets', 'policy', 'put', 'reader', 'path "secret/*" { capabilities = ["read"] }');
  await seed('secrets', 'auth', 'enable', 'userpass');
  await seed('secrets', 'write', 'auth/userpass/users/ada', 'password=hunter2');
  await seed('secrets', 'namespace', 'create', 'team-a');
  await seed('registry', 'service', 'register', 'web', '--port', '80');
  await seed('registry', 'kv', 'put', 'app/db/host', 'x');
  await seed('query', 'create', 'web-query', '--service', 'web');
  ids.session = await seed('registry', 'session', 'create', '--name', 'job', '--field', 'ID');
  await seed('box', 'create', 'dev/web');
  await seed('box', 'version', 'create', 'dev/web', '1.0.0');
  await seed('box', 'provider', 'create', 'dev/web', '1.0.0', 'libvirt');
  await seed('namespace', 'put', 'team-b');
  await seed('var', 'put', 'app/db', 'user=u', 'password=hunter2');
  await seed('var', 'put', 'app/web/tls', 'key=hunter2');
  at.env.LANYARD_SCHEDULER_TOKEN = await seed('scheduler', 'acl', 'bootstrap', '--field', 'SecretID');
  await seed('scheduler', 'acl', 'policy', 'put', 'var-reader', '--rules', 'agent { policy = "read" }');
  await seed('scheduler', 'acl', 'role', 'put', 'ops', '--policy', 'var-reader');
  ids.token = await seed('scheduler', 'acl', 'token', 'create', '--role', 'ops', '--field', 'AccessorID');
});

describe.skipIf(!has('bash'))('live completion in bash, which must be installed', () => {
  let bash: LiveShell;
  beforeAll(async () => {
    bash = await liveShell('bash', (argv) => at.run(argv));
  });
  afterAll(() => bash.remove());

  const expectOffers = async (expected: Readonly<Record<string, unknown>>): Promise<void> => {
    const lines = Object.keys(expected);
    const offered = await bashOffers(bash.at, lines);
    expect(Object.fromEntries(lines.map((line, index) => [line, offered[index]]))).toEqual(expected);
  };

  test('offers what the secrets service lists', async () => {
    await expectOffers({
      'lanyard ssh sign ': ['deploy'],
      'lanyard ssh connect web1 --role=d': ['deploy'],
      'lanyard ssh sign --mount ': ['ssh', 'team/ssh'],
      'lanyard ssh sign --mount team/ssh ': [],
      'lanyard kv get ': ['(nospace)', 'cubbyhole/', 'plain/', 'secret/'],
      'lanyard kv get secret/': ['(nospace)', 'secret/app/'],
      'lanyard kv get secret/app/': ['secret/app/db', 'secret/app/web'],
      'lanyard kv get secret/app/w': ['secret/app/web'],
      'lanyard kv get plain/old/': ['plain/old/db'],
      'lanyard kv get --mount secret app/d': ['app/db'],
      'lanyard kv get --mount pl': ['plain'],
      'lanyard run --kv secret/app/d': ['secret/app/db'],
      'lanyard secrets read ssh/roles/': ['ssh/roles/deploy'],
      'lanyard secrets read ssh/sign/': ['ssh/sign/deploy'],
      'lanyard secrets read secret/metadata/app/d': ['secret/metadata/app/db'],
      'lanyard secrets read auth/': ['(nospace)', 'auth/token/', 'auth/userpass/'],
      'lanyard secrets read auth/userpass/users/': ['auth/userpass/users/ada'],
      'lanyard secrets read sys/po': ['(nospace)', 'sys/policies/'],
      'lanyard secrets read sys/policies/acl/rea': ['sys/policies/acl/reader'],
      'lanyard secrets mount get te': ['team/ssh'],
      'lanyard secrets auth get ': ['token', 'userpass'],
      'lanyard secrets policy get rea': ['reader'],
      'lanyard secrets token create --policy default,r': ['default\\,reader', 'default\\,root'],
      'lanyard secrets namespace delete ': ['team-a'],
      'lanyard kv get --namespace t': ['team-a'],
    });
  });

  test('offers what the service registry lists', async () => {
    await expectOffers({
      'lanyard registry service get w': ['web'],
      'lanyard chain get w': ['web'],
      'lanyard registry service deregister w': ['web'],
      'lanyard wait service w': ['web'],
      'lanyard registry service list --dc d': ['dc1'],
      'lanyard registry kv get app/db/host --dc=d': ['dc1'],
      'lanyard registry kv get ': ['(nospace)', 'app/'],
      'lanyard registry kv get app/db/': ['app/db/host'],
      'lanyard query exec ': ['web-query'],
      'lanyard registry session get ': [ids.session],
      'lanyard registry config get service-resolver ': [],
    });
  });

  test('offers boxes, their versions and their providers', async () => {
    await expectOffers({
      'lanyard box get ': ['dev/web'],
      'lanyard box get dev/': ['dev/web'],
      'lanyard box list ': ['dev'],
      'lanyard box version get dev/web ': ['1.0.0'],
      'lanyard box download dev/web 1.0.0 ': ['libvirt'],
    });
  });

  test('offers namespaces, variables and the names of their items', async () => {
    await expectOffers({
      'lanyard namespace get ': ['default', 'team-b'],
      'lanyard var list -n t': ['team-b'],
      'lanyard var get ': ['(nospace)', 'app/'],
      'lanyard var get app/': ['(nospace)', 'app/db', 'app/web/'],
      'lanyard var put app/db ': ['(nospace)', 'password=', 'user='],
      'lanyard var get app/db --field ': ['password', 'user'],
      'lanyard run --var app/d': ['app/db'],
    });
  });

  test('offers policies, roles and tokens of the scheduler', async () => {
    await expectOffers({
      'lanyard scheduler acl policy get v': ['var-reader'],
      'lanyard scheduler acl token create --policy v': ['var-reader'],
      'lanyard scheduler acl role put ': ['ops'],
      [`lanyard scheduler acl token get ${ids.token.slice(0, 13)}`]: [ids.token],
    });
  });

  test('offers accounts and auth methods', async () => {
    await expectOffers({
      'lanyard account get ': ['acctpw_1234567890'],
      'lanyard account list --auth-method ': ['ampw_1234567890'],
      'lanyard account auth-method get ': ['ampw_1234567890'],
      'lanyard account token get ': expect.arrayContaining([expect.stringMatching(/^at_/)]),
    });
  });

  test('offers the objects of the access control of the registry, and no secret', async () => {
    const other = homeForTest();
    await servicesForTest(other);
    const run = async (...argv: string[]): Promise<string> => {
      const { code, stdout, stderr } = await other.run(argv);
      expect({ code, argv, stderr }).toEqual({ code: 0, argv, stderr: '' });
      return stdout.trim();
    };
    const management = JSON.parse(await run('acl', 'bootstrap', '-o', 'json')) as Record<string, string>;
    other.env.LANYARD_REGISTRY_TOKEN = management.SecretID ?? '';
    await run('acl', 'policy', 'put', 'reader', '--rules', 'key_prefix "" { policy = "read" }');
    await run('acl', 'role', 'put', 'ops', '--policy', 'reader');
    await run('acl', 'token', 'create', '--policy', 'reader', '--description', 'of a test');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = other.write('jwt.pem', publicKey.export({ type: 'spki', format: 'pem' }));
    await run('acl', 'auth-method', 'put', 'ci', '--type', 'jwt', '--jwt-validation-pub-key', `@${pem}`);
    const rule = ['--bind-type', 'service', '--bind-name', 'web', '--field', 'ID'];
    const ruleId = await run('acl', 'binding-rule', 'create', '--method', 'ci', ...rule);
    await run('registry', 'service', 'register', 'web', '--port', '80');
    const file = other.write('entry.json', JSON.stringify({ Kind: 'service-resolver', Name: 'web' }));
    await run('registry', 'config', 'put', file);
    const accessors = JSON.parse(await run('acl', 'token', 'list', '-o', 'json')) as { AccessorID: string }[];
    const own = { ...at.env };
    Object.assign(at.env, other.env);
    const environment = { ...at.env };
    await expectOffers({
      'lanyard acl policy get r': ['reader'],
      'lanyard acl token create --policy reader,glo': ['reader\\,global-management'],
      'lanyard acl token update x --add-policy rea': ['reader'],
      'lanyard acl role get ': ['ops'],
      'lanyard acl token get ': accessors.map(({ AccessorID }) => AccessorID).toSorted(),
      'lanyard acl auth-method get ': ['ci'],
      'lanyard acl binding-rule get ': [ruleId],
      'lanyard acl binding-rule list --method ': ['ci'],
      'lanyard registry config get service-resolver ': ['web'],
      'lanyard registry node get ': expect.arrayContaining([expect.stringMatching(/./)]),
    });
    expect(at.env).toEqual(environment);
    for (const name of Object.keys(at.env)) delete at.env[name];
    Object.assign(at.env, own);
  });

  test('uses the profile and the address of the command line', async () => {
    const env = { ...at.env };
    for (const name of Object.keys(at.env))
      if (/^LANYARD_[A-Z]+_(ADDR|TOKEN)$/.test(name)) delete at.env[name];
    await seed(
      'profile',
      'put',
      'work',
      `secrets.address=${env.LANYARD_SECRETS_ADDR}`,
      'secrets.token=env://T',
    );
    await seed('profile', 'put', 'idle', 'secrets.address=http://127.0.0.1:1');
    at.env.T = running.rootToken;
    await expectOffers({
      'lanyard -p work ssh sign ': ['deploy'],
      'lanyard ssh sign --profile=work ': ['deploy'],
      'lanyard -p idle ssh sign ': [],
      'lanyard ssh sign ': ['deploy'],
      'lanyard -p missing ssh sign ': [],
      'lanyard -p work --address http://127.0.0.1:1 ssh sign ': [],
    });
    Object.assign(at.env, env);
  });

  test('calls the program only for values that a service lists', async () => {
    bash.requests();
    await bashOffers(bash.at, [
      'lanyard ssh si',
      'lanyard kv get -',
      'lanyard -o j',
      'lanyard ssh sign --key ',
    ]);
    expect(bash.requests()).toEqual([]);
    await bashOffers({ ...bash.at, env: { ...bash.at.env, LANYARD_COMPLETION: 'static' } }, [
      'lanyard ssh sign ',
    ]);
    expect(bash.requests()).toEqual([]);
    await bashOffers(bash.at, ['lanyard kv get secret/']);
    expect(bash.requests()).toEqual([['__complete', 'bash', '=secret/', '--', 'kv', 'get']]);
  });
});

const hostile = [
  'my app',
  "it's",
  'a"b',
  '$(touch run)',
  '`x`',
  'x:y',
  'back\\slash',
  '~home',
  'a&b;c',
  'ü#1',
];
const canType = process.platform === 'linux' && has('script');

describe.skipIf(!canType)('names that a shell could misread, which need the script program of Linux', () => {
  beforeAll(async () => {
    for (const name of hostile) await seed('kv', 'put', `secret/odd/${name}x`, 'a=b');
  });

  const setups = {
    bash: ['bash --norc --noprofile -i', (script: string) => `source ${script}`],
    fish: ['fish --no-config -i', (script: string) => `source ${script}`],
    zsh: ['zsh -f -i', (script: string) => `autoload -Uz compinit && compinit -u -D; source ${script}`],
  } as const;

  test.each(['bash', 'fish', 'zsh'] as const)('%s completes each as one word and runs none', async (name) => {
    if (!has(name)) return;
    const shell = await liveShell(name, (argv) => at.run(argv));
    const [program, setup] = setups[name];
    const starts = ['m', 'i', 'a\\"', '\\$', '\\`', 'x:', 'back', 'a\\&', 'ü'];
    const lines = starts.map((start) => `lanyard kv get secret/odd/${start}\t`);
    await typed(program, setup(shell.at.script), lines, shell.at);
    const expected = ['my app', "it's", 'a"b', '$(touch run)', '`x`', 'x:y', 'back\\slash', 'a&b;c', 'ü#1'];
    expect((await shell.at.calls()).map((call) => call.at(-1))).toEqual(
      expected.map((each) => `secret/odd/${each}x`),
    );
    await shell.remove();
  });

  test('bash completes within quotes', async () => {
    const shell = await liveShell('bash', (argv) => at.run(argv));
    const lines = [
      `lanyard kv get "secret/odd/m\t`,
      `lanyard kv get 'secret/odd/it\t`,
      `lanyard kv get "secret/odd/\\$\t`,
      `lanyard kv get 'secret/odd/$\t`,
      `lanyard kv get "secret/odd/x:\t`,
      `lanyard kv get "secret/odd/a\\"\t`,
    ];
    await typed('bash --norc --noprofile -i', `source ${shell.at.script}`, lines, shell.at);
    const names = ['my app', "it's", '$(touch run)', '$(touch run)', 'x:y', 'a"b'];
    expect((await shell.at.calls()).map((call) => call.at(-1))).toEqual(
      names.map((each) => `secret/odd/${each}x`),
    );
    await shell.remove();
  });
});

for (const [name, offers] of [
  ['zsh', zshOffers],
  ['fish', fishOffers],
] as const) {
  test.skipIf(!has(name))(`live completion in ${name}, which must be installed`, async () => {
    const shell = await liveShell(name, (argv) => at.run(argv));
    const offered = await offers(shell.at, [
      'lanyard ssh sign ',
      'lanyard -p missing ssh sign ',
      'lanyard ssh sign --mount t',
      'lanyard kv get secret/app/',
      'lanyard var put app/db u',
      'lanyard account get ',
    ]);
    expect(offered).toEqual([
      ['deploy'],
      [],
      ['team/ssh'],
      ['secret/app/db', 'secret/app/web'],
      ['user='],
      ['acctpw_1234567890'],
    ]);
    shell.requests();
    const off = { ...shell.at, env: { ...shell.at.env, LANYARD_COMPLETION: 'static' } };
    expect(await offers(off, ['lanyard ssh sign '])).toEqual([[]]);
    expect(shell.requests()).toEqual([]);
    await shell.remove();
  });
}
