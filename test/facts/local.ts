import { after, elsewhere, type Rows } from './row.ts';

const stored = 'profile put own secrets.address=http://127.0.0.1:9 secrets.token=-';
const aliased = 'alias set own status';
const products = {
  VAULT_ADDR: 'https://vault.example.com:8200',
  VAULT_TOKEN: '{bootstrap}',
  VAULT_PROXY_ADDR: '{proxy}',
  CONSUL_HTTP_ADDR: 'https://consul.example.com:8501',
  CONSUL_HTTP_TOKEN: '{nonce}',
  CONSUL_HTTP_AUTH: 'user:{code}',
  NOMAD_ADDR: 'https://nomad.example.com:4646',
  NOMAD_TOKEN: '{registryToken}',
};
const onPorts = elsewhere('listens on fixed ports; test/e2e/dev.test.ts');

export const localFacts: Rows = {
  quickstart: {
    examples: { every: elsewhere('test/e2e/quickstart.test.ts') },
    shows: { issued: ['child', 'stdout'] },
    local: [],
  },
  dev: {
    examples: {
      'lanyard dev': onPorts,
      'lanyard dev --data ~/lanyard-data': onPorts,
      'lanyard dev --port 0 -o json': elsewhere('the services that these examples are run against'),
      'lanyard dev --uninitialized': onPorts,
      'lanyard dev --datacenters dc1,dc2,dc3 --round-trip dc1:dc3=5ms': elsewhere(
        'test/e2e/dev-datacenters.test.ts',
      ),
      'lanyard dev --rate-limit accounts=boundary --rate-limit registry=50': onPorts,
    },
    shows: { issued: ['stdout', 'credentials'], password: ['stdout'], 'unseal key': ['stdout'] },
    local: [],
  },
  'dev run': { shows: { issued: ['child', 'stdout'] }, local: [{ args: '-- true' }, { args: '-v -- true' }] },
  'profile list': {
    lists: { '': { create: 'profile put many-{n} registry.datacenter=dc1' } },
    anyName: ['--profile NAME'],
    local: [{ before: stored }],
  },
  'profile get': { anyName: ['NAME'], local: [{ args: 'own', before: stored }] },
  'profile put': {
    shows: { issued: ['credentials'] },
    anyName: ['NAME box.address=http://localhost:1'],
    keeps: 'test/commands/profile/profiles.test.ts',
    local: [
      { args: 'own secrets.address=http://127.0.0.1:9 secrets.token=-', stdin: '{bootstrap}' },
      { args: 'own secrets.token={mistyped}' },
      { args: 'own secrets.token=env://CANARY', env: { CANARY: '{bootstrap}' } },
      { args: 'own registry.http-auth=u:{mistyped}' },
      { args: 'own secrets.proxy={proxy}' },
      { args: 'own secrets.addresses={proxy}' },
      { args: 'own secrets.address={proxy}' },
      { args: 'own secrets.tokn={mistyped}' },
      { args: 'own secrets.token=?', typed: '{bootstrap}\n', columns: 80 },
    ],
  },
  'profile import': {
    before: 'VAULT_ADDR=$(lanyard profile get dev --field secrets.address)',
    examples: { 'lanyard profile import prod': after('lanyard profile delete prod --yes') },
    keeps: 'fails for an existing profile without --force',
    local: [
      { args: '--force', env: products },
      { args: '--force -v', env: products },
    ],
  },
  'profile use': { keeps: 'one reference', local: [{ args: 'own', before: stored }] },
  'profile delete': { local: [{ args: 'own --yes', before: stored }] },
  'alias list': { lists: { '': { create: 'alias set many-{n} status' } }, local: [{ before: aliased }] },
  'alias get': {
    before: 'lanyard alias set cert "ssh sign deploy"',
    local: [{ args: 'own', before: aliased }],
  },
  'alias set': {
    before: 'lanyard alias delete cert',
    keeps: 'one text; fails for an existing alias without --force',
    local: [{ args: 'own status --force' }],
  },
  'alias delete': { local: [{ args: 'own', before: aliased, code: 3 }] },
  'plugin list': { lists: { '': { shows: false } }, local: [{}] },
  schema: { local: [{ args: 'ssh sign' }] },
  completion: {
    examples: { 'source <(lanyard completion bash)': elsewhere('test/completions.test.ts') },
    local: [{ args: 'bash' }],
  },
};
