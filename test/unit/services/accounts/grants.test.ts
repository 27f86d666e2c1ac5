import { describe, expect, test } from 'vitest';
import { decide, type Target } from '../../../../src/services/accounts/permissions/acl.ts';
import { checkGrant } from '../../../../src/services/accounts/permissions/check-grant.ts';
import { canonicalGrant, parseGrant } from '../../../../src/services/accounts/permissions/grants.ts';
import { defaultFields } from '../../../../src/services/accounts/permissions/output-fields.ts';
import { isAction, isGrantType } from '../../../../src/services/accounts/permissions/types.ts';

// The cases of Boundary 0.21: internal/perms/grants_test.go, acl_test.go and output_fields_test.go.

const special = 'cannot contain a comma, semicolon or equals sign';

describe('a grant', () => {
  test.each([
    ['id=*;type=*;actions=read,list;output_fields=', 'id=*;type=*;actions=list,read;output_fields='],
    [
      '{"id": "*", "type": "*", "actions": ["read", "list"], "output_fields": []}',
      'id=*;type=*;actions=list,read;output_fields=',
    ],
    ['ids=*;type=*;actions=read,list', 'ids=*;type=*;actions=list,read'],
    ['{"type":"host-catalog","actions":["create"]}', 'type=host-catalog;actions=create'],
    ['{"id":"u_foobar","actions":["read"]}', 'id=u_foobar;actions=read'],
    ['{"ids":["hcst_foobar", "hcst_foobaz"],"actions":["read"]}', 'ids=hcst_foobar,hcst_foobaz;actions=read'],
    [
      '{"ids":["u_foobar"],"actions":["read"],"output_fields":["version","ids","name"]}',
      'ids=u_foobar;actions=read;output_fields=ids,name,version',
    ],
    ['{"id":"u_foobar","output_fields":["version","id"]}', 'id=u_foobar;output_fields=id,version'],
    ['actions=CREATE;type=Host-Catalog', 'type=host-catalog;actions=create'],
    ['id=u_foobar;actions=read,READ;output_fields=id,*', 'id=u_foobar;actions=read;output_fields=*'],
    [
      'ids={{    user.id}},{{    account.id}};actions=read',
      'ids={{    user.id}},{{    account.id}};actions=read',
    ],
    ['ids={{.User.Id}};actions=read;unknown=x', 'ids={{.User.Id}};actions=read'],
    ['ids=hcst_mypin;type=host;actions=*', 'ids=hcst_mypin;type=host;actions=*'],
    ['ids=ampw_1;type=*;actions=read', 'ids=ampw_1;type=*;actions=read'],
    ['type=worker;actions=create:worker-led', 'type=worker;actions=create:worker-led'],
    ['ids=u_1;type=user;actions=read', 'ids=u_1;type=user;actions=read'],
    ['type=role;output_fields=name', 'type=role;output_fields=name'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(canonicalGrant(checkGrant(text))).toBe(canonical);
  });

  test.each([
    ['', 'missing grant string'],
    ['{}', 'missing actions'],
    ['{w329uf', 'invalid JSON'],
    ['{"id":true}', 'unable to interpret "id" as string'],
    ['id=', 'segment "id=" not formatted correctly, missing value'],
    ['{"id":"some,thing"}', `ID ${special}`],
    ['id=some,thing', 'ID cannot contain a comma'],
    ['{"ids":true}', 'unable to interpret "ids" as array'],
    ['ids=', 'segment "ids=" not formatted correctly, missing value'],
    ['{"ids":[""]}', 'empty ID provided'],
    ['ids=,', 'empty ID provided'],
    ['{"ids":[";something"]}', `ID ${special}`],
    ['{"ids":["some=thing"]}', `ID ${special}`],
    ['=id', 'segment "=id" not formatted correctly, missing key'],
    ['{"type":true}', 'unable to interpret "type" as string'],
    ['{"type":"unknown"}', 'unknown type specifier "unknown"'],
    ['type=controller;actions=read', 'unknown type specifier "controller"'],
    [
      'type=host-catalog=id',
      'segment "type=host-catalog=id" not formatted correctly, wrong number of equal signs',
    ],
    ['id', 'segment "id" not formatted correctly, wrong number of equal signs'],
    ['{"output_fields":true}', 'unable to interpret "output_fields" as array'],
    ['{"output_fields":["some,thing"]}', `output fields ${special}`],
    ['{"actions":true}', 'unable to interpret "actions" as array'],
    ['{"actions":[""]}', 'empty action found'],
    ['actions=,', 'empty action found'],
    ['{"actions":[1, true]}', 'unable to interpret an element of the actions array as string'],
    ['{"actions":["some,thing"]}', `action ${special}`],
    ['ids=u_1;actions=fly', 'unknown action "fly"'],
    ['ids=*;type=*;actions=*,read', '"*" cannot be specified with other actions'],
    ['id=u_1;ids=u_1;actions=read', 'contains both "id" and "ids" fields'],
    ['ids=*,u_1;actions=read', 'contains both wildcard and non-wildcard values in "ids" field'],
    ['id={{superman}};actions=create,read', 'unknown template "{{superman}}" in grant "id" value'],
    ['ids={{superman}};actions=create,read', 'unknown template "{{superman}}" in grant "ids" value'],
    ['ids={{.User.Id}},u_1;actions=read', 'contains ids of differently-typed resources'],
    ['ids=*;actions=read', 'contains wildcard id and no specified type'],
    ['ids=foobar;actions=read', 'contains an id "foobar" of an unknown resource type'],
    ['ids=u_1;actions=create,read', 'contains create or list action in a format that does not allow these'],
    ['ids=u_1;type=*;actions=read', 'contains an id that does not support child types'],
    [
      'ids=u_1;type=host;actions=read',
      'contains type host that is not a child type of the type (host-catalog)',
    ],
    ['actions=read', 'contains no id or type'],
    ['type=*;actions=list', 'contains wildcard type with no id value'],
    ['type=user;actions=read', 'contains non-create or non-list action in a format that only allows these'],
    ['type=user;actions=create,read', 'contains non-create or non-list action'],
    ['type=user;actions=create,list,read', 'contains non-create or non-list action'],
    ['ids=ampw_1;type=auth-method;actions=create', 'would not result in any action being authorized'],
    ['type=account;actions=list', 'would not result in any action being authorized'],
  ])('%s is rejected: %s', (text, cause) => {
    expect(() => checkGrant(text)).toThrow(cause);
  });
});

const ofA = [
  'ids=ampw_bar,ampw_baz;actions=read,update',
  'ids=ampw_bop;actions=read:self,update',
  'type=host-catalog;actions=create',
  'type=target;actions=list',
  'ids=*;type=host-set;actions=list,create',
];
const ofB = [
  'ids=*;type=host-set;actions=list,create',
  'ids=hcst_mypin;type=host;actions=*;output_fields=name,description',
  'ids=*;type=*;actions=authenticate',
  'ids=*;type=*;output_fields=id',
];
const ofD = [
  'ids=*;type=*;actions=create,update',
  'ids=*;type=session;actions=*',
  'ids=*;type=account;actions=update;output_fields=id,version',
];
const ofWorkers = ['type=worker;actions=create'];
const someWorkers = ['type=worker;actions=create:worker-led'];

type Case = readonly [
  name: string,
  grants: readonly string[],
  target: Omit<Target, 'type'> & { readonly type?: Target['type'] },
  permitted: readonly string[],
  denied: readonly string[],
  fields?: readonly string[],
];

const cases: readonly Case[] = [
  ['no grants', [], { id: 'bar', type: 'host-catalog' }, [], ['create', 'read']],
  ['top level create with type only', ofA, { type: 'host-catalog' }, ['create'], ['delete', 'update']],
  ['matching scope and id no matching action', ofA, { id: 'a_foo', type: 'role' }, [], ['update', 'delete']],
  ['matching action first id', ofA, { id: 'ampw_bar' }, ['read', 'update', 'read:self'], ['delete']],
  ['matching action second id', ofA, { id: 'ampw_baz' }, ['read', 'update', 'read:self'], ['delete']],
  [
    'all action with valid pin',
    ofB,
    { pin: 'hcst_mypin', type: 'host' },
    ['read', 'update', 'delete'],
    [],
    ['description', 'id', 'name'],
  ],
  [
    'all action but bad pin',
    ofB,
    { pin: 'notmypin', type: 'host' },
    [],
    ['read', 'update', 'delete'],
    ['id'],
  ],
  ['some action', ofB, { id: 'myhost', type: 'host-set' }, ['list', 'create'], ['add-hosts'], ['id']],
  ['bad specifier', ofB, { id: 'id_g' }, [], ['read', 'update', 'delete'], ['id']],
  ['matching type', ofA, { type: 'host-set' }, ['list', 'create'], ['delete']],
  [
    'random id and bad pin',
    ofA,
    { id: 'anything', type: 'host-catalog', pin: 'ampw_bar' },
    [],
    ['update', 'delete', 'read'],
  ],
  ['any id', ofB, { type: 'auth-method' }, ['authenticate'], ['list', 'delete'], ['id']],
  ['all type', ofD, { type: 'account' }, ['create'], []],
  ['all type with fields', ofD, { type: 'account' }, ['update'], [], ['id', 'version']],
  ['list with top level list', ofA, { type: 'target' }, ['list'], []],
  ['list sessions with wildcard actions', ofD, { type: 'session' }, ['list'], []],
  ['read self only', ofA, { id: 'ampw_bop' }, ['read:self'], ['read']],
  ['create worker with create', ofWorkers, { type: 'worker' }, ['create:worker-led'], []],
  ['create worker with request only', someWorkers, { type: 'worker' }, ['create:worker-led'], ['create']],
];

const decision = (grants: readonly string[], target: Case[2], action: string) => {
  const { isAuthorized, fields } = decide(grants.map(parseGrant), { type: undefined, ...target }, action);
  return { isAuthorized, fields: fields && [...fields].sort() };
};

describe('grants decide', () => {
  for (const [name, grants, target, permitted, denied, fields] of cases)
    test(name, () => {
      for (const action of permitted)
        expect(decision(grants, target, action), action).toEqual({ isAuthorized: true, fields });
      for (const action of denied)
        expect(decision(grants, target, action), action).toEqual({ isAuthorized: false, fields });
    });

  const role = { id: 'u_bar', type: 'role' } as const;
  test.each<readonly [string, string, readonly string[], readonly string[] | undefined, boolean]>([
    ['default', 'read', ['ids=u_bar;actions=read,update'], undefined, true],
    ['single value', 'read', ['ids=u_bar;actions=read,update;output_fields=id'], ['id'], true],
    [
      'compound no overlap',
      'read',
      [
        'ids=u_bar;actions=read,update;output_fields=id',
        'ids=*;type=host-catalog;actions=read,update;output_fields=version',
      ],
      ['id'],
      true,
    ],
    [
      'compound',
      'read',
      ['ids=u_bar;actions=read,update;output_fields=id', 'ids=*;type=role;output_fields=version'],
      ['id', 'version'],
      true,
    ],
    [
      'wildcard with wildcard type',
      'read',
      ['ids=u_bar;actions=read,update;output_fields=read', 'ids=*;type=*;output_fields=*'],
      ['*'],
      true,
    ],
    [
      'subaction exact',
      'read:self',
      ['ids=u_bar;actions=read:self;output_fields=version'],
      ['version'],
      true,
    ],
    [
      'subaction parent action',
      'read:self',
      ['ids=u_bar;actions=read,update;output_fields=version', 'ids=u_bar;actions=read:self;output_fields=id'],
      ['id', 'version'],
      true,
    ],
    [
      'subaction child action',
      'read',
      ['ids=u_bar;actions=read:self,update;output_fields=version', 'ids=u_bar;actions=read;output_fields=id'],
      ['id'],
      true,
    ],
    [
      'initial grant unauthorized with star',
      'delete',
      ['ids=u_bar;output_fields=*', 'ids=u_bar;actions=delete;output_fields=id'],
      ['*'],
      true,
    ],
    ['unauthorized id only', 'delete', ['ids=u_bar;output_fields=name'], ['name'], false],
  ])('the output fields: %s', (_name, action, grants, fields, isAuthorized) => {
    expect(decision(grants, role, action)).toEqual({ isAuthorized, fields });
  });

  test('what a caller without a token can do: find scopes, and find and use auth methods', () => {
    const types = [
      ...[
        'scope',
        'user',
        'group',
        'role',
        'auth-method',
        'account',
        'auth-token',
        'host-catalog',
        'host-set',
      ],
      ...['host', 'target', 'session', 'session-recording', 'managed-group', 'credential-store'],
      ...['credential-library', 'credential', 'storage-bucket', 'policy', 'billing', 'alias'],
    ].filter(isGrantType);
    const allowed: { readonly [type: string]: readonly string[] } = {
      scope: ['list', 'no-op'],
      'auth-method': ['list', 'no-op', 'authenticate'],
    };
    const actions = ['list', 'create', 'read', 'update', 'delete', '*', 'authenticate', 'no-op', 'read:self'];
    for (const type of types)
      for (const action of actions.filter(isAction)) {
        const isPermitted = (grant: string) =>
          decide([parseGrant(grant)], { type, id: 'x_foobar' }, action, { isAnonymous: true }).isAuthorized;
        const isAllowed = allowed[type]?.includes(action) ?? false;
        expect(isPermitted(`ids=*;type=${type};actions=${action}`), `${type} ${action}`).toBe(isAllowed);
        expect(isPermitted(`type=${type};actions=${action}`), `${type} ${action}`).toBe(isAllowed);
        for (const grant of ['ids=x_foobar', 'ids=*;type=*'])
          expect(isPermitted(`${grant};actions=${action}`), `${type} ${action}`).toBe(false);
      }
  });
});

test('callers without a token see the fields by which they can log in', () => {
  expect([...defaultFields('u_abc123')]).toEqual(['*']);
  expect([...defaultFields('u_anon')].sort()).toEqual([
    ...['authorized_actions', 'authorized_collection_actions', 'description', 'id', 'is_primary', 'name'],
    ...['plugin', 'plugin_id', 'primary_auth_method_id', 'scope', 'scope_id', 'type'],
  ]);
});
