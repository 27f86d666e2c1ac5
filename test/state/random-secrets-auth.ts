import type { JsonObject } from '../../src/state/kind.ts';
import type { Json } from '../../src/wire/json.ts';
import type { Generator, System } from './random-systems.ts';
import { mapOf, optional, type Random, texts, words } from './random-values.ts';
import { publicKey } from './secrets-auth-objects.ts';

/** The types that the embedded service has. */
export const authMethodTypes = ['userpass', 'approle', 'jwt'];

const names = ['ci', 'on', '1e3', 'web.1', 'a_b-c', 'UPPER'];
const blocks = ['10.0.0.0/8', '192.168.1.7/32', '2001:db8::/32'];
const bound = (random: Random): Json => listed(random, random.some([...blocks, '192.168.1.1'], 0, 3));

/** A list, or its text. */
const listed = (random: Random, items: readonly string[]): Json =>
  random.chance(0.3) ? items.join(',') : [...items];

const policies = (system: System, least = 0): Json =>
  listed(
    system.random,
    system.random.some([...system.keys('secrets.policy'), 'missing', 'Default'], least, 3),
  );

/** Settings that the tokens of all logins have. */
function tokenFields(system: System): JsonObject {
  const { random } = system;
  // Batch tokens have neither a period nor a number of uses.
  const ofType = random.pick<JsonObject>([
    { token_type: 'batch' },
    optional(random, {
      token_type: random.pick(['default', 'service']),
      token_num_uses: random.pick<Json>([0, 3, '7']),
      token_period: random.pick<Json>(['0s', '24h', 90]),
    }),
  ]);
  // Tokens are bound to the address of the login, or to blocks.
  const ofAddress = random.pick<JsonObject>([
    optional(random, { token_strictly_bind_ip: true }),
    optional(random, { token_strictly_bind_ip: false, token_bound_cidrs: bound(random) }),
  ]);
  return {
    ...ofType,
    ...ofAddress,
    ...optional(random, {
      token_policies: policies(system),
      token_ttl: random.pick<Json>(['1s', '20m', 90, '0']),
      token_max_ttl: random.pick<Json>(['1h', '36h', 86_400]),
      token_explicit_max_ttl: random.pick<Json>(['2h', 7200, 0]),
      token_no_default_policy: random.chance(0.5),
    }),
  };
}

const claims = (random: Random): JsonObject =>
  Object.fromEntries(
    random
      .some([...words, 'a b', '/a/b'], 0, 3)
      .map((name) => [name, random.pick<Json>([random.pick(texts), 3, true, ['web', 'on'], ['1e3']])]),
  );

const roleFields: Readonly<Record<string, (system: System) => JsonObject>> = {
  userpass: () => ({ password: 'long-enough-password' }),
  approle: ({ random }) => ({
    // A role without secret IDs needs another constraint.
    ...random.pick<JsonObject>([
      optional(random, { bind_secret_id: true, secret_id_bound_cidrs: random.some(blocks, 0, 2) }),
      { bind_secret_id: false, secret_id_bound_cidrs: listed(random, random.some(blocks, 1, 2)) },
    ]),
    ...optional(random, {
      secret_id_ttl: random.pick<Json>(['0s', '24h', 5400]),
      secret_id_num_uses: random.pick<Json>([0, 1, '40']),
      role_id: random.uuid(),
    }),
  }),
  jwt: ({ random }) => ({
    user_claim: random.pick(['sub', '/a/b', 'on']),
    bound_audiences: listed(random, random.some(words, 1, 3)),
    ...optional(random, {
      role_type: 'jwt',
      bound_subject: random.pick(texts),
      bound_claims: claims(random),
      claim_mappings: mapOf(random, ['a', '/b/c', 'on'], words),
      clock_skew_leeway: random.pick<Json>([0, '30s', 60, '1m']),
    }),
  }),
};

/** Roles and configurations of auth methods, and roles of tokens. */
export const secretsAuthGenerators: Readonly<Record<string, Generator>> = {
  'secrets.auth-config'(system) {
    const { random } = system;
    for (const { identity, spec } of system.of('secrets.auth-method'))
      if (spec.type === 'jwt' && random.chance(0.7))
        system.add(
          'secrets.auth-config',
          '',
          {
            type: 'jwt',
            jwt_validation_pubkeys: random.pick<Json>([publicKey, [publicKey.trim()]]),
            ...optional(random, {
              bound_issuer: random.pick(texts),
              default_role: random.pick(names),
            }),
          },
          { authMethod: identity.key.replace(/\/$/, '') },
        );
  },
  'secrets.auth-role'(system) {
    const { random } = system;
    for (const { identity, spec } of system.of('secrets.auth-method'))
      for (const name of random.some(names, 0, 2)) {
        const type = String(spec.type);
        system.add(
          'secrets.auth-role',
          name,
          { type, ...roleFields[type]?.(system), ...tokenFields(system) },
          { authMethod: identity.key.replace(/\/$/, '') },
        );
      }
  },
  'secrets.token-role'(system) {
    const { random } = system;
    for (const name of random.some(names, 0, 2)) {
      const lists = {
        allowed_policies: policies(system),
        disallowed_policies: policies(system),
        allowed_policies_glob: listed(random, random.some(['app-*', 'ON*', '*'], 0, 2)),
        disallowed_policies_glob: listed(random, random.some(['admin-*', '1e3'], 0, 2)),
      };
      const ofType = random.pick<JsonObject>([
        { token_type: 'batch', orphan: true, renewable: false },
        optional(random, {
          token_type: random.pick(['service', 'default-service', 'default-batch']),
          orphan: random.chance(0.5),
          renewable: random.chance(0.5),
          token_period: random.pick<Json>(['0s', '24h', 90]),
          token_explicit_max_ttl: random.pick<Json>(['36h', 7200, 0]),
        }),
      ]);
      const more = {
        path_suffix: random.pick(['ci-jobs', '1e3', 'null', 'a_b.c']),
        token_num_uses: random.pick<Json>([0, 3, '7']),
        token_bound_cidrs: bound(random),
        token_no_default_policy: random.chance(0.5),
      };
      system.add('secrets.token-role', name, { ...ofType, ...optional(random, { ...lists, ...more }) });
    }
  },
};
