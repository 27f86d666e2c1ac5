import { isMissingRole } from '../../api/conditions.ts';
import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound } from '../../errors.ts';
import type { CertificateInfo, Keys } from '../../ssh/ssh.ts';
import type { SshSignBody } from '../../wire/secrets.ts';
import { missingCa } from './shared.ts';

/** What may be asked of a certificate, whether its key is at hand or made by the service. */
export const certificateFlags = {
  principals: flag.list('A,B', 'user names, or host names, that the certificate is for', {
    aliases: ['valid-principals'],
  }),
  certType: flag.choice(['user', 'host'], 'what the certificate is for (default user)'),
  ttl: flag.duration('how long it is valid (default: what the role says)'),
  keyId: flag.text('ID', 'key ID, where the role allows one'),
  extension: flag.map('K[=V]', 'an extension instead of those of the role; repeatable', {
    aliases: ['extensions'],
  }),
  criticalOption: flag.map('K=V', 'a critical option (verify-required= has no value); repeatable', {
    aliases: ['critical-options'],
  }),
} as const;

export type CertificateFlags = {
  readonly [Name in keyof typeof certificateFlags]: ReturnType<(typeof certificateFlags)[Name]['parse']>;
};

/** The certificate's part of the body of sign and issue. */
export const certificateRequest = (flags: CertificateFlags): Omit<SshSignBody, 'public_key'> => ({
  ...(flags.principals ? { valid_principals: flags.principals.join(',') } : {}),
  ...(flags.certType ? { cert_type: flags.certType } : {}),
  ...(flags.ttl ? { ttl: flags.ttl } : {}),
  ...(flags.keyId === undefined ? {} : { key_id: flags.keyId }),
  ...(flags.extension ? { extensions: { ...flags.extension } } : {}),
  ...(flags.criticalOption ? { critical_options: { ...flags.criticalOption } } : {}),
});

/** A host certificate for nobody in particular is for this machine; which names those are is said. */
export async function withHostNames<Request extends Omit<SshSignBody, 'public_key'>>(
  request: Request,
  { machine, io }: Pick<Context, 'machine' | 'io'>,
): Promise<Request> {
  if (request.cert_type !== 'host' || request.valid_principals !== undefined) return request;
  const names = await machine.names();
  io.note(`for the names of this machine: ${names.join(', ')} (--principals says others)`);
  return { ...request, valid_principals: names.join(',') };
}

/** A role that is not there is answered with 400; to a person and a script it is "not found", as a CA is. */
export const inWords =
  (role: string, mount: string) =>
  (error: unknown): never => {
    if (!isMissingRole(error)) throw missingCa(error, mount);
    throw noRole(role, mount, error);
  };

/** "Not found", for a role. */
export const noRole = (role: string, mount: string, { status, details }: LanyardError): LanyardError =>
  notFound(`there is no role "${role}" in ${mount}/`, {
    ...{ service: 'secrets', status, details },
    hint: '"lanyard ssh role list" shows those there are.',
  });

/** What is wrong with an answer that holds no certificate for the key it should be for. */
const unexpected = (why: string): LanyardError =>
  new LanyardError('failure', `unexpected response from the secrets service: ${why}; nothing was written`, {
    service: 'secrets',
  });

/** The certificate in an answer, if it is one, whole, and for the key with this fingerprint. */
export async function certificateFor(
  fingerprint: string,
  signed: string,
  keys: Keys,
): Promise<CertificateInfo> {
  const found = await keys.inspect(signed, 'the answer').catch(() => {
    throw unexpected('signed_key is not a certificate');
  });
  if (found.what !== 'certificate') throw unexpected(`signed_key is a ${found.what}, not a certificate`);
  if (found.certificate.key.fingerprint !== fingerprint)
    throw unexpected('the certificate is for another key');
  if (!found.certificate.signatureValid) throw unexpected('the signature of the certificate does not verify');
  return found.certificate;
}
