import type { RememberedLogin } from '../config/profile.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';

/** A field of a remembered login, and the flag that it is for. */
type FlagNames = { readonly [Field in keyof RememberedLogin]: string };

/** The commands that log in. The scheduler has none. */
const logins: { readonly [S in ServiceName]?: { readonly command: string; readonly flags: FlagNames } } = {
  secrets: {
    command: 'secrets login',
    flags: {
      method: 'method',
      mount: 'path',
      username: 'username',
      role: 'role',
      callbackPort: 'callbackPort',
    },
  },
  registry: {
    command: 'acl login',
    flags: { method: 'method', source: 'bearerToken', datacenter: 'dc' },
  },
  box: { command: 'box token create', flags: { username: 'login', source: 'password' } },
  accounts: {
    command: 'account login',
    flags: { method: 'authMethod', username: 'loginName', source: 'password' },
  },
};

/** The flag of the source of the secret, and of the role, of the methods of the secrets service. */
const ofMethod: Readonly<Record<string, FlagNames>> = {
  userpass: { source: 'password' },
  ldap: { source: 'password' },
  approle: { source: 'secretId', role: 'roleId' },
  jwt: { source: 'jwt' },
  kubernetes: { source: 'jwt' },
};

/** The flags of a login by the fields that are remembered. */
function flagNames(service: ServiceName, method: unknown): FlagNames {
  const flags = logins[service]?.flags ?? {};
  return service === 'secrets' && typeof method === 'string' ? { ...flags, ...ofMethod[method] } : flags;
}

type LoginFlags = Readonly<Record<string, string | number | boolean | undefined>>;

/** A reference to a secret that means the same in every directory. */
const isReference = (source: unknown): boolean =>
  typeof source === 'string' && /^(env:\/\/.|@\/|github:\/\/|gitlab:\/\/)/.test(source);

/**
 * What a profile remembers of a login; nothing in it is a secret. Undefined: a token, which is not a login, or not the
 * command that logs in to the service.
 */
export function rememberedLogin(
  service: ServiceName,
  { command, flags }: { readonly command: string; readonly flags: LoginFlags },
): RememberedLogin | undefined {
  if (logins[service]?.command !== command || flags.method === 'token') return undefined;
  const fields = Object.entries(flagNames(service, flags.method)).flatMap(([field, flag]) => {
    const value = flags[flag];
    if (value === undefined || (field === 'source' && !isReference(value))) return [];
    return [[field, String(value)]];
  });
  return compact({ ...Object.fromEntries(fields), browser: flags.oidc === true ? true : undefined });
}

/** The flags that repeat a login, by the names of the command. */
export function loginFlags(service: ServiceName, login: RememberedLogin): Readonly<Record<string, string>> {
  const values: { readonly [field: string]: unknown } = { ...login };
  return Object.fromEntries(
    Object.entries(flagNames(service, login.method)).flatMap(([field, flag]) => {
      const value = values[field];
      return typeof value === 'string' ? [[flag, value]] : [];
    }),
  );
}

/** The words of the command that repeats a login; undefined: the service has no logins. */
export function loginCommand(service: ServiceName, login: RememberedLogin): readonly string[] | undefined {
  const row = logins[service];
  if (row === undefined) return undefined;
  const words = Object.entries(loginFlags(service, login)).map(
    ([flag, value]) => `--${kebabCase(flag)}=${value}`,
  );
  return [...row.command.split(' '), ...words, ...(login.browser === true ? ['--oidc'] : [])];
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
