import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const named = (key: string): Identity => ({ scope: {}, key });
const inMount = (mount: string, key = ''): Identity => ({ scope: { mount }, key });

const kv2 = {
  kind: 'secrets.mount',
  identity: named('st-kv/'),
  spec: { type: 'kv', options: { version: '2' } },
};
const kv1 = { kind: 'secrets.mount', identity: named('st-kv1/'), spec: { type: 'kv' } };
const ssh = { kind: 'secrets.mount', identity: named('st-ssh/'), spec: { type: 'ssh' } };

const reads = 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n';

const role = { key_type: 'ca', allow_user_certificates: true } as const;

/** At least one object of every kind of the secrets service. */
export const secretsObjectCases: readonly ObjectCase[] = [
  {
    kind: 'secrets.mount',
    identity: named('st-team/kv/'),
    spec: {
      type: 'kv',
      description: 'Team secrets',
      options: { version: '2' },
      config: { default_lease_ttl: '1h', max_lease_ttl: '24h', audit_non_hmac_request_keys: ['b', 'a'] },
    },
    changed: {
      type: 'kv',
      description: '',
      options: { version: '2' },
      config: { default_lease_ttl: 0, listing_visibility: 'unauth', audit_non_hmac_request_keys: [] },
    },
    spellings: [
      {
        type: 'kv',
        description: 'Team secrets',
        options: { version: 2 },
        config: { default_lease_ttl: 3600, max_lease_ttl: '86400s', audit_non_hmac_request_keys: 'a, b' },
      },
      {
        type: 'kv',
        description: 'Team secrets',
        config: { default_lease_ttl: '60m', max_lease_ttl: 86_400, allowed_response_headers: [] },
        local: false,
        seal_wrap: null,
      },
      { type: 'kv', config: { listing_visibility: 'hidden', force_no_cache: false } },
    ],
  },
  {
    kind: 'secrets.mount',
    identity: named('st-old/'),
    spec: { type: 'kv' },
    changed: { type: 'kv', options: { version: '2' } },
    spellings: [
      { type: 'kv', options: { version: '1' } },
      { type: 'kv', options: null, config: {}, description: '' },
    ],
  },
  {
    kind: 'secrets.auth-method',
    identity: named('st-users/'),
    spec: { type: 'userpass', description: 'People', config: { max_lease_ttl: '12h' } },
    changed: { type: 'userpass', config: { token_type: 'batch', max_lease_ttl: '1h30m' } },
    spellings: [
      { type: 'userpass', config: { max_lease_ttl: 43_200, token_type: 'default-service' } },
      { type: 'userpass', description: 'People', config: { max_lease_ttl: '720m', default_lease_ttl: '0s' } },
    ],
  },
  {
    kind: 'secrets.policy',
    identity: named('st-app-read'),
    spec: { policy: reads },
    changed: { policy: reads.replace('"read"', '"read", "list"') },
    spellings: [
      { policy: reads.replaceAll('\n', '\r\n') },
      { policy: `${reads}\n\n` },
      { policy: reads.trimEnd().replace('{', '{  '), cas_required: false, expiration: null },
    ],
  },
  {
    kind: 'secrets.ssh-ca',
    identity: inMount('st-ssh'),
    needs: [ssh],
    spec: { generate_signing_key: true, key_type: 'ed25519' },
    spellings: [{}, { key_type: 'ssh-ed25519', key_bits: 0 }],
  },
  {
    kind: 'secrets.ssh-role',
    identity: inMount('st-ssh', 'deploy'),
    needs: [ssh],
    spec: {
      ...role,
      allowed_users: 'ubuntu,admin',
      default_extensions: { 'permit-pty': '' },
      allowed_user_key_lengths: { rsa: [2048, 4096], ed25519: 0 },
      ttl: '30m',
      max_ttl: '1h',
    },
    changed: {
      ...role,
      allow_host_certificates: true,
      allowed_users: ['admin'],
      ttl: 60,
      default_extensions: {},
    },
    spellings: [
      {
        ...role,
        allowed_users: ['admin', 'ubuntu'],
        default_extensions: { 'permit-pty': null },
        allowed_user_key_lengths: { ed25519: [0], rsa: '4096, 2048' },
        ttl: 1800,
        max_ttl: '3600',
      },
      {
        key_type: 'CA',
        allow_user_certificates: 'true',
        allowed_users: 'admin, ubuntu, admin',
        allowed_domains: '',
        allowed_extensions: [],
        not_before_duration: '30s',
        algorithm_signer: 'default',
        default_critical_options: {},
        default_user: '',
        issuer_ref: 'default',
        allow_subdomains: false,
        port: 22,
      },
    ],
  },
  {
    kind: 'secrets.ssh-role',
    identity: inMount('st-ssh', 'one-time'),
    needs: [ssh],
    spec: { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8,192.168.0.0/16' },
    changed: { key_type: 'otp', default_user: 'ubuntu', cidr_list: ['10.0.0.0/8'], port: 2222 },
    spellings: [
      { key_type: 'otp', cidr_list: ['192.168.0.0/16', '10.0.0.0/8'], exclude_cidr_list: [], port: 22 },
    ],
  },
  {
    kind: 'secrets.ssh-zero-address',
    identity: inMount('st-ssh'),
    needs: [
      ssh,
      ...['one', 'two'].map((key) => ({
        kind: 'secrets.ssh-role',
        identity: inMount('st-ssh', key),
        spec: { key_type: 'otp', default_user: `user-${key}` },
      })),
    ],
    spec: { roles: ['two', 'one'] },
    changed: { roles: 'one' },
    spellings: [{ roles: 'one,two' }, { roles: ['one', 'two', 'one'] }],
  },
  {
    kind: 'secrets.kv',
    identity: inMount('st-kv', 'app/db'),
    needs: [kv2],
    spec: { data: { user: 'app', password: 'x', limits: { most: 5, on: true }, none: null } },
    changed: { data: { user: 'app', port: 5432 } },
    spellings: [{ data: { none: null, password: 'x', limits: { on: true, most: 5 }, user: 'app' } }],
  },
  {
    kind: 'secrets.kv',
    identity: inMount('st-kv1', 'app/db'),
    needs: [kv1],
    spec: { data: { user: 'app', password: 'x' } },
    changed: { data: { user: 'app', port: 5432 } },
    spellings: [{ data: { password: 'x', user: 'app' } }],
  },
  {
    kind: 'secrets.kv',
    identity: inMount('st-kv', 'odd names/50% ?#&+ü'),
    needs: [kv2],
    spec: { data: { '': 'empty', 'a/b': '~1' } },
  },
  {
    kind: 'secrets.kv-metadata',
    identity: inMount('st-kv', 'app/settings'),
    needs: [kv2],
    spec: {
      custom_metadata: { owner: 'team', tier: '1' },
      max_versions: 3,
      cas_required: true,
      delete_version_after: '90m',
    },
    changed: { custom_metadata: { owner: 'ops' }, max_versions: 0, delete_version_after: '0s' },
    spellings: [
      {
        custom_metadata: { tier: 1, owner: 'team' },
        max_versions: '3',
        cas_required: 'true',
        delete_version_after: 5400,
      },
      { delete_version_after: '1h30m' },
    ],
  },
  {
    kind: 'secrets.kv-metadata',
    identity: inMount('st-kv', 'app/with-data'),
    needs: [
      kv2,
      { kind: 'secrets.kv', identity: inMount('st-kv', 'app/with-data'), spec: { data: { kept: 'yes' } } },
    ],
    spec: { custom_metadata: { owner: 'team' } },
    changed: { custom_metadata: { owner: 'ops', team: 'a' }, cas_required: true },
    spellings: [{ custom_metadata: { owner: 'team' }, max_versions: 0, cas_required: false }],
  },
  {
    kind: 'secrets.kv-config',
    identity: inMount('st-kv'),
    needs: [kv2],
    spec: { max_versions: 5, delete_version_after: '1h' },
    changed: { max_versions: 0, cas_required: true },
    spellings: [
      { max_versions: '5', delete_version_after: 3600 },
      { delete_version_after: '60m', cas_required: null },
    ],
  },
];
