import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/state/kind.ts';
import { kindOf } from './bench.ts';
import { imageContent, imageFile } from './other-objects.ts';
import type { Generator } from './random-systems.ts';
import { fieldsOf, mapOf, type Overrides, optional, type Random, texts, words } from './random-values.ts';

const names = ['web', 'On', 'api-1', 'null', '1e3', '0x1f', 'A-very-Long-name-42'];
const rules = [
  '',
  'namespace "default" {\n  policy = "read"\n}\n',
  '# agents\nagent { policy = "read" }   \n\n\n',
  'namespace "*" {\n\tvariables {\n\t\tpath "a/*" { capabilities = ["read", "list"] }\n\t}\n}',
];

const namespaceFields: Overrides = {
  Quota: undefined,
  NodePoolConfiguration: undefined,
  VaultConfiguration: undefined,
  ConsulConfiguration: undefined,
  'Capabilities.EnabledTaskDrivers': (random) => random.some(['docker', 'exec', 'on'], 0, 2),
  Meta: (random) => mapOf(random),
};

const jobs: readonly JsonObject[] = [
  { Namespace: 'default' },
  { Namespace: 'default', JobID: 'on' },
  { Namespace: 'a', JobID: 'web', Group: '1e3', Task: 'null' },
];

/** Policies, roles and tokens, and the other kinds of the scheduler. */
const schedulerGenerators: Readonly<Record<string, Generator>> = {
  'scheduler.namespace'(system) {
    const { random } = system;
    for (const name of random.some(names, 0, 3))
      system.add(
        'scheduler.namespace',
        name,
        fieldsOf(kindOf('scheduler.namespace').schema, random, namespaceFields),
      );
  },
  'scheduler.policy'(system) {
    const { random } = system;
    for (const name of random.some(names, 1, 3))
      system.add(
        'scheduler.policy',
        name,
        optional(random, {
          Description: random.pick(texts),
          Rules: random.pick(rules),
          JobACL: random.pick(jobs),
        }),
      );
  },
  'scheduler.role'(system) {
    const { random } = system;
    for (const name of random.some(names, 0, 3)) {
      const Policies = random.some(system.keys('scheduler.policy'), 1, 2).map((Name) => ({ Name }));
      system.add('scheduler.role', name, {
        ...optional(random, { Description: random.pick(texts) }),
        Policies,
      });
    }
  },
  'scheduler.token'(system) {
    const { random } = system;
    for (const name of random.some([...names, 'a b/c', 'Ünï "✓"', '-x', '../..'], 0, 3)) {
      const Roles = random.some(system.keys('scheduler.role'), 0, 2).map((Name) => ({ Name }));
      const granted = { Policies: random.some([...system.keys('scheduler.policy'), 'missing'], 1, 2), Roles };
      const spec = random.chance(0.2)
        ? { Type: 'management' }
        : { ...optional(random, { Type: 'client' }), ...granted };
      system.add('scheduler.token', name, { ...spec, ...optional(random, { Global: random.chance(0.5) }) });
    }
  },
  'scheduler.variable'(system) {
    const { random } = system;
    const namespaces = ['default', ...system.keys('scheduler.namespace')];
    for (const path of random.some(['app/db', 'on', '1e3', 'a/b/c~_-', 'nomad/jobs/web'], 1, 3)) {
      const items = random
        .some([...words, 'a b', ''], 1, 3)
        .map((name) => [name, random.pick(['', ...texts])]);
      system.add(
        'scheduler.variable',
        path,
        { Items: Object.fromEntries(items) },
        { namespace: random.pick(namespaces) },
      );
    }
  },
};

const checksums = Object.fromEntries(
  ['md5', 'sha1', 'sha256', 'sha512'].map((type) => [
    type,
    createHash(type).update(imageContent).digest('hex'),
  ]),
);
const owner = 'dev';

/** A provider of a version: an image, an address or neither. */
function providerOf(random: Random): JsonObject {
  const type = random.pick(Object.keys(checksums));
  const checksum = checksums[type] ?? '';
  return random.pick<JsonObject>([
    { file: imageFile, checksum, ...(random.chance(0.5) ? { checksum_type: type } : {}) },
    {
      url: 'https://example.com/a b?c=d#e',
      ...(random.chance(0.5) ? { checksum: checksum.toUpperCase() } : {}),
    },
    { url: 'https://example.com/x.box' },
  ]);
}

const boxGenerators: Readonly<Record<string, Generator>> = {
  'box.box'(system) {
    const { random } = system;
    for (const name of random.some(['web', 'on', '1e3', 'a.b-c_d', 'UPPER'], 0, 2))
      system.add(
        'box.box',
        name,
        optional(random, {
          short_description: random.pick(texts),
          description: random.pick(texts),
          is_private: random.chance(0.5),
        }),
        { owner },
      );
  },
  'box.version'(system) {
    const { random } = system;
    for (const box of system.keys('box.box'))
      for (const version of random.some(['1.0.0', '0.0.1', '2.10.0-rc.1', '1.10'], 0, 2))
        system.add('box.version', version, optional(random, { description: random.pick(texts) }), {
          owner,
          box,
        });
  },
  'box.provider'(system) {
    const { random } = system;
    for (const { identity } of system.of('box.version'))
      for (const provider of random.some(['virtualbox', 'qemu', 'on'], 0, 2)) {
        const scope = {
          ...identity.scope,
          version: identity.key,
          architecture: random.pick(['unknown', 'amd64', 'arm64']),
        };
        system.add('box.provider', provider, providerOf(random), scope);
      }
  },
  'box.release'(system) {
    const hasImage = ({ spec }: { spec: JsonObject }) => spec.file !== undefined || spec.url !== undefined;
    for (const { identity } of system.of('box.version')) {
      const own = system
        .of('box.provider')
        .filter(
          ({ identity: each }) =>
            each.scope.box === identity.scope.box && each.scope.version === identity.key,
        );
      if (own.length > 0 && own.every(hasImage) && system.random.chance(0.5))
        system.add('box.release', identity.key, {}, identity.scope);
    }
  },
};

/** Every kind of the scheduler and the box registry. */
export const accessGenerators: Readonly<Record<string, Generator>> = {
  ...schedulerGenerators,
  ...boxGenerators,
};
