import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { diff } from '../../src/output/diff.ts';
import { findKind } from '../../src/state/kinds.ts';
import { home, type RunOptions } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { words } from './signing.ts';

// Every command that updates an object changes what it is told to, and nothing else.

interface Case {
  /** Makes an object with every field set: `SERVICE METHOD PATH` of `lanyard api`, and the body. */
  readonly create: readonly (readonly [string, object])[];
  readonly change: string;
  /** The command that shows the object in JSON. */
  readonly read: string;
  /** The path of the only field that differs afterwards. */
  readonly changed: string;
  /** The kind of the object in state files: each of its fields is set. */
  readonly kind?: string;
  /** Fields of the kind that such an object cannot have. */
  readonly without?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'ssh role put': {
    create: [
      [
        'secrets POST ssh/roles/whole',
        {
          ...{ key_type: 'ca', allow_user_certificates: true, allow_host_certificates: true },
          ...{ allowed_users: 'a,b', allowed_users_template: true, default_user: 'a' },
          ...{ default_user_template: true, allowed_domains: 'example.com', allowed_domains_template: true },
          ...{ allow_bare_domains: true, allow_subdomains: true, allow_empty_principals: true },
          ...{ ttl: '30m', max_ttl: '12h', not_before_duration: '1m' },
          ...{ default_extensions: { 'permit-pty': '' }, default_extensions_template: true },
          ...{ allowed_extensions: 'permit-pty', default_critical_options: { 'force-command': 'id' } },
          ...{ allowed_critical_options: 'force-command', allow_user_key_ids: true },
          ...{ key_id_format: '{{role_name}}', allowed_user_key_lengths: { rsa: [2048, 4096] } },
          ...{ algorithm_signer: 'rsa-sha2-512' },
        },
      ],
    ],
    change: 'whole --allowed-users ubuntu',
    read: 'ssh role get whole --select data',
    changed: 'allowed_users',
    kind: 'secrets.ssh-role',
    // Of one-time passwords, and of OpenBao.
    without: ['cidr_list', 'exclude_cidr_list', 'port', 'issuer_ref', 'allow_commas_in_identity_templates'],
  },
  'kv metadata put': {
    create: [
      ['secrets POST secret/data/whole', { data: { a: 'b' } }],
      [
        'secrets POST secret/metadata/whole',
        {
          max_versions: 5,
          cas_required: true,
          delete_version_after: '1h',
          custom_metadata: { owner: 'ops' },
        },
      ],
    ],
    change: 'secret/whole --max-versions 6',
    read: 'kv metadata get secret/whole --select data',
    changed: 'max_versions',
  },
  'kv config put': {
    create: [
      ['secrets POST sys/mounts/whole', { type: 'kv', options: { version: '2' } }],
      ['secrets POST whole/config', { max_versions: 5, cas_required: true, delete_version_after: '1h0m0s' }],
    ],
    change: 'whole --max-versions 6',
    read: 'kv config get whole --select data',
    changed: 'max_versions',
  },
  'kv patch': {
    create: [['secrets POST secret/data/patched', { data: { a: '1', b: '2' } }]],
    change: 'secret/patched a=3',
    read: 'kv get secret/patched --select data.data',
    changed: 'a',
  },
  'secrets patch': {
    create: [['secrets POST secret/data/patched2', { data: { a: '1', b: '2' } }]],
    change: 'secret/data/patched2 --in patch.json',
    read: 'kv get secret/patched2 --select data.data',
    changed: 'a',
  },
  'namespace put': {
    create: [
      [
        'scheduler PUT namespace/whole',
        {
          ...{ Name: 'whole', Description: 'all of it', Meta: { owner: 'ops' } },
          Capabilities: { DisabledTaskDrivers: ['raw_exec'], EnabledTaskDrivers: ['docker'] },
        },
      ],
    ],
    change: 'whole --description other',
    read: 'namespace get whole',
    changed: 'Description',
  },
  'query put': {
    create: [['registry POST query', query('whole')]],
    change: 'whole --near n2',
    read: 'query get whole',
    changed: 'Service.Near',
  },
  'query update': {
    create: [['registry POST query', query('whole2')]],
    change: 'whole2 --near n2',
    read: 'query get whole2',
    changed: 'Service.Near',
  },
  'registry config put': {
    create: [
      [
        'registry PUT config',
        {
          ...{ Kind: 'service-defaults', Name: 'whole', Protocol: 'http', ExternalSNI: 'sni.example.com' },
          ...{ MaxInboundConnections: 7, MutualTLSMode: 'strict', Meta: { owner: 'ops' } },
        },
      ],
    ],
    change: 'entry.yaml',
    read: 'registry config get service-defaults whole',
    changed: 'Protocol',
  },
  'acl policy put': {
    create: [
      [
        'registry PUT acl/policy',
        {
          Name: 'whole',
          Description: 'all',
          Rules: 'key_prefix "" { policy = "read" }',
          Datacenters: ['dc1'],
        },
      ],
    ],
    change: 'whole --description other',
    read: 'acl policy get whole',
    changed: 'Description',
  },
  'acl role put': {
    create: [
      [
        'registry PUT acl/role',
        {
          ...{ Name: 'whole', Description: 'all', Policies: [{ Name: 'whole' }] },
          ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1'] }],
          NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
        },
      ],
    ],
    change: 'whole --description other',
    read: 'acl role get whole',
    changed: 'Description',
  },
  'secrets mount tune': {
    create: [
      [
        'secrets POST sys/mounts/tuned',
        { type: 'kv', description: 'all', config: { default_lease_ttl: '1h', max_lease_ttl: '2h' } },
      ],
    ],
    change: 'tuned --max-lease-ttl 3h',
    read: 'secrets mount get tuned',
    changed: 'config.max_lease_ttl',
  },
};

/** Commands of these names that have other tests, or no fields. */
const others: Readonly<Record<string, string>> = {
  'ssh zero-address put': 'one list, which is given',
  'secrets policy put': 'one text, which is given',
  'kv put': 'the data of a secret is given as one value; kv patch changes some',
  'var put': 'the items are given as one value; --merge changes some',
  'registry kv put': 'a value, which is given',
  'kv edit': 'an editor shows all fields',
  'var edit': 'an editor shows all fields',
  'query edit': 'an editor shows all fields',
  'profile put': 'test/commands/profile',
  'account update': 'test/commands/account',
  'acl token update': 'test/commands/acl',
  'acl auth-method put': 'test/commands/acl',
  'acl binding-rule update': 'test/commands/acl',
  'box update': 'test/commands/box',
  'box version update': 'test/commands/box',
  'box provider update': 'test/commands/box',
  'secrets auth tune': 'shares its code with secrets mount tune',
};

function query(Name: string) {
  return {
    Name,
    Service: {
      ...{ Service: 'web', Near: 'n1', OnlyPassing: true, Tags: ['a'], IgnoreCheckIDs: ['c'], Connect: true },
      ...{ NodeMeta: { zone: 'a' }, ServiceMeta: { version: '1' } },
      Failover: { NearestN: 2, Datacenters: ['dc2'] },
    },
    DNS: { TTL: '10s' },
  };
}

const at = home();
let running: TestServices;
const run = (line: string, options?: RunOptions) => at.run(words(line), options);
const serverManaged = /^(ModifyIndex|ModifyTime|CreateIndex|Hash|updated_time|updated_at|version|RaftIndex)$/;

/** The object that a command shows. */
async function read(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await run(`${line} -o json`);
  expect(code, stderr).toBe(0);
  const object = JSON.parse(stdout);
  return Array.isArray(object) ? object[0] : object;
}

beforeAll(async () => {
  running = await services(at);
  at.write('patch.json', '{"data":{"a":"3"}}');
  at.write('entry.yaml', 'kind: service-defaults\nname: whole\nprotocol: grpc\n');
  at.env.LANYARD_REGISTRY_TOKEN = JSON.parse((await run('acl bootstrap -o json')).stdout).SecretID;
});
afterAll(async () => {
  await running.close();
  at.remove();
});

test('every command that updates an object has a case', () => {
  const updates = tree
    .map(({ path }) => path)
    .filter((path) => /(^| )(put|update|edit|patch|tune)$/.test(path));
  expect(updates.sort()).toEqual([...Object.keys(cases), ...Object.keys(others)].sort());
});

describe('keeps every field that is not given', () => {
  test.each(Object.entries(cases))(
    '%s',
    async (command, { create, change, read: reading, changed, ...of }) => {
      for (const [request, body] of create) {
        const made = await run(`api ${request} --data -`, { stdin: JSON.stringify(body) });
        expect(made.code, made.stderr).toBe(0);
      }
      const before = await read(reading);
      const properties = Object.keys(
        (of.kind === undefined ? undefined : (findKind(of.kind)?.schema as { properties?: object }))
          ?.properties ?? {},
      );
      const isSet = (name: string): boolean => {
        const value = (before as Readonly<Record<string, unknown>>)[name];
        return ![undefined, '', false, 0, '0s', 'default'].includes(value as string);
      };
      expect(properties.filter((name) => !isSet(name) && !of.without?.includes(name))).toEqual([]);
      const dryRun = await run(`${command} ${change} --dry-run`);
      expect(dryRun.code, dryRun.stderr).toBe(0);
      expect(await read(reading)).toEqual(before);

      const ran = await run(`${command} ${change}`);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const paths = diff(before, await read(reading))
        .map(({ path }) => path)
        .filter((path) => !path.some((name) => serverManaged.test(name)));
      expect(paths.map((path) => path.join('.'))).toEqual([changed]);
    },
  );
});
