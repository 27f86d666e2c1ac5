import * as s from '../../core/schema/types.ts';
import type { EngineParts, EngineRequest } from '../engine.ts';
import type { SecretsError } from '../errors.ts';
import type { InputOf } from '../resource.ts';
import type { CaKeyPair } from './ca.ts';
import { issueCertificate } from './certificate.ts';
import { internalError } from './errors.ts';
import type { PublicKey } from './public-key.ts';
import type { Role } from './role.ts';
import {
  chooseCriticalOptions,
  chooseExtensions,
  chooseKeyId,
  chooseKind,
  choosePrincipals,
  chooseTtl,
} from './rules.ts';

/** The common parameters of signing a key and issuing one. */
export const certificateOptionFields = {
  ttl: s.optional(s.duration('Validity of the certificate; at most `max_ttl` of the role.')),
  valid_principals: s.string('User or host names of the certificate, comma-separated.'),
  cert_type: s.string('`user` (the default) or `host`.', { default: 'user' }),
  key_id: s.string('The key ID, if the role lets the caller choose it.'),
  critical_options: s.map(s.string(), 'Critical options of the certificate.'),
  extensions: s.map(s.string(), 'Extensions of the certificate.'),
};

interface CertificateRequest {
  readonly role: Role;
  readonly roleName: string;
  readonly request: EngineRequest & { readonly input: InputOf<typeof certificateOptionFields> };
}

/**
 * What the role permits; the order of the checks decides between errors (docs/protocol/ssh.md#sign-an-ssh-key).
 * @throws SecretsError 400
 */
export function resolveCertificateOptions({ role, roleName, request }: CertificateRequest) {
  const { displayName, entity, input } = request;
  const keyId = chooseKeyId(role, input.key_id, { displayName, roleName });
  const kind = chooseKind(role, input.cert_type);
  const principals = choosePrincipals(role, kind, input.valid_principals, entity);
  const ttl = chooseTtl(role, input.ttl, request.ttlLimits);
  const criticalOptions = chooseCriticalOptions(role, input.critical_options);
  const { extensions, skipped } = chooseExtensions(role, input.extensions, entity);
  const now = Math.floor(request.now.getTime() / 1000);
  return {
    content: {
      kind,
      principals,
      validAfter: Math.max(0, now - role.not_before_duration),
      validBefore: now + ttl,
      criticalOptions,
      extensions,
    },
    keyId,
    signer: role.algorithm_signer,
    warnings:
      skipped.length === 0
        ? []
        : [
            `default extensions omitted because the token has no identity for their templates: [${skipped.join(' ')}]`,
          ],
  };
}

/** The content of a certificate before the key is known. */
type CertificateOptions = ReturnType<typeof resolveCertificateOptions>;

export const shownCertificate = {
  serial_number: s.string(),
  signed_key: s.string('In the format of OpenSSH.'),
};

/** The common part of the responses to signing and issuing. */
export async function certify(
  key: PublicKey,
  { content, keyId, signer }: CertificateOptions,
  { ca, random }: { readonly ca: CaKeyPair; readonly random: EngineParts['random'] },
) {
  const serial = Buffer.from(random(8)).readBigUInt64BE();
  const certificate = await issueCertificate(
    {
      ...content,
      subject: key,
      ca: ca.blob,
      nonce: random(32),
      serial,
      keyId: keyId(key),
    },
    (data) => ca.sign(data, signer),
  );
  return { serial_number: serial.toString(16), signed_key: certificate };
}

/** The error of a mount without a CA. */
export function missingCaError(): SecretsError {
  return internalError('error creating signer: no keys configured');
}
