import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const named = (key: string): Identity => ({ scope: {}, key });

const policy = (name: string) => ({ kind: 'registry.policy', identity: named(name), spec: { Rules: '' } });

/** The kinds of the service registry. */
export const registryObjects: readonly ObjectCase[] = [
  {
    kind: 'registry.policy',
    identity: named('web-read'),
    spec: { Description: 'Reads web', Rules: 'service "web" {\n  policy = "read"\n}\n' },
    changed: { Description: 'Reads web', Rules: 'service "web" { policy = "write" }', Datacenters: ['dc1'] },
    spellings: [
      { description: 'Reads web', rules: 'service "web" {  \n  policy = "read"\n}', datacenters: [] },
      { Description: 'Reads web', Rules: 'service "web" {\r\n  policy = "read"\r\n}', Datacenters: null },
    ],
  },
  {
    kind: 'registry.role',
    identity: named('deploy'),
    spec: {
      Description: 'Deploys',
      Policies: [{ Name: 'st-web' }, { Name: 'st-db' }],
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1', 'dc2'] }, { ServiceName: 'api' }],
      NodeIdentities: [{ NodeName: 'node1', Datacenter: 'dc1' }],
      TemplatedPolicies: [{ TemplateName: 'builtin/service', TemplateVariables: { Name: 'api' } }],
    },
    changed: { Description: 'Deploys', Policies: [{ name: 'st-db' }], ServiceIdentities: [] },
    spellings: [
      {
        description: 'Deploys',
        policies: [{ name: 'st-db' }, { name: 'st-web' }, { name: 'st-db' }],
        service_identities: [
          { service_name: 'api', datacenters: null },
          { service_name: 'web', datacenters: ['dc2', 'dc1'] },
        ],
        templated_policies: [{ template_name: 'builtin/service', template_variables: { name: 'api' } }],
      },
      { NodeIdentities: [{ nodeName: 'node1', datacenter: 'dc1' }] },
    ],
    needs: [policy('st-web'), policy('st-db')],
  },
  {
    kind: 'registry.role',
    identity: named('empty'),
    spec: {},
    changed: { description: 'x', node_identities: [{ node_name: 'node1', datacenter: 'dc1' }] },
    spellings: [{ Description: '', Policies: [], ServiceIdentities: null }],
  },
  {
    kind: 'registry.token',
    identity: named('5e000000-0000-4000-8000-00000000000a'),
    spec: {
      Description: 'CI',
      SecretID: '5e000000-0000-4000-8000-00000000000b',
      Policies: [{ Name: 'st-web' }],
      Roles: [{ Name: 'st-role' }],
      ServiceIdentities: [{ ServiceName: 'web' }],
      ExpirationTime: '2099-01-01T12:00:00+01:00',
    },
    changed: { Description: 'CI', Policies: [], Roles: [{ Name: 'st-role' }] },
    spellings: [
      {
        description: 'CI',
        policies: [{ Name: 'st-web' }],
        roles: [{ name: 'st-role' }],
        local: false,
        expiration_time: '2099-01-01T11:00:00Z',
        SecretID: null,
      },
    ],
    needs: [policy('st-web'), { kind: 'registry.role', identity: named('st-role'), spec: {} }],
  },
  {
    kind: 'registry.token',
    identity: named('5e000000-0000-4000-8000-00000000000c'),
    spec: { local: true, expiration_ttl: '2h' },
    changed: { Local: true, Description: 'Local token' },
    spellings: [{ Local: true, ExpirationTTL: '120m' }],
  },
  {
    kind: 'registry.key',
    identity: named('app/db/host'),
    spec: { value: 'db.example.com' },
    changed: { value: 'db2.example.com', flags: 42 },
    spellings: [
      { Value: 'db.example.com', flags: 0, encoding: 'text' },
      { value: 'ZGIuZXhhbXBsZS5jb20=', encoding: 'base64', flags: null },
    ],
  },
  {
    kind: 'registry.key',
    identity: named('app/bytes'),
    spec: { value: '/wD+', encoding: 'base64', flags: 18446744073709551615n },
    changed: { value: 'text\n', encoding: 'text', flags: '7' },
    spellings: [{ value: '/wD+', encoding: 'base64', flags: '18446744073709551615' }],
  },
  { kind: 'registry.key', identity: named('app/folder/'), spec: {}, changed: { value: 'é' } },
];
