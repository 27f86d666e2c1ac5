import { expect, test } from 'vitest';
import { methodName } from '../../src/library/method-names.ts';
import { requiredFields } from '../../src/library/required-fields.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { sentOperations } from '../facts/facts.ts';

// Commands and methods have the same verb for the same thing.

/** The verbs of commands and what methods of a command with it begin with, where that is another word. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['list'],
  get: ['get', 'find'],
  create: ['create'],
  update: ['update'],
  // The registry has two operations for it.
  put: ['put', 'create', 'update'],
  patch: ['patch'],
  delete: ['delete'],
  read: ['read'],
  write: ['write'],
  login: ['login'],
  logout: ['logout', 'revoke', 'delete'],
  lookup: ['lookup'],
  renew: ['renew'],
  revoke: ['revoke'],
  enable: ['enable'],
  disable: ['disable'],
  tune: ['tune'],
  sign: ['sign'],
  issue: ['issue'],
  verify: ['verify'],
  register: ['register'],
  deregister: ['deregister'],
  clone: ['clone'],
  explain: ['explain', 'get'],
  release: ['release'],
  search: ['search'],
};

/** Commands whose object is not one of the service, or a part of another object, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'box list': 'the boxes of an organization',
  'kv search': 'searches in the secrets that it lists and reads',
  'registry maintenance disable': 'one operation enables and disables it: `setNodeMaintenance`',
  'registry maintenance enable': 'one operation enables and disables it: `setNodeMaintenance`',
  'secrets namespace update': 'the operation replaces only the given custom metadata: `patchNamespace`',
  'ssh host renew': 'signs the host keys again',
  'ssh renew': 'signs the public keys again',
  'ssh revoke': 'changes a revocation list, which is a value of the registry or a secret',
  'ssh revoked list': 'reads a revocation list, which is a value of the registry or a secret',
};

const methodsOf = (command: string): readonly string[] =>
  (sentOperations[command] ?? []).map((operation) => methodName(operation.replace(/^\w+\./, '')));

test.each(Object.keys(sentOperations).filter((command) => verbs[command.split(' ').at(-1) ?? '']))(
  '`%s` has a method with its verb',
  (command) => {
    const verb = command.split(' ').at(-1) ?? '';
    const isMethod = (method: string): boolean =>
      (verbs[verb] ?? []).some((each) => new RegExp(`^${each}(?![a-z])`).test(method));
    expect(methodsOf(command).some(isMethod), methodsOf(command).join(', ')).toBe(
      exceptions[command] === undefined,
    );
  },
);

const all = serviceNames.flatMap((service) =>
  requiredFields[service]
    .split(' ')
    .map((operation) => `${service}.${methodName(operation.split('(')[0] ?? '')}`),
);

test('no method has another verb for what a command has one for', () => {
  const others = all.filter((name) =>
    /\.(read|write|remove|fetch|set|lookUp|logIn|logOut)(?![a-z])/.test(name),
  );
  expect(others.sort()).toEqual([
    // An auth method by its name, for all commands that take one.
    'accounts.lookUpAuthMethods',
    // `account role remove-grants` and the others, `account role update --grant-scope`, `account set-password`.
    'accounts.removeRoleGrants',
    'accounts.removeRolePrincipals',
    'accounts.removeUserAccounts',
    'accounts.setPassword',
    'accounts.setRoleGrantScopes',
    // `apply`.
    'accounts.setRoleGrants',
    'accounts.setRolePrincipals',
    'accounts.setUserAccounts',
    // `registry maintenance enable` and `disable`.
    'registry.setNodeMaintenance',
    'registry.setServiceMaintenance',
    // `secrets auth role secret-id list`.
    'secrets.lookUpSecretId',
    // `secrets read` and `secrets write`.
    'secrets.read',
    'secrets.readServiceWide',
    // `ssh issuer use`.
    'secrets.setDefaultIssuer',
    'secrets.write',
    'secrets.writeSecret',
    'secrets.writeServiceWide',
  ]);
});

test('every operation has a method of its own', () => {
  expect(new Set(all).size).toBe(all.length);
});
