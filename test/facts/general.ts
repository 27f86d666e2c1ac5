import { elsewhere, type Rows, reads, unscoped } from './row.ts';

export const generalFacts: Rows = {
  run: {
    before: `
      lanyard var put app/db user=app password=hunter2
      lanyard kv put secret/app/mail host=localhost
      lanyard registry kv put app/settings/level info`,
    examples: {
      'lanyard run --creds database/app --watch restart -- ./server': elsewhere(
        'needs the engine; test/commands/run-creds.test.ts',
      ),
    },
    shows: {
      value: ['child', 'memory'],
      item: ['child', 'memory'],
      'one-time password': ['child', 'memory'],
    },
    scoped: [reads('--var app/name -- ./check.sh')],
  },
  render: {
    before: `
      lanyard kv put secret/app/db user=app password=hunter2
      lanyard registry service register web --port 8080`,
    examples: {
      "lanyard render nginx.conf.liquid:nginx.conf --mode 0644 --watch --exec 'nginx -s reload'": elsewhere(
        'does not end; test/commands/render/watch.test.ts',
      ),
    },
    shows: { value: ['stdout', 'out'], item: ['stdout', 'out'], 'registry value': ['stdout', 'out'] },
    keeps: 'writes files',
    lists: 'reads what its templates name',
  },
  'ci export': {
    before: 'lanyard kv put secret/app/db password=hunter2',
    examples: {
      "lanyard ci export --kv secret/app/db --var 'app/db * | APP_' --env": elsewhere(
        'needs the files of a runner; test/commands/ci/export.test.ts',
      ),
    },
    shows: { value: ['out'], item: ['out'] },
    lists: 'reads what its arguments name',
    scoped: [reads('--kv kv/app --env')],
  },
  login: {
    before: `
      lanyard secrets auth enable userpass
      lanyard secrets write auth/userpass/users/bob password=- policies=default < password.txt
      lanyard profile put prod secrets.address=https://secrets.example.com
      lanyard secrets login --method userpass --username bob --password @password.txt`,
    shows: { issued: ['credentials'] },
    examples: {
      'lanyard login': elsewhere('test/commands/login.test.ts'),
      'lanyard -p prod login secrets': elsewhere('test/commands/login.test.ts'),
    },
    lists: 'one login for each service: test/commands/login.test.ts',
  },
  logout: {
    faults: 'logout',
    examples: { every: elsewhere('test/commands/login.test.ts') },
    lists: 'one logout for each service: test/commands/login.test.ts',
  },
  status: {
    faults: 'report',
    lists: { '': { shows: false } },
  },
  'wait service': {
    before: `
      lanyard registry service register web --port 8080 --tag prod --meta version=2
      lanyard registry kv put app/db/host db1
      lanyard var put app/db ready=yes
      lanyard kv put secret/app/db user=app`,
    faults: 'wait',
    scoped: [reads('only --timeout 1s')],
  },
  'wait key': {
    shows: { 'registry value': ['data'] },
    faults: 'wait',
    scoped: [reads('only/here --timeout 1s')],
  },
  'wait var': { shows: { item: ['data'] }, faults: 'wait', scoped: [reads('only-two --timeout 1s')] },
  'wait kv': { shows: { value: ['data'] }, faults: 'wait', scoped: [reads('kv/app --timeout 1s -o json')] },
  'wait status': { faults: 'wait for all' },
  'wait secrets': { faults: 'wait', scoped: [unscoped('unsealed')] },
  api: {
    before: 'lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8',
    shows: { value: ['stdout'], item: ['stdout'], 'registry value': ['stdout'] },
    faults: 'any text',
    keeps: 'sends the request as given',
  },
};
