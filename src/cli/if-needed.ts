import { constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../command/host.ts';
import { resolvePath } from '../io/resolve-path.ts';
import { isFresh, postponedUntil } from '../ssh/certificate-freshness.ts';
import { certificateSource, isSameSource, parseSource } from '../wire/certificate-source.ts';
import { certificatePath, certificateSourcePath, renewalRetryPath } from '../wire/key-paths.ts';
import { connectVariable } from '../wire/ssh-connect.ts';
import { combineSshSettings, type OwnSshSettings, trimSlashes } from '../wire/ssh-defaults.ts';
import { configDirectory } from './config-directory.ts';

const simpleDuration = /^(?:\d+|(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/;
const valueFlags = new Map<string, (value: string) => boolean>([
  ['--key', (value) => value !== '-'],
  ['--principals', () => true],
  ['--cert-type', (value) => value === 'user' || value === 'host'],
  ['--timeout', (value) => simpleDuration.test(value)],
  ['--mount', () => true],
  ['--record', () => true],
  ['--profile', () => true],
  ['-p', () => true],
  ['--address', () => true],
  ['--namespace', () => true],
  ['-n', () => true],
]);
const booleanFlags = new Set(['--if-needed', '--quiet', '-q', '--no-input', '--for-login']);

type FreshnessHost = Pick<Host, 'cwd' | 'clock' | 'env' | 'home' | 'platform'>;

/**
 * Whether `ssh sign ROLE --if-needed --key FILE` has nothing to do: the certificate is fresh, or its renewal is
 * postponed. ssh runs this line before every login (`ssh config`), so no library is loaded. For other flags the result is false, and the command itself decides.
 */
export function isUpToDate(argv: readonly string[], host: FreshnessHost): boolean {
  const flags = parseFlags(argv);
  const key = flags?.get('--key');
  if (flags === undefined || key === undefined || !flags.has('--if-needed')) return false;
  // The command decides.
  if (flags.has('--for-login') && host.env[connectVariable]) return false;
  const kind = flags.get('--cert-type');
  // The command determines the names.
  if (kind === 'host' && !flags.has('--principals')) return false;
  try {
    const path = resolvePath(host, key);
    const certificateFile = certificatePath(path);
    const [certificate, publicKey] = [read(certificateFile), read(path)];
    const settings = settingsOf(flags, host);
    if (settings === undefined) return false;
    const source = parseSource(readIfExists(certificateSourcePath(certificateFile)), certificate);
    if (!isSameSource(source, settings.source)) return false;
    const now = host.clock().getTime() / 1000;
    const requirements = {
      principals: settings.principals,
      kind: kind === 'user' || kind === 'host' ? kind : undefined,
    } as const;
    if (isFresh(certificate, publicKey, now, requirements)) return true;
    // Otherwise the command prints a note about it.
    if (!flags.has('--quiet') && !flags.has('-q')) return false;
    const retry = read(renewalRetryPath(certificateFile));
    return postponedUntil(retry, certificate, publicKey, now, requirements) !== undefined;
  } catch {
    return false;
  }
}

/** Does not wait for the writer of a pipe. */
const read = (path: string): string =>
  readFileSync(path, { encoding: 'utf8', flag: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) });

/** What the certificate must have, in the order of the settings (api/sources.ts); undefined: the command decides. */
function settingsOf(flags: ReadonlyMap<string, string>, host: FreshnessHost) {
  const isPinned = flags.has('--for-login');
  const role = flags.get(roleKey);
  const given = { mount: flags.get('--mount'), role };
  const { env } = host;
  const name = flags.get('--profile') ?? flags.get('-p') ?? (env.LANYARD_PROFILE || undefined);
  const givenPrincipals = flags.get('--principals')?.split(',');
  const result = (namespace: string, { mount, principals }: ReturnType<typeof combineSshSettings>) => ({
    source: certificateSource({ mount, namespace, role }),
    principals: givenPrincipals ?? (flags.get('--cert-type') === 'host' ? undefined : principals),
  });
  const profile =
    isPinned && name === undefined && flags.has('--address') ? {} : readProfile(name, configDirectory(host));
  if (profile === undefined) return undefined;
  const namespace = namespaceOf(flags, profile, { env, isPinned, isNamed: name !== undefined });
  if (isPinned) return result(namespace, combineSshSettings(given, {}, {}));
  const { ssh = {}, secrets } = profile;
  // The settings are those of one cluster and namespace, and of an address of the profile.
  const isElsewhere =
    flags.has('--address') ||
    addressVariables.some((variable) => env[variable]) ||
    trimSlashes(namespace) !== trimSlashes(secrets?.namespace ?? '');
  if (profile.ssh !== undefined && isElsewhere) return undefined;
  return result(namespace, combineSshSettings(given, env, ssh));
}

const addressVariables = ['LANYARD_SECRETS_ADDR', 'BAO_ADDR', 'VAULT_ADDR'];

/** The part of a profile that counts here. */
interface StoredProfile {
  readonly secrets?: { readonly namespace?: string };
  readonly ssh?: OwnSshSettings;
}

/** The named or the active profile, `{}` without one; undefined: the named one does not exist. */
function readProfile(name: string | undefined, directory: string): StoredProfile | undefined {
  const text = readIfExists(join(directory, 'config.json'));
  const { active, profiles = {} } = text === '' ? {} : JSON.parse(text);
  const profile = profiles[name ?? active];
  return profile === undefined && name === undefined ? {} : profile;
}

function namespaceOf(
  flags: ReadonlyMap<string, string>,
  profile: StoredProfile,
  { env, isPinned, isNamed }: Pick<Host, 'env'> & { readonly isPinned: boolean; readonly isNamed: boolean },
): string {
  const given = flags.get('--namespace') ?? flags.get('-n');
  if (given !== undefined) return given;
  const stored = profile.secrets?.namespace;
  if (isPinned && (isNamed || flags.has('--address'))) return stored ?? '';
  const product = env.BAO_NAMESPACE ?? env.VAULT_NAMESPACE;
  return env.LANYARD_SECRETS_NAMESPACE || (isNamed ? stored || product : product || stored) || '';
}

function readIfExists(path: string): string {
  try {
    return read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The place of the role among the flags of such a line. */
const roleKey = 'ROLE';

/** The role and the flags of such a line, '' for those without a value; undefined: another line. */
function parseFlags(argv: readonly string[]): ReadonlyMap<string, string> | undefined {
  if (argv[0] !== 'ssh' || argv[1] !== 'sign' || !/^\w/.test(argv[2] ?? '')) return undefined;
  const flags = new Map([[roleKey, argv[2] ?? '']]);
  const words = argv.slice(3).values();
  for (const name of words) {
    if (flags.has(name)) return undefined;
    if (booleanFlags.has(name)) flags.set(name, '');
    else {
      const value = words.next().value;
      if (value === undefined || value === '' || !valueFlags.get(name)?.(value)) return undefined;
      flags.set(name, value);
    }
  }
  return flags;
}
