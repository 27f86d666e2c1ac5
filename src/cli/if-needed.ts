import { readFileSync } from 'node:fs';
import { resolvePath } from '../io/resolve-path.ts';
import { certificatePath, isFresh } from '../ssh/certificate-freshness.ts';
import type { Host } from './context.ts';

const simpleDuration = /^(?:\d+|(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/;
const valueFlags = new Map<string, (value: string) => boolean>([
  ['--key', (value) => value !== '-'],
  ['--principals', () => true],
  ['--cert-type', (value) => value === 'user' || value === 'host'],
  ['--timeout', (value) => simpleDuration.test(value)],
  ['--mount', () => true],
  ['--profile', () => true],
  ['-p', () => true],
]);
const booleanFlags = new Set(['--if-needed', '--quiet', '-q', '--no-input']);

/**
 * Checks for `ssh sign ROLE --if-needed --key FILE`, which ssh runs before every login (`ssh config` configures it),
 * whether the certificate is fresh, without loading the libraries of other command lines. It knows only the flags of
 * such a line, and returns false for all others; then the command itself checks.
 */
export function isUpToDate(argv: readonly string[], host: Pick<Host, 'cwd' | 'clock'>): boolean {
  const flags = parseFlags(argv);
  const key = flags?.get('--key');
  if (flags === undefined || key === undefined || !flags.has('--if-needed')) return false;
  const kind = flags.get('--cert-type');
  // Whose names those would be, the command finds out.
  if (kind === 'host' && !flags.has('--principals')) return false;
  try {
    const path = resolvePath(host, key);
    return isFresh(
      readFileSync(certificatePath(path), 'utf8'),
      readFileSync(path, 'utf8'),
      host.clock().getTime() / 1000,
      {
        principals: flags.get('--principals')?.split(','),
        kind: kind === 'user' || kind === 'host' ? kind : undefined,
      },
    );
  } catch {
    return false;
  }
}

/** The flags of a line of the one form; undefined for any other. A flag without a value has the empty one. */
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
