import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const named = (key: string): Identity => ({ scope: {}, key });

const Rules = 'namespace "default" {\n  policy = "read"\n}\n';
const policy = (key: string) => ({ kind: 'scheduler.policy', identity: named(key), spec: { Rules } });
const role = (key: string, ...policies: readonly string[]) => ({
  kind: 'scheduler.role',
  identity: named(key),
  spec: { Policies: policies.map((Name) => ({ Name })) },
});

/** Policies, roles and tokens of the scheduler. */
export const schedulerObjectCases: readonly ObjectCase[] = [
  {
    kind: 'scheduler.policy',
    identity: named('st-Deploy'),
    spec: { Description: 'Deploys', Rules, JobACL: { Namespace: 'default', JobID: 'web', Group: 'api' } },
    changed: {
      Description: 'Deploys jobs',
      Rules: 'agent { policy = "read" }',
      JobACL: { Namespace: 'default', JobID: 'api' },
    },
    spellings: [
      { description: 'Deploys', rules: Rules.trim() },
      { Rules: Rules.replaceAll('\n', '\r\n'), job_acl: { namespace: 'default', job_id: 'web' } },
      { JobACL: { Task: '', group: 'api' } },
      {},
    ],
  },
  {
    kind: 'scheduler.policy',
    identity: named('st-empty'),
    spec: {},
    changed: { Description: 'x', Rules: 'node { policy = "read" }' },
    spellings: [{ Description: '', Rules: '\n', JobACL: null }, { JobACL: { Namespace: '', JobID: null } }],
  },
  {
    kind: 'scheduler.role',
    identity: named('st-ops'),
    spec: { Description: 'Operators', Policies: [{ Name: 'st-read' }, { Name: 'st-write' }] },
    changed: { Policies: [{ Name: 'st-write' }] },
    spellings: [
      { description: 'Operators', policies: [{ name: 'st-write' }, { Name: 'st-read' }] },
      { Policies: [{ Name: 'st-write' }, { Name: 'st-read' }, { Name: 'st-write' }] },
    ],
    needs: [policy('st-read'), policy('st-write')],
  },
  {
    kind: 'scheduler.token',
    identity: named('st CI: "web" / [1]'),
    spec: {
      Type: 'client',
      Policies: ['st-read', 'st-write'],
      Roles: [{ Name: 'st-reader' }],
    },
    changed: { Policies: ['st-read'], Roles: [] },
    spellings: [
      { policies: ['st-write', 'st-read'], roles: [{ name: 'st-reader' }], expiration_ttl: 0 },
      { type: null, Policies: ['st-read', 'st-write', 'st-read'], Global: false },
    ],
    needs: [policy('st-read'), policy('st-write'), role('st-reader', 'st-read')],
  },
  {
    kind: 'scheduler.token',
    identity: named('st-admin'),
    spec: { Type: 'management', Global: true },
    spellings: [{ type: 'management', global: 'true', Policies: [], Roles: null }],
  },
];
