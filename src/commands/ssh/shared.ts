import { isWithoutCa } from '../../api/conditions.ts';
import { flag } from '../../command.ts';
import { type LanyardError, notFound } from '../../errors.ts';

/** Where the SSH engine is mounted. */
export const mountFlag = flag.text('PATH', 'where the SSH engine is mounted (default ssh)');

export const mountOf = (flags: { readonly mount: string | undefined }): string => flags.mount ?? 'ssh';

/** "Not found", for a mount without a CA. */
export const noCa = (mount: string, { status, details }: Pick<LanyardError, 'status' | 'details'>) =>
  notFound(`there is no CA in ${mount}/`, {
    service: 'secrets',
    status,
    details,
    hint: '"lanyard ssh ca create" makes one.',
  });

/** Makes "not found" of what a service sends where there is no CA; any other error is returned unchanged. */
export const missingCa = (error: unknown, mount: string): unknown =>
  isWithoutCa(error) ? noCa(mount, error) : error;

/** The usual key files of a user, in the order in which they are looked for. */
export const usualKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'] as const;
