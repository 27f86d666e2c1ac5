import type { Context } from '../../../../command/context.ts';
import { type CaBundle, readCaBundle } from '../ca/bundle.ts';
import type { HostClient } from './login.ts';

/** The CAs of several mounts. A login is made only if the service has CAs that it does not show without one. */
export function readUserCas(mounts: readonly string[], client: HostClient): Promise<readonly CaBundle[]> {
  return Promise.all(
    mounts.map(async (mount) => {
      const bundle = await readCaBundle(await client.plain(), mount);
      return bundle.missing.length === 0 ? bundle : readCaBundle(await client.authenticated(), mount);
    }),
  );
}

/** Where the file for TrustedUserCAKeys comes from; a comment of sshd. */
const header = (mounts: readonly string[]): string =>
  `# The CAs of ${mounts.map((mount) => `${mount}/`).join(', ')}. Written by "lanyard ssh host"; changes are replaced.\n`;

/** The public keys in a file of keys: type and Base64. */
export const keysIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '))
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * The file for TrustedUserCAKeys. If some CAs could not be read, those that the file has are kept, and a warning says
 * so: a login that works must not end because of a missing permission.
 */
export function userCasFile(bundles: readonly CaBundle[], current: string, { output }: Context): string {
  const missing = bundles.flatMap((bundle) => bundle.missing);
  const read = bundles.flatMap(({ cas }) => keysIn(cas.map(({ publicKey }) => publicKey).join('\n')));
  const kept = missing.length === 0 ? [] : keysIn(current);
  for (const what of missing) output.warn(`cannot read ${what}; existing CAs in the file are kept`);
  return `${header(bundles.map(({ mount }) => mount))}${[...new Set([...read, ...kept])].join('\n')}\n`;
}
