import type { JsonObject } from '../../src/state/kind.ts';
import type { Json } from '../../src/wire/json.ts';
import type { Generator, System } from './random-systems.ts';
import { optional, type Random, texts, words } from './random-values.ts';

const global = 'global';

/** Names that a path of scopes may have. */
const scopeNames = ['web', 'on', '1e3', 'null', 'Ünï "✓"', 'a, b: c', 'o-1', '0x1f', 'UPPER case'];
const names = [...scopeNames, 'a/b', '- x', '#1', 'this'];

/** The path of a scope that is in another one. */
const below = (scope: string, name: string): string => (scope === global ? name : `${scope}/${name}`);

const organizations = (system: System): readonly string[] =>
  system
    .of('accounts.scope')
    .flatMap(({ identity: { scope, key } }) => (scope.scope === global ? [key] : []));

const projectsOf = (system: System, organization: string): readonly string[] =>
  system
    .of('accounts.scope')
    .flatMap(({ identity: { scope, key } }) =>
      scope.scope === organization ? [below(organization, key)] : [],
    );

const described = (random: Random): JsonObject => optional(random, { description: random.pick(texts) });

const methods: Readonly<Record<string, (random: Random) => JsonObject>> = {
  password: (random) =>
    optional(random, {
      min_login_name_length: random.pick([1, 3, 4]),
      min_password_length: random.pick([1, 8, 20]),
    }),
  ldap: (random) => ({
    urls: random.some(['ldaps://b.example.com', 'ldap://a.example.com'], 1, 2),
    // Neither without the other.
    ...(random.chance(0.5) ? { bind_dn: 'cn=x', bind_password: 'secret' } : {}),
    ...optional(random, {
      user_dn: random.pick(texts),
      start_tls: true,
      discover_dn: true,
      account_attribute_maps: ['mail=email', 'cn=fullName'],
      maximum_page_size: 10,
    }),
  }),
  oidc: (random) => ({
    issuer: 'https://idp.example.com',
    // Unique with the issuer.
    client_id: random.uuid(),
    client_secret: 'secret',
    api_url_prefix: 'https://boundary.example.com',
    signing_algorithms: random.some(['RS256', 'ES256', 'EdDSA'], 1, 3),
    ...optional(random, {
      max_age: random.pick<Json>([60, '60']),
      claims_scopes: random.some(['profile', 'email'], 1, 2),
      allowed_audiences: random.some(words, 1, 2),
    }),
  }),
};

const methodsIn = (system: System, scope: string, least: number, most: number): void => {
  const { random } = system;
  let hasPrimary = scope === global;
  for (const name of random.some(names, least, most)) {
    const type = random.pick(Object.keys(methods));
    // An OIDC auth method would have to be active.
    const isPrimary = !hasPrimary && type === 'password' && random.chance(0.5);
    hasPrimary ||= isPrimary;
    const attributes = methods[type]?.(random) ?? {};
    const spec = { type, ...described(random), ...(isPrimary && { is_primary: true }), attributes };
    system.add('accounts.auth-method', name, spec, { scope });
  }
};

const accountsIn = (system: System, scope: string, authMethod: string, type: string): void => {
  const { random } = system;
  const keys =
    type === 'password' ? ['alice', 'b.o-b', 'null', '0x1f'] : ['cn=eve, "x"', 'ünï', '1e3', 'a b'];
  for (const [index, key] of random.some(keys, 0, 2).entries()) {
    const fields = optional(random, {
      name: `${random.pick(['on', '1e3', 'A: b', 'Ünï "✓"'])} ${index}`,
      description: random.pick(texts),
    });
    system.add('accounts.account', key, fields, { scope, authMethod });
  }
};

/** Users with different accounts of the scope, each at most one of an auth method. */
const usersIn = (system: System, scope: string): void => {
  const { random } = system;
  const accounts = system
    .of('accounts.account')
    .flatMap(({ identity }) =>
      identity.scope.scope === scope
        ? [{ authMethod: identity.scope.authMethod ?? '', name: identity.key }]
        : [],
    );
  const rest = new Set(random.some(accounts, 0, accounts.length));
  for (const name of random.some(names, 0, 2)) {
    const byMethod = new Map([...rest].map((account) => [account.authMethod, account]));
    const own = random.some([...byMethod.values()], 0, 2);
    for (const account of own) rest.delete(account);
    const stated = own.length > 0 || random.chance(0.2) ? { accounts: own } : {};
    system.add('accounts.user', name, { ...described(random), ...stated }, { scope });
  }
};

const grants = [
  'ids=*;type=*;actions=read,list',
  'ids=*;type=user;actions=*;output_fields=name,id',
  'type=target;actions=list,create',
  'ids={{.Account.Id}};actions=read,change-password',
  'ids=*;type=session;actions=cancel:self,read:self',
  '{"ids":["*"],"type":"auth-method","actions":["authenticate","list"]}',
  '{"type":"scope","actions":["list"],"output_fields":["id"]}',
];

/** Scopes that the grants of a role of a scope may apply to. */
function grantScopes(system: System, scope: string): readonly string[] {
  const { random } = system;
  if (scope.includes('/')) return random.pick([['this'], ['none'], []]);
  const projects =
    scope === global
      ? organizations(system).flatMap((each) => projectsOf(system, each))
      : projectsOf(system, scope);
  const all = scope === global ? [...organizations(system), ...projects] : projects;
  return random.pick<readonly string[]>([
    ['none'],
    ['children', ...(scope === global ? random.some(projects, 0, 2) : [])],
    random.some(['this', ...all], 1, 3),
    scope === global ? ['this', 'descendants'] : ['this', 'children'],
  ]);
}

const rolesIn = (system: System, scope: string, most: number): void => {
  const { random } = system;
  const users = system
    .of('accounts.user')
    .map(({ identity }): JsonObject => ({ scope: identity.scope.scope ?? global, name: identity.key }));
  const builtIn: readonly JsonObject[] = [{ id: 'u_auth' }, { id: 'u_anon' }];
  for (const name of random.some(names, 0, most)) {
    const grant_strings = random.some(grants, 0, 3);
    // The output fields of a grant limit what its users see, also those who compare the system.
    const isLimiting = grant_strings.some((grant) => grant.includes('output_fields'));
    const principals = random
      .some([...users, ...(isLimiting ? [] : builtIn)], 0, 3)
      .map(
        ({ scope: path, ...rest }): JsonObject =>
          path === undefined || (path === global && random.chance(0.5)) ? rest : { scope: path, ...rest },
      );
    const fields = {
      grant_scopes: [...grantScopes(system, scope)],
      grant_strings,
      principals,
    };
    system.add('accounts.role', name, { ...described(random), ...optional(random, fields) }, { scope });
  }
};

/** Every kind of the account service. */
export const accountsGenerators: Readonly<Record<string, Generator>> = {
  'accounts.scope'(system) {
    const { random } = system;
    for (const organization of random.some(scopeNames, 0, 2)) {
      system.add('accounts.scope', organization, described(random), { scope: global });
      for (const project of random.some(scopeNames, 0, 2))
        system.add('accounts.scope', project, described(random), { scope: organization });
    }
  },
  'accounts.auth-method'(system) {
    methodsIn(system, global, 0, 2);
    for (const organization of organizations(system)) methodsIn(system, organization, 0, 2);
  },
  'accounts.account'(system) {
    accountsIn(system, global, 'password', 'password');
    for (const { identity, spec } of system.of('accounts.auth-method'))
      accountsIn(system, identity.scope.scope ?? global, identity.key, String(spec.type));
  },
  'accounts.user'(system) {
    for (const scope of [global, ...organizations(system)]) usersIn(system, scope);
  },
  'accounts.role'(system) {
    rolesIn(system, global, 2);
    for (const organization of organizations(system)) {
      rolesIn(system, organization, 1);
      for (const project of projectsOf(system, organization)) rolesIn(system, project, 1);
    }
  },
};
