import { type Step, stepsOf } from '../step.ts';
import { missingId, publicKey } from './shared.ts';

const { read, write, after, prepare, cleanup } = stepsOf('registry');

const exported = '[{"key":"one","flags":7,"value":"b25l"},{"key":"two","value":""}]';

/** Sessions, and locks of keys. */
export const sessionSteps: readonly Step[] = [
  read('registry session get: missing', `registry session get ${missingId}`, { code: 3 }),
  read('registry session get: no UUID', 'registry session get {run}', { code: 3 }),
  read('registry session list: node', 'registry session list --node {run}'),
  write(
    'registry session create',
    'registry session create --name {run} --ttl 1h --lock-delay 0s --behavior delete',
    { save: { session: 'ID' } },
  ),
  write('registry session create: forbidden', 'registry session create --ttl 1h', { code: 5, as: 'limited' }),
  write('registry session create: missing node', 'registry session create --node {run}', { code: 1 }),
  write('registry session create: missing check', 'registry session create --node-check {run}', { code: 1 }),
  after('registry session get', 'registry session get {session}'),
  after('registry session list', 'registry session list'),
  write('registry kv put: lock', 'registry kv put {run}/lock/.lock x --acquire {session}'),
  write('registry lock: no lock', 'registry lock {run}/lock --wait 0 -- true', { text: true, code: 6 }),
  write('registry session delete: forbidden', 'registry session delete {session} --yes', {
    code: 3,
    as: 'limited',
  }),
  write('registry session delete', 'registry session delete {session} --yes'),
  write('registry session delete: missing', 'registry session delete {session} --yes', { code: 3 }),
  after('registry kv get: deleted with its session', 'registry kv get {run}/lock/.lock', { code: 3 }),
  prepare('registry: lock held by another session', 'registry session create --ttl 1h --lock-delay 0s', {
    save: { holder: 'ID' },
  }),
  prepare(
    'registry: hold the lock',
    'registry kv put {run}/held/.lock x --acquire {holder} --flags 3304740253564472344',
  ),
  write('registry lock: locked', 'registry lock {run}/held --wait 0 -- true', { text: true, code: 8 }),
  prepare('registry: end the session', 'registry session delete {holder} --yes'),
  write('registry lock', 'registry lock {run}/held --wait 0 -- test true', { text: true }),
  write('registry lock: exit code of the command', 'registry lock {run}/held --wait 0 -- false', {
    text: true,
    code: 1,
  }),
  write('registry lock: forbidden', 'registry lock {run}/held --wait 0 -- true', {
    text: true,
    code: 5,
    as: 'limited',
  }),
  cleanup('registry: delete the session', 'registry session delete {session} --yes'),
  cleanup('registry: delete the other session', 'registry session delete {holder} --yes'),
];

/** Keys of the key-value store. */
export const keySteps: readonly Step[] = [
  write('registry kv put', 'registry kv put {run}/kv/host db1 --flags 42', {}),
  write('registry kv put: flags are kept', 'registry kv put {run}/kv/host db1.example.com'),
  write('registry kv put: existing', 'registry kv put {run}/kv/host db2 --cas 0', { code: 6 }),
  write('registry kv put: changed', 'registry kv put {run}/kv/host db2 --cas 1', { code: 6 }),
  write('registry kv put: missing', 'registry kv put {run}/kv/missing db2 --cas 1', { code: 6 }),
  write('registry kv put: other session', `registry kv put {run}/kv/host db2 --release ${'0'.repeat(8)}`, {
    code: 6,
  }),
  write('registry kv put: forbidden', 'registry kv put {run}/kv/host db2', { code: 5, as: 'limited' }),
  after('registry kv get', 'registry kv get {run}/kv/host', { save: { keyIndex: 'ModifyIndex' } }),
  after('render: key', 'render -', { stdin: '{{ "{run}/kv/host" | key }}' }),
  write('registry kv put: check-and-set', 'registry kv put {run}/kv/host - --cas {keyIndex}', {
    stdin: 'db3\n',
  }),
  after('registry kv get: missing', 'registry kv get {run}/kv/missing', { code: 3 }),
  after('registry kv get: recursive', 'registry kv get {run}/kv/ --recursive'),
  after('run: key', 'run --key {run}/kv/host -- true', { text: true }),
  after('run: missing key', 'run --key {run}/kv/missing -- true', { text: true, code: 3 }),
  after('registry kv get: recursive, missing', 'registry kv get {run}/missing/ --recursive', { code: 3 }),
  after('ssh revoked list: no list', 'ssh revoked list --list registry:{run}/kv/missing', { code: 3 }),
  write('ssh revoke', 'ssh revoke --serial 5-9 --ca any --list registry:{run}/kv/revoked --yes'),
  write('ssh revoke: already revoked', 'ssh revoke --serial 6 --ca any --list registry:{run}/kv/revoked'),
  write('ssh revoke: forbidden', 'ssh revoke --serial 5 --ca any --list registry:{run}/kv/revoked --yes', {
    code: 5,
    as: 'limited',
  }),
  after('ssh revoked list', 'ssh revoked list --list registry:{run}/kv/revoked'),
  after('ssh revoked check', 'ssh revoked check key.pub --list registry:{run}/kv/revoked', {
    files: { 'key.pub': publicKey },
  }),
  write(
    'ssh revoked remove',
    'ssh revoked remove --serial 6 --ca any --list registry:{run}/kv/revoked --yes',
  ),
  after('wait key', 'wait key {run}/kv/host --for present --timeout 0'),
  after('wait key: missing', 'wait key {run}/kv/missing --timeout 0', { code: 8 }),
  after('wait key: absent', 'wait key {run}/kv/missing --for absent --timeout 0'),
  after('wait key: forbidden', 'wait key {run}/kv/host --timeout 0', { code: 5, as: 'limited' }),
  write('registry kv import', 'registry kv import - --prefix {run}/kv/tree/', { stdin: exported }),
  after('registry kv list', 'registry kv list {run}/kv/'),
  after('registry kv list: recursive', 'registry kv list {run}/kv/ --recursive'),
  after('registry kv list: empty', 'registry kv list {run}/missing/'),
  after('registry kv export', 'registry kv export {run}/kv/'),
  write('registry kv delete: changed', 'registry kv delete {run}/kv/host --cas 1 --yes', { code: 6 }),
  write('registry kv delete', 'registry kv delete {run}/kv/host --yes'),
  write('registry kv delete: missing', 'registry kv delete {run}/kv/host --yes', { code: 3 }),
  write('registry kv delete: recursive', 'registry kv delete {run}/kv/ --recursive --yes'),
  write('registry kv delete: recursive, missing', 'registry kv delete {run}/kv/ --recursive --yes', {
    code: 3,
  }),
  cleanup('registry: remove the keys', 'registry kv delete {run}/kv/ --recursive --yes'),
];
