import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../../../support/require.ts';
import { sized } from '../../../../support/soak.ts';
import { errorOf } from '../engine-calls.ts';
import { keyFolder, type Mount, mountWithCa, show } from './harness.ts';

interface Role {
  allow_user_certificates: boolean;
  allow_host_certificates: boolean;
  default_user: string;
  default_user_template: boolean;
  allowed_users: string;
  allowed_users_template: boolean;
  allowed_domains: string;
  allowed_domains_template: boolean;
  allow_bare_domains: boolean;
  allow_subdomains: boolean;
  allow_empty_principals: boolean;
  allow_user_key_ids: boolean;
  key_id_format: string;
  allowed_user_key_lengths: Record<string, number[]>;
  ttl: number;
  max_ttl: number;
  not_before_duration: number;
  allowed_critical_options: string;
  default_critical_options: Record<string, string>;
  allowed_extensions: string;
  default_extensions: Record<string, string>;
  default_extensions_template: boolean;
}

interface Request {
  key: 'ed25519' | 'rsa' | 'ecdsa';
  cert_type?: string;
  valid_principals?: string;
  key_id?: string;
  ttl?: number;
  critical_options?: Record<string, string>;
  extensions?: Record<string, string>;
}

type Expected =
  | { rejection: string }
  | {
      kind: string;
      keyId: string;
      seconds: number;
      before: number;
      principals: string[];
      criticalOptions: string[];
      extensions: string[];
    };

const identity = '{{identity.entity.name}}';
const bits = { ed25519: 256, rsa: 2048, ecdsa: 384 };

/** A model of the rules, one statement each, as listed in the specification. */
function oracle(role: Role, request: Request): Expected {
  const reject = (rejection: string): Expected => ({ rejection: `400 ${rejection}` });

  const lengths = role.allowed_user_key_lengths;
  if (Object.keys(lengths).length > 0) {
    const listed = lengths[request.key];
    const named = request.key === 'ecdsa' && lengths['ecdsa-sha2-nistp384'] !== undefined;
    const requirements = 'public_key failed to meet the key requirements:';
    if (listed === undefined && !named) {
      return reject(`${requirements} key of type ${request.key} is not allowed`);
    }
    if (request.key !== 'ed25519' && !named && !listed?.includes(bits[request.key])) {
      return reject(`${requirements} key is of an invalid size: ${bits[request.key]}`);
    }
  }

  let keyId = 'root';
  if (role.key_id_format !== '') keyId = role.key_id_format.replace('{{role_name}}', 'r');
  if (request.key_id) {
    if (!role.allow_user_key_ids) return reject('setting key_id is not allowed by role');
    keyId = request.key_id;
  }

  const kind = request.cert_type ?? 'user';
  if (kind !== 'user' && kind !== 'host') return reject("cert_type must be either 'user' or 'host'");
  if (kind === 'user' && !role.allow_user_certificates)
    return reject("cert_type 'user' is not allowed by role");
  if (kind === 'host' && !role.allow_host_certificates)
    return reject("cert_type 'host' is not allowed by role");

  let principals: string[] = [];
  for (const item of (request.valid_principals ?? '').split(',')) {
    const name = item.trim();
    if (name !== '' && !principals.includes(name)) principals.push(name);
  }
  let unexpanded = false;
  if (principals.length === 0 && kind === 'user' && role.default_user !== '') {
    principals = [role.default_user];
    unexpanded = role.default_user_template && role.default_user.includes('{{');
  }
  const list = kind === 'user' ? role.allowed_users : role.allowed_domains;
  const templated = kind === 'user' ? role.allowed_users_template : role.allowed_domains_template;
  if (principals.length === 0 && !role.allow_empty_principals) {
    return reject('empty valid principals not allowed by role');
  }
  if (principals.length > 0 && list === '') return reject('role is not configured to allow any principals');
  for (const principal of principals) {
    let allowed = list === '*';
    for (const entry of list.split(',')) {
      if (templated && entry.includes('{{')) continue;
      if (kind === 'user' && entry === principal) allowed = true;
      if (kind === 'host' && role.allow_bare_domains && entry === principal) allowed = true;
      if (kind === 'host' && role.allow_subdomains) {
        const [before, after] = [principal.slice(0, -entry.length - 1), principal.slice(-entry.length - 1)];
        if (before !== '' && after === `.${entry}`) allowed = true;
      }
    }
    if (!allowed || unexpanded) return reject(`${principal} is not a valid value for valid_principals`);
  }

  const most = role.max_ttl > 0 ? role.max_ttl : 2_764_800;
  let seconds = role.ttl > 0 ? role.ttl : 2_764_800;
  if (seconds > most) seconds = most;
  if (request.ttl !== undefined) {
    // 0 is the default of the mount.
    seconds = request.ttl || 2_764_800;
    if (seconds > most) return reject(`ttl is larger than maximum allowed ${most}`);
  }

  let critical = role.default_critical_options;
  if (request.critical_options && Object.keys(request.critical_options).length > 0) {
    critical = request.critical_options;
    const outside = Object.keys(critical).filter(
      (name) =>
        role.allowed_critical_options !== '' && !role.allowed_critical_options.split(',').includes(name),
    );
    if (outside.length > 0) return reject(`critical options not on allowed list: [${outside.join(' ')}]`);
  }

  let extensions = Object.keys(role.default_extensions).filter(
    (name) => !(role.default_extensions_template && role.default_extensions[name] === identity),
  );
  if (request.extensions && Object.keys(request.extensions).length > 0) {
    extensions = Object.keys(request.extensions);
    const outside = extensions.filter(
      (name) => role.allowed_extensions !== '*' && !role.allowed_extensions.split(',').includes(name),
    );
    if (outside.length > 0) return reject(`extensions [${outside.join(' ')}] are not on allowed list`);
  }

  return {
    kind,
    keyId,
    seconds,
    before: role.not_before_duration,
    principals,
    criticalOptions: Object.keys(critical)
      .sort()
      .map((name) => `${name} ${critical[name]}`),
    extensions: extensions.sort(),
  };
}

const listOf = (...items: string[]) => fc.subarray(items, { minLength: 0 }).map((chosen) => chosen.join(','));
const mapOf = (names: string[], value: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length, noNullPrototype: true });
const often = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

const users = ['ubuntu', 'deploy', 'root', identity];
const domains = ['example.com', 'corp.example.com', 'test', identity];
const critical = ['force-command', 'source-address'];
const extensions = ['permit-pty', 'permit-user-rc', 'permit-port-forwarding'];
const address = fc.constantFrom('10.0.0.0/8', '192.168.1.1');

const role: fc.Arbitrary<Role> = fc.record({
  allow_user_certificates: often,
  allow_host_certificates: often,
  default_user: fc.constantFrom('', '', 'ubuntu', 'root', identity),
  default_user_template: fc.boolean(),
  allowed_users: fc.oneof(fc.constant('*'), listOf(...users), listOf('*', 'ubuntu')),
  allowed_users_template: fc.boolean(),
  allowed_domains: fc.oneof(fc.constant('*'), listOf(...domains)),
  allowed_domains_template: fc.boolean(),
  allow_bare_domains: fc.boolean(),
  allow_subdomains: fc.boolean(),
  allow_empty_principals: fc.boolean(),
  allow_user_key_ids: often,
  key_id_format: fc.constantFrom('', 'by-{{role_name}}'),
  allowed_user_key_lengths: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.constantFrom('rsa', 'ecdsa', 'ed25519', 'ecdsa-sha2-nistp384'),
        fc.subarray([0, 256, 384, 2048, 4096], { minLength: 1 }),
        { noNullPrototype: true },
      ),
    },
  ),
  ttl: fc.constantFrom(0, 60, 3600),
  max_ttl: fc.constantFrom(0, 3600, 7200, 4_000_000),
  not_before_duration: fc.constantFrom(0, 30, 600),
  allowed_critical_options: listOf(...critical),
  default_critical_options: mapOf(critical, address),
  allowed_extensions: fc.oneof(fc.constant('*'), listOf(...extensions)),
  default_extensions: mapOf(extensions, fc.constant('')).chain((plain) =>
    fc.constantFrom(plain, { ...plain, 'permit-agent-forwarding': identity }),
  ),
  default_extensions_template: fc.constant(true),
});

const names = [
  'ubuntu',
  'deploy',
  'root',
  'example.com',
  'a.example.com',
  '.example.com',
  'b.corp.example.com',
  'badexample.com',
  'x.test',
  'test',
  ' ubuntu',
  '',
  identity,
];

const request: fc.Arbitrary<Request> = fc.record(
  {
    key: fc.constantFrom('ed25519', 'ed25519', 'rsa', 'ecdsa'),
    cert_type: fc.constantFrom('user', 'host', 'host', 'robot'),
    valid_principals: fc.array(fc.constantFrom(...names), { maxLength: 2 }).map((chosen) => chosen.join(',')),
    key_id: fc.constantFrom('', 'mine'),
    ttl: fc.constantFrom(0, 30, 60, 1800, 3600, 3601, 2_764_801),
    critical_options: mapOf(critical, address),
    extensions: mapOf(extensions, fc.constant('')),
  },
  { requiredKeys: ['key'] },
);

describe.skipIf(!has('ssh-keygen'))('signing by a random role', () => {
  const keys = keyFolder();
  afterAll(keys.remove);
  const publicKeys = { ed25519: '', rsa: '', ecdsa: '' };
  let ssh: Mount;
  beforeAll(async () => {
    publicKeys.ed25519 = keys.keygen('-t ed25519').public;
    publicKeys.rsa = keys.keygen('-t rsa -b 2048').public;
    publicKeys.ecdsa = keys.keygen('-t ecdsa -b 384').public;
    ssh = await mountWithCa();
  });

  it('rejects with the violated rule, or issues the certificate that the rules determine', async () => {
    let signed = 0;
    const rejections = new Set<string>();
    await fc.assert(
      fc.asyncProperty(role, request, async (fields, { key, ...asked }) => {
        fc.pre(fields.allow_user_certificates || fields.allow_host_certificates);
        await ssh.write('roles/r', { key_type: 'ca', ...fields });
        const expected = oracle(fields, { key, ...asked });
        const body = { ...asked, public_key: publicKeys[key] };
        if ('rejection' in expected) {
          rejections.add(expected.rejection.replace(/\S+ is not a valid|\[.*\]|\d+/g, ''));
          expect(await errorOf(ssh.sign('r', body))).toBe(expected.rejection);
          return;
        }
        signed++;
        const { kind, keyId, valid, principals, criticalOptions, extensions } = show(
          await ssh.sign('r', body),
        );
        const [, from = '', to = ''] = /from (\S+) to (\S+)/.exec(valid) ?? [];
        const noon = Date.parse('2026-03-04T12:00:00Z');
        const before = (noon - Date.parse(`${from}Z`)) / 1000;
        const seconds = (Date.parse(`${to}Z`) - noon) / 1000;
        expect({ kind, keyId, seconds, before, principals, criticalOptions, extensions }).toEqual(expected);
      }),
      { seed: 6, numRuns: sized(1000, 400) },
    );
    // The cases must cover both outcomes to be meaningful.
    expect(signed).toBeGreaterThan(sized(100, 40));
    expect(rejections.size).toBeGreaterThan(8);
  });
});
