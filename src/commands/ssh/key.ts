import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Target } from '../../io/targets.ts';
import type { Keys } from '../../ssh/ssh.ts';
import { usualKeys } from './shared.ts';

/** A public key that is to be signed. */
export interface Key {
  readonly line: string;
  readonly fingerprint: string;
  /** Undefined when it came from standard input. */
  readonly path: string | undefined;
}

/** The key that `--key` names: a file, `-`, or the first of the usual ones. @throws LanyardError usage */
export async function readKey(
  given: string | undefined,
  keys: Keys,
  ctx: Pick<Context, 'io' | 'files' | 'home'>,
): Promise<Key> {
  if (given === '-') {
    const { line, info } = keys.publicKey((await ctx.io.readStdin()).toString('utf8'), 'standard input');
    return { line, fingerprint: info.fingerprint, path: undefined };
  }
  const path = given ?? (await usualKey(ctx));
  const { line, info } = keys.publicKey(await ctx.files.readText(path, 'the public key'), path);
  return { line, fingerprint: info.fingerprint, path };
}

async function usualKey(ctx: Pick<Context, 'files' | 'home'>): Promise<string> {
  for (const name of usualKeys) {
    const path = `${ctx.home}/.ssh/${name}.pub`;
    if (await ctx.files.exists(path)) return path;
  }
  throw usage(`none of your usual public keys is there (${ctx.home}/.ssh/id_{ed25519,ecdsa,rsa}.pub)`, {
    hint: 'Make one with "ssh-keygen -t ed25519", or name one with --key.',
  });
}

/** Where ssh looks for the certificate of a key file. */
export const besideKey = (path: string): string => `${path.replace(/\.pub$/, '')}-cert.pub`;

/** Where a certificate goes: the file may take the place of a certificate, and of nothing else. */
export const certificateFile = (path: string): Target => ({
  path,
  replace: {
    is: (head) => /^\s*\S*-cert-v01@openssh\.com(\s|$)/.test(head),
    otherwise: 'is no certificate',
  },
});

/** The private key of a public one. */
export const privateHalf = (path: string): string => path.replace(/\.pub$/, '');
