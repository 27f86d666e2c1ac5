import { constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../command/host.ts';
import { resolvePath } from '../io/resolve-path.ts';
import { isFresh, postponedUntil } from '../ssh/certificate-freshness.ts';
import { certificateSource, isSameSource, parseSource } from '../wire/certificate-source.ts';
import { certificatePath, certificateSourcePath, renewalRetryPath } from '../wire/key-paths.ts';
import { connectVariable } from '../wire/ssh-connect.ts';
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
    const namespace = namespaceOf(flags, host);
    if (namespace === undefined) return false;
    const source = parseSource(readIfExists(certificateSourcePath(certificateFile)), certificate);
    if (!isSameSource(source, certificateSource(flags.get('--mount') ?? 'ssh', namespace))) return false;
    const now = host.clock().getTime() / 1000;
    const requirements = {
      principals: flags.get('--principals')?.split(','),
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

/** The namespace in the order of the settings (api/sources.ts); undefined: the command decides. */
function namespaceOf(flags: ReadonlyMap<string, string>, host: FreshnessHost): string | undefined {
  const given = flags.get('--namespace') ?? flags.get('-n');
  if (given !== undefined) return given;
  const { env } = host;
  const isPinned = flags.has('--for-login');
  const name = flags.get('--profile') ?? flags.get('-p') ?? (env.LANYARD_PROFILE || undefined);
  if (isPinned && name === undefined && flags.has('--address')) return '';
  const text = readIfExists(join(configDirectory(host), 'config.json'));
  const { active, profiles = {} } = text === '' ? {} : JSON.parse(text);
  const profile = profiles[name ?? active];
  if (name !== undefined && profile === undefined) return undefined;
  const stored = profile?.secrets?.namespace;
  if (isPinned && name !== undefined) return stored ?? '';
  const product = env.BAO_NAMESPACE ?? env.VAULT_NAMESPACE;
  return env.LANYARD_SECRETS_NAMESPACE || (name === undefined ? product || stored : stored || product) || '';
}

function readIfExists(path: string): string {
  try {
    return read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The flags of such a line, '' for those without a value; undefined: another line. */
function parseFlags(argv: readonly string[]): ReadonlyMap<string, string> | undefined {
  if (argv[0] !== 'ssh' || argv[1] !== 'sign' || !/^\w/.test(argv[2] ?? '')) return undefined;
  const flags = new Map<string, string>();
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
