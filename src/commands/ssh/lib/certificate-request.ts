import { isMissingRole } from '../../../api/conditions/secrets.ts';
import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { isEmptyListError, LanyardError, notFound, usage } from '../../../errors.ts';
import type { Keys } from '../../../ssh/keys.ts';
import type { CertificateInfo } from '../../../ssh/types.ts';
import { compact } from '../../../wire/objects.ts';
import { toPrintable } from '../../../wire/printable.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';
import { describeMissingCa } from './mount.ts';

/** The fields of a certificate request, for an existing key or a generated one. */
export const certificateFlags = {
  principals: flag.list('A,B', 'principals: user names or host names', { aliases: ['valid-principals'] }),
  certType: flag.choice(['user', 'host'], 'certificate type (default user)'),
  ttl: flag.duration('validity period (default: set by the role)'),
  keyId: flag.text('ID', 'key ID, if the role allows it'),
  extension: flag.map('K[=V]', 'extension, replaces the extensions of the role; repeatable', {
    aliases: ['extensions'],
  }),
  criticalOption: flag.map('K=V', 'critical option; repeatable', { aliases: ['critical-options'] }),
} as const;

export type CertificateFlags = Values<typeof certificateFlags>;

/**
 * The fields of the certificate in the body of sign and issue.
 *
 * @throws LanyardError usage: as rejectInvisible
 */
export const certificateRequest = (flags: CertificateFlags): Omit<SshSignBody, 'public_key'> =>
  rejectInvisible(
    compact({
      valid_principals: flags.principals?.join(','),
      cert_type: flags.certType,
      ttl: flags.ttl || undefined,
      key_id: flags.keyId,
      extensions: flags.extension && { ...flags.extension },
      critical_options: flags.criticalOption && { ...flags.criticalOption },
    }),
  );

/**
 * Rejects names that look like others in logs and on terminals: services sign them.
 *
 * @param where before the message: the line of a file.
 * @throws LanyardError usage: a principal or the key ID contains a control or invisible character
 */
export function rejectInvisible<Request extends Pick<SshSignBody, 'valid_principals' | 'key_id'>>(
  request: Request,
  where = '',
): Request {
  const { valid_principals: principals = '', key_id: keyId = '' } = request;
  const check = (what: string, name: string) => {
    if (toPrintable(name) === name && !/[\n\t]/.test(name)) return;
    throw usage(`${where}invalid ${what} "${name}": contains a control or invisible character`, {
      hint: 'No certificate was requested.',
    });
  };
  for (const name of principals.split(',')) check('principal', name);
  check('key ID', keyId);
  return request;
}

/** A host certificate without principals is for the names of this machine, which a note lists. */
export async function withHostNames<Request extends Omit<SshSignBody, 'public_key'>>(
  request: Request,
  { system, output }: Context,
): Promise<Request> {
  if (request.cert_type !== 'host' || request.valid_principals !== undefined) return request;
  const names = await system.hostNames();
  output.note(`Using the host names of this machine: ${names.join(', ')}. To use others, add --principals.`);
  return { ...request, valid_principals: names.join(',') };
}

/** Services respond with 400 for a missing role or CA; the error is "not found". */
export const describeSignError =
  (role: string, mount: string) =>
  (error: unknown): never => {
    if (!isMissingRole(error)) return describeMissingCa(mount)(error);
    throw roleNotFoundError(role, mount, error);
  };

/** "Not found" if the error of reading a role means that. */
export const describeMissingRole =
  (role: string, mount: string) =>
  (error: unknown): never => {
    throw isEmptyListError(error) ? roleNotFoundError(role, mount, error) : error;
  };

export function roleNotFoundError(role: string, mount: string, { status, details }: LanyardError) {
  const hint = 'Run `lanyard ssh role list` for the existing roles.';
  return notFound(`role "${role}" not found in ${mount}/`, { service: 'secrets', status, details, hint });
}

/** The warning about a certificate without principals. */
export const anyPrincipalText = (kind: string): string =>
  `the certificate has no principals: it is valid for any ${kind}. To limit it, add --principals`;

const invalidCertificateError = (cause: string): LanyardError =>
  new LanyardError('failure', `unexpected response from the secrets service: ${cause}; nothing was written`, {
    service: 'secrets',
  });

/** The certificate of a response, verified against the fingerprint of the key. @throws LanyardError failure */
export async function checkSignedCertificate(
  fingerprint: string,
  signed: string,
  keys: Keys,
): Promise<CertificateInfo> {
  const found = await keys.inspect(signed, 'the response').catch(() => {
    throw invalidCertificateError('signed_key is not a certificate');
  });
  if (found.what !== 'certificate')
    throw invalidCertificateError(`signed_key is a ${found.what}, not a certificate`);
  if (found.certificate.key.fingerprint !== fingerprint)
    throw invalidCertificateError('the certificate is for a different key');
  if (!found.certificate.signatureValid)
    throw invalidCertificateError('the certificate has an invalid signature');
  return found.certificate;
}
