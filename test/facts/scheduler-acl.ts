import { after, ends, type Rows } from './row.ts';

const managed = 'set by the service';
const managedFields = { Hash: managed, CreateIndex: managed, ModifyIndex: managed };
const rules = 'agent { policy = "read" }';
const putPolicy = ['scheduler PUT acl/policy/linked', { Name: 'linked', Rules: rules }] as const;
const policyLinks = { Policies: [{ Name: 'linked' }] };

/** Access control has no namespaces, and is off in the test of namespaces: test/commands/scheduler. */
const ofAllNamespaces = { scoped: [] } as const;
const inTests = 'test/commands/scheduler/pages.test.ts: they need access control';
const bootstrapped = ends(5, 'bootstrapped by the example before');

export const schedulerAclFacts: Rows = {
  'scheduler acl bootstrap': {
    examples: {
      'lanyard scheduler acl bootstrap --secret @bootstrap-secret.txt': bootstrapped,
      'lanyard scheduler acl bootstrap --field SecretID': bootstrapped,
    },
    shows: { issued: ['stdout', 'credentials'] },
    ...ofAllNamespaces,
  },
  'scheduler acl policy list': { lists: inTests, ...ofAllNamespaces },
  'scheduler acl policy get': {
    before: 'lanyard scheduler acl policy put web --rules @web-policy.hcl',
    anyName: ['NAME'],
    ...ofAllNamespaces,
  },
  'scheduler acl policy put': {
    anyName: ['NAME --rules x --no-check'],
    keeps: {
      create: [
        [
          'scheduler PUT acl/policy/whole',
          {
            ...{ Name: 'whole', Description: 'all', Rules: rules },
            JobACL: { Namespace: 'default', JobID: 'web', Group: 'api', Task: 'server' },
          },
        ],
      ],
      change: 'whole --description other',
      read: 'scheduler acl policy get whole',
      changed: ['Description'],
      unset: ['description,job', ['Description', 'JobACL']],
      without: managedFields,
      merges: true,
    },
    ...ofAllNamespaces,
  },
  'scheduler acl policy check': {
    local: [
      { args: '@policy.hcl', files: { 'policy.hcl': rules } },
      { args: '-', stdin: rules },
      { args: '-', stdin: 'agent {}' },
    ],
  },
  'scheduler acl policy delete': { ...ofAllNamespaces },
  'scheduler acl token list': {
    before: `
      lanyard scheduler acl policy put deploy --rules @web-policy.hcl
      lanyard scheduler acl policy put read-logs --rules @web-policy.hcl
      lanyard scheduler acl token create --name deploy-job --policy deploy --accessor 6a1253d2-1785-24fd-91c2-f8e78c745511 --secret @bootstrap-secret.txt`,
    lists: inTests,
    ...ofAllNamespaces,
  },
  'scheduler acl token get': { shows: { issued: ['stdout'] }, ...ofAllNamespaces },
  'scheduler acl token self': { ...ofAllNamespaces },
  'scheduler acl token create': { shows: { issued: ['stdout'] }, ...ofAllNamespaces },
  'scheduler acl token update': {
    keeps: {
      create: [
        putPolicy,
        ['scheduler PUT acl/role', { Name: 'linked', ...policyLinks }],
        [
          'scheduler PUT acl/token',
          {
            ...{ Name: 'whole', Type: 'client', Policies: ['linked'], Roles: [{ Name: 'linked' }] },
            ...{ Global: true, ExpirationTTL: '1h' },
          },
        ],
      ],
      change: '{id} --name other',
      read: 'scheduler acl token get {id} --show-secret',
      changed: ['Name'],
      unset: ['name,role', ['Name', 'Roles']],
      without: {
        ...{ ...managedFields, AccessorID: managed, SecretID: managed, ID: 'of the role, by its name' },
        ExpirationTime: 'by ExpirationTTL',
      },
      merges: true,
    },
    ...ofAllNamespaces,
  },
  'scheduler acl token delete': { ...ofAllNamespaces },
  'scheduler acl role list': { lists: inTests, ...ofAllNamespaces },
  'scheduler acl role get': {
    before: 'lanyard scheduler acl role put ops --policy deploy',
    ...ofAllNamespaces,
  },
  'scheduler acl role put': {
    keeps: {
      create: [putPolicy, ['scheduler PUT acl/role', { Name: 'whole', Description: 'all', ...policyLinks }]],
      change: 'whole --description other',
      read: 'scheduler acl role get whole',
      changed: ['Description'],
      unset: ['description', ['Description']],
      without: { ...managedFields, ID: managed },
      merges: true,
    },
    ...ofAllNamespaces,
  },
  'scheduler acl role delete': {
    examples: {
      'lanyard scheduler acl role delete ops --yes': after(
        'lanyard scheduler acl role put ops --policy deploy',
      ),
    },
    ...ofAllNamespaces,
  },
};
