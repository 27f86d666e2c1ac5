import { flag, toKebabCase, type Values } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';

export const methods = ['token', 'userpass', 'ldap', 'approle', 'jwt', 'kubernetes', 'cert', 'oidc'] as const;
export type Method = (typeof methods)[number];

export const methodFlags = {
  token: flag.source('token: source of the token'),
  username: flag.name('NAME', 'userpass, ldap: user name'),
  password: flag.source('userpass, ldap: source of the password'),
  roleId: flag.name('ID', 'approle: role ID'),
  secretId: flag.source('approle: source of the secret ID'),
  role: flag.name('ROLE', 'jwt, oidc, cert: role (default: chosen by the service); kubernetes: role'),
  jwt: flag.jwt('jwt, kubernetes: source of the JWT (default: of the pod)'),
  callbackPort: flag.integer('PORT', 'oidc: callback port (default 8250)'),
  noBrowser: flag.boolean('oidc: print the URL instead of opening a browser'),
  wait: flag.duration('oidc: time to wait for the browser (default 5m)'),
  path: flag.name('MOUNT', 'mount path below auth/ (default: name of the method)', {
    completes: 'secrets-auth',
  }),
} as const;

export type LoginFlags = Values<typeof methodFlags>;

const flagsByMethod: Readonly<Record<Method, readonly (keyof LoginFlags)[]>> = {
  token: ['token'],
  userpass: ['username', 'password', 'path'],
  ldap: ['username', 'password', 'path'],
  approle: ['roleId', 'secretId', 'path'],
  jwt: ['role', 'jwt', 'path'],
  kubernetes: ['role', 'jwt', 'path'],
  cert: ['role', 'path'],
  oidc: ['role', 'callbackPort', 'noBrowser', 'wait', 'path'],
};

/** @throws LanyardError usage: a flag of another method. */
export function rejectOtherFlags(method: Method, given: LoginFlags): void {
  const names = Object.keys(methodFlags) as (keyof LoginFlags)[];
  const unsupported = names.find(
    (name) => given[name] !== undefined && given[name] !== false && !flagsByMethod[method].includes(name),
  );
  if (unsupported === undefined) return;
  const others = methods.filter((each) => flagsByMethod[each].includes(unsupported));
  throw usage(`--${toKebabCase(unsupported)} is not supported by method "${method}"`, {
    hint: `Use it with --method ${others.join(' or ')}.`,
  });
}
