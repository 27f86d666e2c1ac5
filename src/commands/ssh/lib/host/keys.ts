import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { NewFile } from '../../../../io/files.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { privateKeyPath } from '../../../../wire/key-paths.ts';
import type { KeyToSign } from '../key-files.ts';
import type { SshdSettings } from './sshd.ts';
import { readDirectives } from './sshd-directives.ts';

/** Key types in the order of preference; others follow. */
const preference = [/ed25519/, /ecdsa/, /rsa/];

const rank = (path: string): number => {
  const at = preference.findIndex((pattern) => pattern.test(path));
  return at < 0 ? preference.length : at;
};

/** The host keys that sshd loads and that exist, ed25519 first. */
export async function existingHostKeys(
  settings: SshdSettings,
  { files }: Pick<Context, 'files'>,
): Promise<readonly string[]> {
  const paths = [...new Set(settings.values('hostkey').map(privateKeyPath))];
  const exists = await Promise.all(paths.map((path) => files.exists(path)));
  return paths.filter((_path, index) => exists[index]).toSorted((one, other) => rank(one) - rank(other));
}

/** @throws LanyardError usage: sshd does not load the key, or it does not exist. */
export function checkHostKeys(given: readonly string[], existing: readonly string[]): void {
  for (const path of given)
    if (!existing.includes(path))
      throw usage(`${path} is not a host key of sshd`, {
        hint: `Choose from the host keys of sshd: ${existing.join(', ') || 'none exist'}.`,
      });
}

/** The key to generate if sshd has none: where sshd looks for an ed25519 key. */
export async function newHostKey(
  config: string,
  keys: Keys,
  ctx: Pick<Context, 'files' | 'system'>,
): Promise<{ readonly path: string; readonly files: () => Promise<readonly NewFile[]> }> {
  const directives = await readDirectives(config, ctx);
  const configured = directives.flatMap(({ name, value }) => (name === 'hostkey' ? [value] : []));
  const paths = configured.length === 0 ? ['/etc/ssh/ssh_host_ed25519_key'] : configured;
  const path = paths.find((each) => /ed25519/.test(each));
  if (path === undefined)
    throw usage(`no host key exists: ${paths.join(', ')}`, { hint: 'Run `ssh-keygen -A` to create them.' });
  return {
    path,
    files: async () => {
      const [name = ''] = await ctx.system.hostNames();
      const pair = keys.generate(`root@${name}`);
      return [
        { path, content: pair.privateKey, replace: false },
        { path: `${path}.pub`, content: `${pair.publicKey}\n`, mode: 0o644, replace: true },
      ];
    },
  };
}

/** The public key of a host key, from its `.pub` file, or else from the private key. */
export async function readHostKey(path: string, keys: Keys, { files }: Context): Promise<KeyToSign> {
  const file = `${path}.pub`;
  const { line, info } = (await files.exists(file))
    ? keys.readPublicKey(await files.readText(file, 'the public key'), file)
    : await keys.derivePublicKey(await files.readText(path, 'the host key'), path);
  return { line, fingerprint: info.fingerprint, path: file };
}
