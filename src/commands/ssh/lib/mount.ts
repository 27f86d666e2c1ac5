import { isWithoutCa } from '../../../api/conditions/secrets.ts';
import { type Flag, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { type LanyardError, notFound } from '../../../errors.ts';

/** `--mount` of commands that read the settings only if they need the mount. */
export const optionalMountFlag = flag.text('PATH', 'SSH mount path (default: from settings, else ssh)', {
  completes: 'ssh-mount',
});

/** `--mount`; its default is the SSH mount of the settings. */
export const mountFlag: Flag<string | undefined> & { readonly fallback: (ctx: Context) => Promise<string> } =
  {
    ...optionalMountFlag,
    fallback: async ({ profile }) => (await profile.sshDefaults()).mount,
  };

/** "Not found" for a mount without a CA. */
export function caNotFoundError(
  mount: string,
  { status, details }: Pick<LanyardError, 'status' | 'details'>,
) {
  const hint = 'Run `lanyard ssh ca create` to create one.';
  return notFound(`CA not found in ${mount}/`, { service: 'secrets', status, details, hint });
}

/** "Not found" if the error means that the mount has no CA; any other error is unchanged. */
export const describeMissingCa =
  (mount: string) =>
  (error: unknown): never => {
    throw isWithoutCa(error) ? caNotFoundError(mount, error) : error;
  };

/** The default key files of a user, in order of precedence. */
export const defaultKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'] as const;
