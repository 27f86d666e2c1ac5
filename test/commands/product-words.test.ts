import { describe, expect, test } from 'vitest';
import { productWords } from '../../src/cli/help/product-words.ts';
import { groups, tree } from '../../src/commands/tree.ts';
import { expectFailure, homeForAll } from '../support/command-tests.ts';

const own = homeForAll();

const hintOf = (...commands: string[]): string => {
  const last = `\`lanyard ${commands.pop()}\``;
  return `Use ${commands.map((command) => `\`lanyard ${command}\``).join(', ')}${commands.length > 0 ? ' or ' : ''}${last}.`;
};

const readServices = 'registry service list';
const readTokens = ['secrets token self', 'acl token self', 'scheduler acl token self', 'box token check'];
const enableMount = 'secrets mount enable TYPE';

describe('a word of the products leads to the command', () => {
  test.each([
    ['policy', ['secrets policy list', 'acl policy list', 'scheduler acl policy list']],
    ['token', readTokens],
    ['service', [readServices, 'chain get SERVICE', 'query list']],
    ['node', ['registry node list', 'api scheduler GET nodes']],
    ['node status', ['api scheduler GET nodes']],
    ['nomad node status', ['api scheduler GET nodes']],
    ['operator api /v1/jobs', ['api scheduler METHOD PATH']],
    ['nomad operator api /v1/jobs', ['api scheduler METHOD PATH']],
    ['job run x', ['api scheduler GET jobs', 'api scheduler METHOD PATH']],
    ['nomad alloc logs', ['api scheduler GET allocations', 'api scheduler METHOD PATH']],
    ['targets list', ['api accounts GET "targets?scope_id=global&recursive=true"']],
    ['boundary targets list', ['api accounts GET "targets?scope_id=global&recursive=true"']],
    ['connect ssh', ['ssh connect USER@HOST --role ROLE']],
    ['nomad acl policy apply', ['scheduler acl policy put NAME --rules @FILE']],
    ['nomad acl bootstrap', ['scheduler acl bootstrap']],
    ['nomad acl role', ['scheduler acl role list', 'scheduler acl role put NAME --policy NAME']],
    [
      'nomad acl policy delete web',
      ['scheduler acl policy list', 'scheduler acl policy put NAME --rules @FILE'],
    ],
    ['scheduler token', ['scheduler acl token list']],
    ['config', ['profile get', 'registry config get KIND NAME']],
    ['mount', ['secrets mount list', enableMount]],
    ['write x', ['secrets write PATH KEY=VALUE', 'kv put PATH KEY=VALUE', 'var put PATH KEY=VALUE']],
    ['read x', ['secrets read PATH', 'kv get PATH', 'var get PATH']],
    ['ls', ['secrets list PATH', 'kv list PATH', 'var list', 'namespace list', 'query list']],
    ['auth enable userpass', ['secrets auth enable TYPE']],
    ['operator unseal', ['secrets unseal']],
    [
      'operator rotate-keys',
      ['secrets status', 'secrets init', 'secrets unseal', 'api scheduler METHOD PATH'],
    ],
    ['scopes', ['account scope list', 'account scope get SCOPE']],
    ['ns', ['namespace list', 'secrets namespace list']],
    ['secrets enable ssh', [enableMount]],
    ['acl policy read', ['acl policy get']],
    ['acl token new', ['acl token create']],
    ['consul acl policy list', ['acl policy list']],
    ['consul acl token read', ['acl token get']],
    ['binding-rule list', ['acl binding-rule list']],
    ['boxes', ['box list', 'box search']],
    ['session', ['registry session list', 'registry session create']],
    ['lock', ['var lock PATH -- COMMAND', 'registry lock KEY -- COMMAND']],
    ['auth-method', ['account auth-method list', 'acl auth-method list']],
    ['vagrant box list', ['box list']],
    ['kv history secret/x', ['kv metadata get PATH']],
    ['vault', ['secrets', 'kv', 'ssh']],
    ['vault read secret/x', ['secrets read PATH', 'kv get PATH']],
    ['vault kv get secret/x', ['kv get']],
    ['vault login', ['secrets login']],
    ['consul', ['acl', 'registry', 'query', 'txn', 'chain']],
    ['consul kv get x', ['registry kv get KEY', 'registry kv put KEY VALUE', 'registry kv list']],
    ['consul login', ['acl login']],
    ['nomad var get x', ['var get']],
    ['nomad job run', ['api scheduler GET jobs', 'api scheduler METHOD PATH']],
    ['boundary authenticate', ['account login']],
    ['boundary authenticate oidc', ['account login']],
    ['authenticate oidc', ['account login']],
    ['vagrant box', ['box']],
    ['box info dev/web', ['box get']],
    ['namespace add team', ['namespace put']],
    ['namespace apply team', ['namespace put']],
    ['namespace inspect team', ['namespace get']],
    ['acl policy create', ['acl policy put']],
    ['acl role update dev', ['acl role put']],
    ['whoami', ['status', ...readTokens]],
    ['kv watch x', ['kv get PATH --watch', 'wait kv PATH']],
    ['ca', ['ssh ca get', 'ssh ca public-key', 'ssh trust']],
    ['cert', ['ssh sign ROLE', 'ssh inspect FILE']],
    ['profile switch x', ['profile use NAME']],
    ['profile current', ['profile get']],
    ['query run x', ['query exec QUERY']],
    ['box add x', ['box download OWNER/NAME', 'box create OWNER/NAME']],
    ['nomad acl token list', ['scheduler acl token list']],
    ['vagrant box add dev/web', ['box download OWNER/NAME']],
    ['vagrant cloud auth login', ['box token create', 'box token check']],
    ['account auth-tokens', ['account token list']],
    ['secrets operator unseal', ['secrets status', 'secrets init', 'secrets unseal']],
  ])('%s', async (line, commands) => {
    const { code, stderr } = await own.run(line.split(' '));
    expect(stderr.split('\n')[0]).toMatch(/^error: unknown command "[\w-]+"$/);
    const [first = ''] = line.split(' ');
    const topic = /^(vault|consul|nomad|boundary|vagrant)$/.test(first)
      ? ` Run \`lanyard help ${first}\` for the equivalents of its commands.`
      : '';
    expect(stderr).toContain(`hint: ${hintOf(...commands)}${topic}\n`);
    expect(code).toBe(2);
  });
});

test.each(['rm x', 'delete x', 'kv destory secret/x', 'vault delete x', 'ssh role delet x'])(
  'a suggestion for "%s" has no destructive command',
  async (line) => {
    const { code, stderr } = await own.run(line.split(' '));
    expect(stderr).toMatch(/^error: unknown command "\w+"\n/);
    expect(stderr).not.toMatch(/\b(delete|destroy|revoke|tidy)\b.*\?|`[^`]*\b(delete|destroy|revoke|tidy)\b/);
    expect(code).toBe(2);
  },
);

test.each([
  ['vault token revoke x', 'vault'],
  ['bao secrets disable kv', 'vault'],
  ['consul acl policy delete app', 'consul'],
  ['nomad var purge app/db', 'nomad'],
  ['boundary accounts delete', 'boundary'],
])('"%s" leads to the help on %s', async (line, topic) => {
  const { code, stderr } = await own.run(line.split(' '));
  expect(stderr).toMatch(/^error: unknown command "\w+"\n/);
  expect(stderr).toContain(`hint: Run \`lanyard help ${topic}\` for the equivalents of its commands.\n`);
  expect(code).toBe(2);
});

test.each([
  ['kv ls', 'kv list'],
  ['kv rm', 'kv delete'],
  ['box show', 'box get'],
  ['acl policy rm', 'acl policy delete'],
])('"%s" is "%s"', async (line, command) => {
  const { stdout, code } = await own.run([...line.split(' '), '--help']);
  expect(stdout).toContain(`lanyard ${command} `);
  expect(code).toBe(0);
});

test.each([
  ['kv get secret/x --format=json', 'Use --output (-o) to select the output format, such as -o json.'],
  ['kv get -format=json secret/x', 'Use --output (-o) to select the output format, such as -o json.'],
  [
    'kv get secret/x --wrap-ttl 5m',
    'Use --wrap-ttl with `lanyard secrets read PATH`, `secrets write` or `secrets token create`.',
  ],
  ['var list app/', 'Run `lanyard var list --prefix app/` for the paths that begin with it.'],
  ['var put @f.hcl', 'Use --in f.hcl to read the variable from a file.'],
  ['kv list -format json secret', 'Use --output (-o) to select the output format, such as -o json.'],
  ['kv get -json secret/x', 'Use -o json.'],
  ['kv get --json secret/x', 'Use -o json.'],
  ['dev stop', 'Stop it with Ctrl+C or SIGTERM. `lanyard dev run -- COMMAND` stops with the command.'],
  ['kv get -mount=secret x', 'Write long flags with two dashes: --field.'],
  ['kv get secret/x --fields', 'Run `lanyard kv get --help` for its arguments and flags.'],
])('"%s" has a hint for its arguments and flags', async (line, hint) => {
  expectFailure(await own.run(line.split(' ')), 2, `hint: ${hint}\n`);
});

test.each(Object.entries(productWords))(
  'the commands for "%s" exist and delete nothing',
  (word, commands) => {
    const paths = tree.map(({ path }) => path);
    // `vault login` is one service, `lanyard login` all of a profile.
    if (!['login', 'logout'].includes(word)) expect([...paths, ...Object.keys(groups)]).not.toContain(word);
    for (const command of commands) {
      expect(
        paths.filter((path) => `${command} `.startsWith(`${path} `)),
        command,
      ).not.toEqual([]);
      expect(command).not.toMatch(/\b(delete|destroy|revoke|tidy)\b/i);
    }
  },
);
