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

/** The parameters that signing a key and issuing one have in common. */
export const termFields = {
  ttl: duration(),
  valid_principals: list(),
  cert_type: text('user'),
  key_id: text(),
  critical_options: pairs(),
  extensions: pairs(),
};

/** Where signing finds what the mount holds. */
export interface SigningMount {
  role(name: string): Role | undefined;
  authority(): Authority | undefined;
  /** Makes a CA with the defaults, unless there is one by then. */
  makeAuthority(): Promise<Authority>;
  readonly random: EngineParts['random'];
}

/** Whose role it is, and what was asked of it. */
interface Application {
  readonly role: Role;
  readonly roleName: string;
  readonly asked: Values<typeof termFields>;
  readonly request: EngineRequest;
}

/** What a certificate will say, before the key is known. */
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
 * Settles the terms of a certificate as the role permits. The order of the checks decides which refusal a request
 * with several faults gets (docs/protocol/ssh.md#sign-an-ssh-key).
 *
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

/** The part of an answer that signing and issuing have in common. */
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

/** The refusal of a mount without a CA. */
export function noAuthority(): Refusal {
  return failed('error creating signer: no keys configured');
}

function skippedWarnings(skipped: readonly string[]): string[] {
  if (skipped.length === 0) return [];
  return [
    `default extensions left out because the identity of the token does not fill in their templates: [${skipped.join(' ')}]`,
  ];
}
