import { type Step, stepsOf } from '../step.ts';
import { accessSteps } from './registry-acl.ts';
import { catalogSteps } from './registry-catalog.ts';
import { configSteps } from './registry-config.ts';
import { keySteps, sessionSteps } from './registry-kv.ts';
import { missingId } from './shared.ts';
import { registryStateSteps } from './state.ts';

const { read, write, after, prepare, cleanup } = stepsOf('registry');

const reads: readonly Step[] = [
  read('status: registry', 'status'),
  read('wait status', 'wait status registry --timeout 0'),
  read('status: registry, without a token', 'status', { as: 'anonymous' }),
  read('status: registry, with an invalid token', 'status', { as: 'invalid' }),
  read('status --check: registry', 'status --check'),
  read('status --check: registry, with an invalid token', 'status --check', { code: 4, as: 'invalid' }),
  read('query list', 'query list'),
  read('query list: without a token', 'query list', { as: 'anonymous' }),
  read('query get: missing', 'query get {run}-missing', { code: 3 }),
  read('query get: missing ID', `query get ${missingId}`, { code: 3 }),
  read('query exec: missing', 'query exec {run}-missing', { code: 3 }),
  read('query explain: missing', 'query explain {run}-missing', { code: 3 }),
  read('chain get: no entries', 'chain get {run}-missing'),
  read('chain get: without a token', 'chain get {run}-missing', { code: 4, as: 'anonymous' }),
  read('discovery-chain get', 'discovery-chain get {run}-missing'),
  read(
    'chain get: override',
    'chain get {run}-missing --override-protocol grpc --override-connect-timeout 2s',
  ),
  read('chain get: difference', 'chain get {run}-missing --override-protocol http --diff'),
  read('acl replication', 'acl replication'),
  read('acl translate-rules', 'acl translate-rules -', { stdin: 'key "" { policy = "read" }', text: true }),
  read('acl translate-rules: no such token', `acl translate-rules --accessor ${missingId}`, {
    code: 5,
    text: true,
  }),
  read('txn apply: reads', 'txn apply - --stale', { stdin: '{"KV":{"Verb":"get-tree","Key":"{run}/"}}' }),
  prepare('registry: datacenters', 'api registry GET catalog/datacenters', { save: { datacenter: '[0]' } }),
  read('api: registry', 'api registry GET status/leader', { text: true }),
];

const node = JSON.stringify([
  { Node: { Verb: 'set', Node: { Node: '{run}', Address: '192.0.2.10', Meta: { owner: 'conformance' } } } },
  {
    Service: {
      Verb: 'set',
      Node: '{run}',
      Service: { ID: '{run}-web', Service: '{run}-web', Port: 8080, Tags: ['primary'] },
    },
  },
  {
    Check: {
      Verb: 'set',
      Check: {
        Node: '{run}',
        CheckID: '{run}-check',
        Name: 'check',
        Status: 'passing',
        ServiceID: '{run}-web',
      },
    },
  },
]);

const keys = (...operations: readonly object[]): string =>
  operations.map((KV) => `${JSON.stringify({ KV })}\n`).join('');

const transactions: readonly Step[] = [
  write('txn apply: catalog', 'txn apply -', { stdin: node }),
  write('txn apply: keys', 'txn apply -', {
    stdin: keys({ Verb: 'set', Key: '{run}/a', Value: 'one' }, { Verb: 'set', Key: '{run}/b', Value: 'two' }),
  }),
  write('txn apply: rolled back', 'txn apply -', {
    code: 6,
    stdin: keys({ Verb: 'check-not-exists', Key: '{run}/a' }, { Verb: 'set', Key: '{run}/c', Value: 'x' }),
  }),
  write('txn apply: outdated index', 'txn apply -', {
    code: 6,
    stdin: keys({ Verb: 'cas', Key: '{run}/a', Value: 'x', Index: 1 }),
  }),
  write('txn apply: forbidden', 'txn apply -', {
    code: 5,
    as: 'limited',
    stdin: keys({ Verb: 'set', Key: '{run}/a', Value: 'x' }),
  }),
  write('txn apply: chunks', 'txn apply chunks.jsonl --chunk 1', {
    files: {
      'chunks.jsonl': keys(
        { Verb: 'set', Key: '{run}/d', Value: 'x' },
        { Verb: 'set', Key: '{run}/e', Value: 'x' },
      ),
    },
  }),
  after('txn apply: reads keys', 'txn apply - --consistent', {
    stdin: keys({ Verb: 'get-tree', Key: '{run}/' }),
  }),
  after('txn apply: missing key', 'txn apply -', {
    code: 6,
    stdin: keys({ Verb: 'get', Key: '{run}/missing' }),
  }),
];

const queries: readonly Step[] = [
  write('query create', 'query create {run}-web --service {run}-web --only-passing --tag primary', {
    save: { query: 'ID' },
  }),
  write('query create: exists', 'query create {run}-web --service {run}-web', { code: 6 }),
  write('query create: forbidden', 'query create {run}-other --service {run}-web', {
    code: 5,
    as: 'limited',
  }),
  write(
    'query create: invalid',
    'query create {run}-other --service {run}-web --near {run} --dns-ttl 10s --failover-nearest 1 --failover-target dc:dc9',
    { code: 2 },
  ),
  after('query get', 'query get {run}-web'),
  after('query get: ID', 'query get {query}'),
  after('query get: without a token', 'query get {run}-web', { code: 3, as: 'anonymous' }),
  write('query update', 'query update {run}-web --dns-ttl 10s'),
  write('query update: missing', 'query update {run}-missing --dns-ttl 10s', { code: 3 }),
  write('query put: update', 'query put {run}-web --near _agent --unset tag'),
  write('query put', 'query put {run}-web --service {run}-web --only-passing --tag primary --replace'),
  write(
    'query put: unchanged',
    'query put {run}-web --service {run}-web --only-passing --tag primary --replace',
  ),
  write('query put: template', 'query put --file -', {
    stdin: `Name: {run}-t-
Template:
  Type: name_prefix_match
  Regexp: '^{run}-t-(.*)$'
Service:
  Service: '{run}-\${match(1)}'
`,
  }),
  write('query edit', 'query edit {run}-web', {
    env: { EDITOR: "sed -i 's/OnlyPassing: true/OnlyPassing: false/'" },
  }),
  after('query exec', 'query exec {run}-web'),
  after('query exec: limit', 'query exec {run}-web --limit 1 --near _agent'),
  after('query exec: template', 'query exec {run}-t-web'),
  after('query exec: forbidden', 'query exec {run}-web', { as: 'limited' }),
  after('query explain', 'query explain {run}-t-web'),
  after('query explain: without a template', 'query explain {run}-web'),
  prepare('registry: second datacenter', 'api registry GET catalog/datacenters', { save: { second: '[1]' } }),
  prepare('registry: service in the second datacenter', 'api registry PUT catalog/register --data -', {
    text: true,
    stdin:
      '{"Datacenter":"{second}","Node":"{run}-far","Address":"192.0.2.20","Service":{"ID":"{run}-far","Service":"{run}-far","Port":8080}}',
  }),
  write(
    'query create: failover',
    'query create {run}-far --service {run}-far --failover-datacenter {second}',
  ),
  after('query exec: failover', 'query exec {run}-far'),
  after('query list: second datacenter', 'query list --dc {second}'),
  after('acl replication: second datacenter', 'acl replication --dc {second}'),
  after('query list: no such datacenter', 'query list --dc {run}', { code: 1 }),
  write('query delete', 'query delete {run}-web --yes'),
  write('query delete: missing', 'query delete {run}-web --yes', { code: 3 }),
  write('query delete: forbidden', 'query delete {run}-far --yes', { code: 3, as: 'limited' }),
];

const entry = (content: object): string => JSON.stringify(content);

const chains: readonly Step[] = [
  prepare('registry: defaults', 'api registry PUT config --data -', {
    stdin: entry({ Kind: 'service-defaults', Name: '{run}-web', Protocol: 'http' }),
  }),
  prepare('registry: defaults of the other service', 'api registry PUT config --data -', {
    stdin: entry({ Kind: 'service-defaults', Name: '{run}-far', Protocol: 'http' }),
  }),
  prepare('registry: resolver', 'api registry PUT config --data -', {
    stdin: entry({
      Kind: 'service-resolver',
      Name: '{run}-web',
      DefaultSubset: 'v1',
      ConnectTimeout: '15s',
      Subsets: { v1: { Filter: 'Service.Meta.version == v1' }, v2: { Filter: 'Service.Meta.version == v2' } },
      Failover: { '*': { Service: '{run}-far' } },
    }),
  }),
  prepare('registry: splitter', 'api registry PUT config --data -', {
    stdin: entry({
      Kind: 'service-splitter',
      Name: '{run}-web',
      Splits: [
        { Weight: 90, ServiceSubset: 'v1' },
        { Weight: 10, ServiceSubset: 'v2' },
      ],
    }),
  }),
  prepare('registry: router', 'api registry PUT config --data -', {
    stdin: entry({
      Kind: 'service-router',
      Name: '{run}-web',
      Routes: [{ Match: { HTTP: { PathPrefix: '/far' } }, Destination: { Service: '{run}-far' } }],
    }),
  }),
  after('chain get', 'chain get {run}-web'),
  after('chain get: datacenter', 'chain get {run}-web --compile-dc {datacenter}'),
  after('chain get: difference of entries', 'chain get {run}-web --override-protocol tcp --diff'),
  after('chain get: DOT', 'chain get {run}-web --format dot', { text: true }),
  cleanup('registry: remove the router', 'api registry DELETE config/service-router/{run}-web --yes'),
  cleanup('registry: remove the splitter', 'api registry DELETE config/service-splitter/{run}-web --yes'),
  cleanup('registry: remove the resolver', 'api registry DELETE config/service-resolver/{run}-web --yes'),
  cleanup('registry: remove the defaults', 'api registry DELETE config/service-defaults/{run}-web --yes'),
  cleanup(
    'registry: remove the other defaults',
    'api registry DELETE config/service-defaults/{run}-far --yes',
  ),
];

const redirect = '--redirect-uri http://127.0.0.1:8550/oidc/callback';

const logins: readonly Step[] = [
  prepare('registry: auth method', 'api registry PUT acl/auth-method --data -', {
    stdin:
      '{"Name":"{run}","Type":"jwt","MaxTokenTTL":"1h","Config":{"JWTValidationPubKeys":["{issuerKeyJson}"],"BoundAudiences":["conformance"]}}',
  }),
  prepare('registry: binding rule', 'api registry PUT acl/binding-rule --data -', {
    stdin: '{"AuthMethod":"{run}","BindType":"service","BindName":"{run}-web"}',
  }),
  write('acl login', 'acl login --method {run} --bearer-token env://JWT', {
    as: 'login',
    env: { JWT: '{jwt}' },
  }),
  after('query list: with the stored token', 'query list', { as: 'login' }),
  write('acl logout', 'acl logout --yes', { as: 'login' }),
  prepare('registry: second login', 'acl login --method {run} --bearer-token env://JWT --no-store', {
    as: 'anonymous',
    env: { JWT: '{jwt}' },
    save: { goneToken: 'SecretID', goneAccessor: 'AccessorID' },
    secrets: ['goneToken'],
  }),
  prepare('registry: remove the token of the login', 'api registry DELETE acl/token/{goneAccessor} --yes', {
    text: true,
  }),
  write('acl logout: token is gone', 'acl logout --yes', { token: '{goneToken}' }),
  write('acl logout: without a token', 'acl logout --yes', { as: 'login' }),
  write('acl logout: token of no login', 'acl logout --yes', { code: 9, as: 'limited' }),
  write('acl login: no such method', 'acl login --method {run}-missing --bearer-token env://JWT --no-store', {
    code: 3,
    as: 'anonymous',
    env: { JWT: '{jwt}' },
  }),
  write('acl login: invalid bearer token', 'acl login --method {run} --bearer-token env://JWT --no-store', {
    code: 4,
    as: 'anonymous',
    env: { JWT: 'invalid.invalid.invalid' },
  }),
  write('acl login: other audience', 'acl login --method {run} --bearer-token env://JWT --no-store', {
    code: 4,
    as: 'anonymous',
    env: { JWT: '{otherJwt}' },
  }),
  write('acl oidc auth-url: no such method', `acl oidc auth-url --method {run}-missing ${redirect}`, {
    code: 3,
    as: 'anonymous',
  }),
  write(
    'acl oidc callback: no such method',
    'acl oidc callback --method {run}-missing --state x --code env://CODE --no-store',
    { code: 3, as: 'anonymous', env: { CODE: 'conformance' } },
  ),
  write('acl bootstrap: done before', 'acl bootstrap', {
    code: 5,
    as: 'anonymous',
    needs: ['registryToken'],
  }),
  cleanup('registry: remove the auth method', 'api registry DELETE acl/auth-method/{run} --yes', {
    text: true,
  }),
];

const removals: readonly Step[] = [
  cleanup('registry: remove the first query', 'query delete {run}-web --yes'),
  cleanup('registry: remove the template', 'query delete {run}-t- --yes'),
  cleanup('registry: remove the last query', 'query delete {run}-far --yes'),
  cleanup('registry: remove keys and node', 'txn apply -', {
    stdin: JSON.stringify([
      { KV: { Verb: 'delete-tree', Key: '{run}/' } },
      { Node: { Verb: 'delete', Node: { Node: '{run}' } } },
    ]),
  }),
  cleanup('registry: remove the other node', 'api registry PUT catalog/deregister --data - --yes', {
    stdin: '{"Datacenter":"{second}","Node":"{run}-far"}',
    text: true,
  }),
  cleanup('registry: remove the limited token', 'api registry DELETE acl/token/{limitedAccessor} --yes', {
    text: true,
  }),
];

const snapshots: readonly Step[] = [
  read('registry snapshot save: forbidden', 'registry snapshot save a.snap', { code: 5, as: 'limited' }),
  read('registry snapshot restore: no file', 'registry snapshot restore a.snap --yes', { code: 2 }),
];

export const registrySteps: readonly Step[] = [
  ...reads,
  prepare('registry: limited token', 'api registry PUT acl/token --data -', {
    stdin: '{"Description":"{run}"}',
    save: { limitedToken: 'SecretID', limitedAccessor: 'AccessorID' },
    secrets: ['limitedToken'],
  }),
  ...snapshots,
  ...transactions,
  ...queries,
  ...chains,
  ...accessSteps,
  ...sessionSteps,
  ...keySteps,
  ...configSteps,
  ...catalogSteps,
  ...logins,
  ...registryStateSteps,
  ...removals,
];
