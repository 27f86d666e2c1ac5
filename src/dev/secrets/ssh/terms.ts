import type { EngineParts, EngineRequest, Refusal } from '../engine.ts';
import type { Authority } from './authority.ts';
import { type CertificateContent, issueCertificate } from './certificate.ts';
import { duration, list, pairs, text, type Values } from './fields.ts';
import type { PublicKey } from './public-key.ts';
import { failed } from './refusals.ts';
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
export const termFields = {
  ttl: duration(),
  valid_principals: list(),
  cert_type: text('user'),
  key_id: text(),
  critical_options: pairs(),
  extensions: pairs(),
};

/** The parts of the mount that signing uses. */
export interface SigningMount {
  role(name: string): Role | undefined;
  authority(): Authority | undefined;
  /** Creates a CA with the defaults, unless one exists by then. */
  makeAuthority(): Promise<Authority>;
  readonly random: EngineParts['random'];
}

/** The role, and the request to it. */
interface Application {
  readonly role: Role;
  readonly roleName: string;
  readonly asked: Values<typeof termFields>;
  readonly request: EngineRequest;
}

/** The content of a certificate before the key is known. */
export interface Terms {
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
 * @throws Refusal 400
 */
export function settleTerms({ role, roleName, asked, request }: Application): Terms {
  const { displayName, entity } = request;
  const keyId = chooseKeyId(role, asked.key_id, { displayName, roleName });
  const kind = chooseKind(role, asked.cert_type);
  const principals = choosePrincipals(role, kind, asked.valid_principals, entity);
  const ttl = chooseTtl(role, asked.ttl);
  const criticalOptions = chooseCriticalOptions(role, asked.critical_options);
  const { extensions, skipped } = chooseExtensions(role, asked.extensions, entity);
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
  { content, keyId, signer }: Terms,
  { authority, random }: { readonly authority: Authority; readonly random: EngineParts['random'] },
): Promise<{ readonly serial_number: string; readonly signed_key: string }> {
  const serial = Buffer.from(random(8)).readBigUInt64BE();
  const certificate = await issueCertificate(
    {
      ...content,
      subject: key,
      authority: authority.blob,
      nonce: random(32),
      serial,
      keyId: keyId(key),
    },
    (data) => authority.sign(data, signer),
  );
  return { serial_number: serial.toString(16), signed_key: certificate };
}

/** The error of a mount without a CA. */
export function noAuthority(): Refusal {
  return failed('error creating signer: no keys configured');
}

function skippedWarnings(skipped: readonly string[]): string[] {
  if (skipped.length === 0) return [];
  return [
    `default extensions omitted because their templates have no value for the identity of the token: [${skipped.join(' ')}]`,
  ];
}
