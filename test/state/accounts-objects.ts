import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const inScope = (key: string, scope = 'global'): Identity => ({ scope: { scope }, key });
const organization = { kind: 'accounts.scope', identity: inScope('st-org'), spec: {} };
const project = { kind: 'accounts.scope', identity: inScope('st-project', 'st-org'), spec: {} };
const method = {
  kind: 'accounts.auth-method',
  identity: inScope('st-people', 'st-org'),
  spec: { type: 'password' },
};
const accountNamed = (key: string) => ({
  kind: 'accounts.account',
  identity: { scope: { scope: 'st-org', authMethod: 'st-people' }, key },
  spec: { attributes: { password: 'st-password' } },
});
const userNamed = (key: string, scope?: string) => ({
  kind: 'accounts.user',
  identity: inScope(key, scope),
  spec: {},
});

/** Scopes, users and roles of the account service. */
export const accountsObjectCases: readonly ObjectCase[] = [
  {
    kind: 'accounts.scope',
    identity: inScope('st-team'),
    spec: { description: 'Team' },
    changed: { description: 'Another team' },
    spellings: [{ description: ' Team ' }, {}],
  },
  {
    kind: 'accounts.scope',
    identity: inScope('st-shop', 'st-org'),
    spec: {},
    changed: { description: 'Shop' },
    spellings: [{ description: '' }, { description: null }],
    needs: [organization],
  },
  {
    kind: 'accounts.auth-method',
    identity: inScope('st-primary', 'st-team-b'),
    spec: { type: 'password', is_primary: true },
    changed: { type: 'password', is_primary: false },
    spellings: [{ type: 'password' }, { type: 'password', is_primary: 'true' }],
    needs: [{ kind: 'accounts.scope', identity: inScope('st-team-b'), spec: {} }],
  },
  {
    kind: 'accounts.user',
    identity: inScope('st-eve'),
    spec: { description: 'Eve' },
    changed: { description: 'Eva' },
    spellings: [{ description: 'Eve ', accounts: [] }, { accounts: null }],
  },
  {
    kind: 'accounts.user',
    identity: inScope('st-dave', 'st-org'),
    spec: { accounts: [{ authMethod: 'st-people', name: 'st-dave' }] },
    changed: { description: 'gone', accounts: [] },
    spellings: [{ accounts: [{ name: 'st-dave', authMethod: 'st-people' }], description: '' }],
    needs: [organization, method, accountNamed('st-dave')],
  },
  {
    kind: 'accounts.role',
    identity: inScope('st-readers'),
    spec: {
      description: 'Read all',
      grant_scopes: ['this', 'st-org', 'st-org/st-project'],
      grant_strings: ['ids=*;type=*;actions=read,list'],
      principals: [{ id: 'u_auth' }, { name: 'st-frank' }, { scope: 'st-org', name: 'st-grace' }],
    },
    changed: {
      grant_scopes: ['this', 'descendants'],
      grant_strings: ['ids=*;type=user;actions=list', 'ids={{.Account.Id}};actions=read'],
      principals: [{ scope: 'st-org', name: 'st-grace' }],
    },
    spellings: [
      { grant_scopes: ['st-org/st-project', 'st-org', 'this', 'this'] },
      { grant_strings: ['type=*;ids=*;actions=list,read'] },
      { grant_strings: ['{"ids":["*"],"type":"*","actions":["read","list"]}'] },
      {
        principals: [
          { name: 'st-grace', scope: 'st-org' },
          { name: 'st-frank', scope: 'global' },
          { id: 'u_auth' },
        ],
      },
    ],
    needs: [organization, project, userNamed('st-frank'), userNamed('st-grace', 'st-org')],
  },
  {
    kind: 'accounts.role',
    identity: inScope('st-deployers', 'st-org/st-project'),
    spec: { grant_strings: ['type=target;actions=list'] },
    changed: { description: 'Deploy', grant_strings: [] },
    spellings: [
      { grant_scopes: ['this'], principals: [] },
      { grant_scopes: [], description: '' },
    ],
    needs: [organization, project],
  },
  {
    kind: 'accounts.role',
    identity: inScope('st-none', 'st-org'),
    spec: { grant_scopes: ['none'] },
    changed: { grant_scopes: ['this', 'children'] },
    spellings: [{}, { grant_scopes: ['none'], grant_strings: [] }],
    needs: [organization],
  },
];
