import type { Schema } from '../../src/objects/schema.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { kindOf, type Stated } from './bench.ts';
import { authMethodTypes, secretsAuthGenerators } from './random-secrets-auth.ts';
import type { Generator, System } from './random-systems.ts';
import { anyValue, fieldsOf, mapOf, type Overrides, type Random, texts, words } from './random-values.ts';

const schemaOf = (kind: string): Schema => kindOf(kind).schema;

const mountPaths = ['kv', 'KV.2', 'team/kv', 'team/a_b-c', 'on', '1e3'];
const printable = texts.filter((text) => !/[\n\t\u00a0]/.test(text));
const keyNames = ['app/db', 'null', 'a b/50% ?#&+', 'Ünï/✓', '0x1f', 'deep/er/and/deeper', 'UPPER/lower'];

const mountFields: Overrides = {
  options: undefined,
  'config.default_lease_ttl': (random) => random.pick(['1s', '1h', 90]),
  'config.max_lease_ttl': (random) => random.pick(['2h', '36h', 86_400]),
  external_entropy_access: undefined,
  // The embedded service ignores them.
  local: undefined,
  seal_wrap: undefined,
  plugin_version: undefined,
};

const mount: Generator = (system) => {
  const { random } = system;
  const add = (path: string, type: string, more: JsonObject = {}) =>
    system.add('secrets.mount', `${path}/`, {
      ...fieldsOf(schemaOf('secrets.mount'), random, { ...mountFields, type: () => type }),
      ...more,
    });
  for (const path of random.some(mountPaths, 1, 3)) add(path, 'kv', { options: { version: '2' } });
  if (random.chance(0.5)) add('old/kv1', 'kv', random.chance(0.5) ? { options: { version: '1' } } : {});
  for (const path of random.some(['ssh', 'team/ssh-1'], 1, 2)) add(path, 'ssh');
};

const mountsOf = (system: System, isWanted: (spec: JsonObject) => boolean): readonly string[] =>
  system
    .of('secrets.mount')
    .flatMap(({ identity, spec }) => (isWanted(spec) ? [identity.key.replace(/\/$/, '')] : []));

const isVersion2 = ({ options }: JsonObject): boolean => (options as JsonObject | undefined)?.version === '2';
const isKv = ({ type }: JsonObject): boolean => type === 'kv';
const isSsh = ({ type }: JsonObject): boolean => type === 'ssh';

const policyTexts = [
  'path "secret/*" {\n  capabilities = ["read"]\n}\n',
  '# comment\npath "a/+/b" { capabilities = ["list", "deny"] }',
  'path "é" {\n\n  capabilities = []   \n}\n\n\n',
];

/** The fields that a role of a type has. */
const ofType = (type: string): Schema => {
  const schema = schemaOf('secrets.ssh-role') as Schema & { type: 'object' };
  const has = ({ types = ['ca'] }: Schema) => types.includes(type);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).filter(([, field]) => has(field))),
  };
};

const blocks = ['10.0.0.0/8', '192.168.1.0/24', '2001:db8::/32'];
const roleFields: Overrides = {
  allowed_users: (random) => random.pick([random.some(words, 1, 3), random.some(words, 1, 3).join(',')]),
  allowed_users_template: undefined,
  default_user_template: undefined,
  default_extensions_template: undefined,
  default_user: (random) => random.pick(words),
  default_extensions: (random) =>
    mapOf(random, ['permit-pty', 'permit-X11', 'x@example.com'], ['', 'on', '1e3']),
  default_critical_options: (random) =>
    mapOf(random, ['force-command', 'source-address'], ['/bin/true', '10.0.0.0/8']),
  allowed_user_key_lengths: (random) =>
    random.pick<JsonObject>([{ rsa: 2048 }, { rsa: '2048,4096', ed25519: 0 }, { ec: [256, 384] }]),
  ttl: (random) => random.pick(['30m', 60, '1h']),
  max_ttl: (random) => random.pick(['2h', 86_400, '36h']),
  key_id_format: (random) => random.pick(['{{token_display_name}}', 'on', 'a b "c"']),
  cidr_list: (random) => random.some(blocks, 1, 3),
  exclude_cidr_list: (random) => random.some(['10.1.0.0/16'], 0, 1),
  issuer_ref: undefined,
  allow_commas_in_identity_templates: undefined,
  port: (random) => random.pick([1, 22, 2222, 65_535]),
  not_before_duration: (random) => random.pick(['30s', '1m', 90]),
};

const sshRole: Generator = (system) => {
  const { random } = system;
  for (const where of mountsOf(system, isSsh))
    for (const name of random.some(['deploy', 'on', 'web.1', 'a_b-C'], 1, 3)) {
      const type = random.pick(['ca', 'otp']);
      const needed =
        type === 'ca' ? { allow_user_certificates: true } : { default_user: 'root', cidr_list: '0.0.0.0/0' };
      const fields = fieldsOf(ofType(type), random, { ...roleFields, key_type: () => type });
      system.add(
        'secrets.ssh-role',
        name,
        { ...needed, ...fields, ...(type === 'ca' && needed) },
        { mount: where },
      );
    }
};

const zeroAddress: Generator = (system) => {
  const roles = system.of('secrets.ssh-role').filter(({ spec }) => spec.key_type === 'otp');
  for (const [where, found] of Map.groupBy(roles, ({ identity }: Stated) => identity.scope.mount ?? ''))
    if (system.random.chance(0.6)) {
      const names = system.random.some(
        found.map(({ identity }) => identity.key),
        1,
        2,
      );
      system.add(
        'secrets.ssh-zero-address',
        '',
        { roles: system.random.pick([names, names.join(',')]) },
        { mount: where },
      );
    }
};

const settings = (random: Random, kind: string): JsonObject =>
  fieldsOf(schemaOf(kind), random, {
    metadata_cas_required: undefined,
    max_versions: (random) => random.pick([0, 1, 10, 1000]),
    // Versions would be deleted while the system is compared.
    delete_version_after: (random) => random.pick(['0s', '1h', 5400, '36h']),
    custom_metadata: (random) => mapOf(random, [...words, 'owner name', 'Ü'], printable),
  });

/** Every kind of the secrets service. */
export const secretsGenerators: Readonly<Record<string, Generator>> = {
  'secrets.mount': mount,
  'secrets.auth-method'(system) {
    const { random } = system;
    for (const path of random.some(['users', 'team/App.1', 'on'], 0, 2)) {
      const type = random.pick(authMethodTypes);
      const fields = fieldsOf(schemaOf('secrets.auth-method'), random, {
        ...mountFields,
        type: () => type,
        // The service ignores it.
        'config.force_no_cache': undefined,
      });
      system.add('secrets.auth-method', `${path}/`, fields);
    }
  },
  'secrets.policy'(system) {
    const { random } = system;
    for (const name of random.some(['app-read', 'on', '1e3', 'team.a_b', 'null'], 1, 3))
      system.add('secrets.policy', name, { policy: random.pick(policyTexts) });
  },
  ...secretsAuthGenerators,
  'secrets.ssh-ca'(system) {
    for (const where of mountsOf(system, isSsh)) {
      const spec = system.random.pick<JsonObject>([
        {},
        { key_type: 'ed25519' },
        { generate_signing_key: true, key_type: 'ec' },
      ]);
      system.add('secrets.ssh-ca', '', spec, { mount: where });
    }
  },
  'secrets.ssh-role': sshRole,
  'secrets.ssh-zero-address': zeroAddress,
  'secrets.kv'(system) {
    const { random } = system;
    for (const where of mountsOf(system, isKv))
      for (const key of random.some(keyNames, 0, 3)) {
        const data = random.some([...words, 'a/b', 'password'], 1, 3).map((name) => [name, anyValue(random)]);
        system.add('secrets.kv', key, { data: Object.fromEntries(data) }, { mount: where });
      }
  },
  'secrets.kv-metadata'(system) {
    const { random } = system;
    for (const where of mountsOf(system, isVersion2))
      for (const key of random.some(keyNames, 0, 2)) {
        const fields = {
          ...settings(random, 'secrets.kv-metadata'),
          custom_metadata: { owner: random.pick(printable) },
        };
        system.add('secrets.kv-metadata', key, fields, { mount: where });
      }
  },
  'secrets.kv-config'(system) {
    const { random } = system;
    for (const where of mountsOf(system, isVersion2))
      if (random.chance(0.4))
        system.add(
          'secrets.kv-config',
          '',
          { ...settings(random, 'secrets.kv-config'), max_versions: 7 },
          { mount: where },
        );
  },
};
