import { after, elsewhere, ends, type Rows } from './row.ts';

const account = (name: string) =>
  [
    'accounts POST accounts',
    {
      ...{ auth_method_id: '{method}', type: 'password', name, description: 'all' },
      attributes: { login_name: name.toLowerCase(), password: 'correct-horse' },
    },
  ] as const;

export const accountFacts: Rows = {
  'account list': {
    examples: {
      'lanyard account list --since "$LIST_TOKEN" -o jsonl': after(
        'LIST_TOKEN=$(lanyard account list --auth-method ampw_1234567890 --field list_token)',
      ),
    },
    lists: {
      '--page-size 3': { create: 'account create --login-name many-{n} --no-password', page: 3 },
      '': {},
    },
    anyName: ['--auth-method NAME'],
  },
  'account get': { anyName: ['NAME'] },
  'account create': {
    examples: {
      'lanyard account create --auth-method amoidc_1234567890 --subject 8d2f6 --issuer https://idp.example.com':
        ends(3, 'needs an auth method of an identity provider'),
    },
  },
  'account update': {
    keeps: {
      create: [account('Whole')],
      change: '{id} --description other',
      read: 'account get {id}',
      changed: ['description'],
      unset: ['name,description', ['description', 'name']],
    },
  },
  'account delete': {
    examples: { 'lanyard account delete acctpw_1234567890 --yes': ends(3, 'deleted by the example before') },
  },
  'account change-password': {
    keeps: {
      create: [account('Whole3')],
      change: '{id} --new-password @password.txt --current-password @current.txt',
      read: 'account get {id}',
      changed: [],
    },
  },
  'account set-password': {
    keeps: {
      create: [account('Whole2')],
      change: '{id} --password @password.txt',
      read: 'account get {id}',
      changed: [],
    },
  },
  'account auth-method list': { lists: { '': { shows: false } } },
  'account auth-method create': {
    examples: {
      'lanyard account auth-method create staff --scope team-a': after('lanyard account scope create team-a'),
    },
  },
  'account auth-method update': {
    examples: {
      'lanyard account auth-method update amoidc_1234567890 --state active-public': ends(3, 'IDs are random'),
    },
    keeps: {
      create: [
        [
          'accounts POST auth-methods',
          {
            ...{ scope_id: 'global', name: 'Whole method', description: 'all', type: 'password' },
            attributes: { min_login_name_length: 4, min_password_length: 9 },
          },
        ],
      ],
      change: '{id} --description other',
      read: 'account auth-method get {id}',
      changed: ['description'],
      unset: ['description,min-password-length', ['attributes.min_password_length', 'description']],
    },
  },
  'account auth-method get': { anyName: ['NAME', 'ampw_1234567890 --scope NAME'] },
  'account user list': {
    lists: { '': { create: 'account user create many-{n}' }, '--recursive': {} },
  },
  'account user get': { anyName: ['NAME', 'u_1234567890 --scope NAME'] },
  'account user update': {
    keeps: {
      create: [['accounts POST users', { scope_id: 'global', name: 'Whole user', description: 'all' }]],
      change: '{id} --description other',
      read: 'account user get {id}',
      changed: ['description'],
      unset: ['description', ['description']],
    },
  },
  'account user delete': {
    examples: { 'lanyard account user delete u_2345678901': ends(3, 'IDs are random') },
  },
  'account user add-accounts': {
    before: 'lanyard account user create bob',
    examples: {
      'lanyard account user add-accounts bob acctpw_1234567890': ends(6, 'the account has a user'),
    },
    keeps: 'adds the accounts, and keeps the others',
  },
  'account user remove-accounts': { keeps: 'removes the accounts, and keeps the others' },
  'account role list': {
    lists: { '': { create: 'account role create many-{n}' }, '--recursive': {} },
  },
  'account role get': {
    before: `lanyard account role create ops --grant 'ids=*;type=user;actions=list'`,
    anyName: ['NAME', 'r_1234567890 --scope NAME'],
  },
  'account role create': {
    before: 'lanyard account role delete ops --yes',
  },
  'account role update': {
    keeps: {
      create: [['accounts POST roles', { scope_id: 'global', name: 'Whole role', description: 'all' }]],
      change: '{id} --description other',
      read: 'account role get {id}',
      changed: ['description'],
      unset: ['description', ['description']],
    },
  },
  'account role delete': {
    before: 'lanyard account role create ops',
    examples: { 'lanyard account role delete r_2345678901': ends(3, 'IDs are random') },
  },
  'account role add-principals': { keeps: 'adds the principals, and keeps the others' },
  'account role remove-principals': { keeps: 'removes the principals, and keeps the others' },
  'account role add-grants': {
    before: 'lanyard account role create ops',
    keeps: 'adds the grants, and keeps the others',
  },
  'account role remove-grants': { keeps: 'removes the grants, and keeps the others' },
  'account scope list': {
    lists: { '': { create: 'account scope create many-{n}' }, '--recursive': {} },
  },
  'account scope get': {
    before: 'lanyard account scope create shop --scope team-a',
    examples: { 'lanyard account scope get o_1234567890': ends(3, 'IDs are random') },
    anyName: ['NAME'],
  },
  'account scope create': { before: 'lanyard account scope delete team-a --yes' },
  'account scope update': {
    keeps: {
      create: [
        [
          'accounts POST scopes',
          { scope_id: 'global', type: 'org', name: 'Whole scope', description: 'all' },
        ],
      ],
      change: '{id} --description other',
      read: 'account scope get {id}',
      changed: ['description'],
      unset: ['description', ['description']],
    },
  },
  'account login': {
    before: `
      lanyard account update acctpw_1234567890 --login-name admin
      lanyard account set-password acctpw_1234567890 --password @password.txt`,
    examples: {
      'lanyard account login --auth-method amoidc_1234567890': elsewhere(
        'needs an identity provider; test/commands/account/login-oidc.test.ts',
      ),
    },
    shows: { issued: ['credentials', 'stdout'] },
  },
  'account logout': { faults: 'logout' },
  'account token list': {
    faults: 'own token',
    lists: {
      '': {
        create:
          'account login --login-name many --password env://PASSWORD --auth-method ampw_1234567890 --no-store',
        shows: 'at_',
      },
      '--all': { shows: 'at_' },
    },
  },
  'account token get': { faults: 'own token' },
  'account token delete': {
    examples: { 'lanyard account token delete at_1234567890': ends(3, 'IDs are random') },
  },
};
