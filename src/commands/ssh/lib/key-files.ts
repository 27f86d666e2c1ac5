import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { OutputFile } from '../../../io/output-files.ts';
import type { Keys } from '../../../ssh/keys.ts';
import { defaultKeys } from './mount.ts';

export interface KeyToSign {
  readonly line: string;
  readonly fingerprint: string;
  /** Undefined: from standard input. */
  readonly path: string | undefined;
}

/** The key of `--key`: a file, `-`, or the first default key. @throws LanyardError usage */
export async function readKey(given: string | undefined, keys: Keys, ctx: Context): Promise<KeyToSign> {
  if (given === '-') {
    const { line, info } = keys.readPublicKey(
      (await ctx.input.readStdin()).toString('utf8'),
      'standard input',
    );
    return { line, fingerprint: info.fingerprint, path: undefined };
  }
  const path = given ?? (await defaultKeyPath(ctx));
  const { line, info } = keys.readPublicKey(await ctx.files.readText(path, 'the public key'), path);
  return { line, fingerprint: info.fingerprint, path };
}

async function defaultKeyPath(ctx: Context): Promise<string> {
  for (const name of defaultKeys) {
    const path = `${ctx.system.home}/.ssh/${name}.pub`;
    if (await ctx.files.exists(path)) return path;
  }
  throw usage(`no public key found (${ctx.system.home}/.ssh/id_{ed25519,ecdsa,rsa}.pub)`, {
    hint: 'Run `ssh-keygen -t ed25519` to create one, or specify one with --key.',
  });
}

/** The target of a certificate, which overwrites only a certificate. */
export const certificateFile = (path: string): OutputFile => ({
  path,
  replace: {
    matches: (head) => /^\s*\S*-cert-v01@openssh\.com(\s|$)/.test(head),
    mismatch: 'is not a certificate',
  },
});
