import type { EngineParts, EngineRequest } from '../engine.ts';
import type { SecretsError } from '../errors.ts';
import type { CaKeyPair } from './ca.ts';
import { type CertificateContent, issueCertificate } from './certificate.ts';
import { internalError } from './errors.ts';
import { type FieldValues, optionalDuration, stringMap, text } from './fields.ts';
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
  ttl: optionalDuration('Validity of the certificate; at most `max_ttl` of the role.'),
  valid_principals: text('User or host names of the certificate, comma-separated.'),
  cert_type: text('`user` (the default) or `host`.', 'user'),
  key_id: text('The key ID, if the role lets the caller choose it.'),
  critical_options: stringMap('Critical options of the certificate.'),
  extensions: stringMap('Extensions of the certificate.'),
};

/** The role, and the request to it. */
interface CertificateRequest {
  readonly role: Role;
  readonly roleName: string;
  readonly params: FieldValues<typeof certificateOptionFields>;
  readonly request: EngineRequest;
}

/** The content of a certificate before the key is known. */
export interface CertificateOptions {
  readonly content: Pick<
    CertificateContent,
    'kind' | 'principals' | 'validAfter' | 'validBefore' | 'criticalOptions' | 'extensions'
  >;
  readonly keyId: (key: PublicKey) => string;
  readonly signer: Role['algorithm_signer'];
  readonly warnings: readonly string[];
}

/**
 * Determines the content of a certificate as the role permits. The order of the checks decides which error a
 * request with several faults gets (docs/protocol/ssh.md#sign-an-ssh-key).
 * @throws SecretsError 400
 */
export function resolveCertificateOptions({
  role,
  roleName,
  params,
  request,
}: CertificateRequest): CertificateOptions {
  const { displayName, entity } = request;
  const keyId = chooseKeyId(role, params.key_id, { displayName, roleName });
  const kind = chooseKind(role, params.cert_type);
  const principals = choosePrincipals(role, kind, params.valid_principals, entity);
  const ttl = chooseTtl(role, params.ttl, request.ttlLimits);
  const criticalOptions = chooseCriticalOptions(role, params.critical_options);
  const { extensions, skipped } = chooseExtensions(role, params.extensions, entity);
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
    warnings: skippedWarnings(skipped),
  };
}

/** The common part of the responses to signing and issuing. */
export async function certify(
  key: PublicKey,
  { content, keyId, signer }: CertificateOptions,
  { ca, random }: { readonly ca: CaKeyPair; readonly random: EngineParts['random'] },
): Promise<{ readonly serial_number: string; readonly signed_key: string }> {
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

function skippedWarnings(skipped: readonly string[]): string[] {
  if (skipped.length === 0) return [];
  return [
    `default extensions omitted because the token has no identity for their templates: [${skipped.join(' ')}]`,
  ];
}
