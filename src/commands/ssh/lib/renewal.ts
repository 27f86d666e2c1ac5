import type { SecretsClient } from '../../../api/secrets.ts';
import { showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { isKind } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import type { Keys } from '../../../ssh/keys.ts';
import type { CertificateInfo } from '../../../ssh/types.ts';
import { isSameSource } from '../../../wire/certificate-source.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';
import { checkSignedCertificate, describeSignError } from './certificate-request.ts';
import { readSource, sourceOf, writeSource } from './certificate-source-file.ts';
import { certificateFile, type KeyToSign } from './key-files.ts';
import { matchesRequest } from './matches-request.ts';
import { openRecorder } from './record.ts';
import { postpone, readRetry, removeRetry } from './renewal-retry.ts';

export interface Signing {
  readonly mount: string;
  readonly role: string;
  readonly key: KeyToSign;
  readonly request: Omit<SshSignBody, 'public_key'>;
  /** The client of the secrets service, which the keys of a batch share. */
  readonly secrets?: () => Promise<SecretsClient>;
  /** `--record`; undefined: as in the settings. */
  readonly record?: string | undefined;
}

/** Signs a key, and records the certificate. @throws LanyardError also if the response has no valid certificate for it. */
export async function signKey(signing: Signing, keys: Keys, ctx: Context) {
  const { mount, role, key, request } = signing;
  const recorder = await openRecorder(signing.record, ctx);
  const secrets = await (signing.secrets ?? ctx.api.secrets)();
  const { body } = await secrets
    .signKey({ mount, role, public_key: key.line, ...request })
    .catch(describeSignError(role, mount));
  showWarnings(ctx.output, body);
  const certificate = await checkSignedCertificate(key.fingerprint, body.data.signed_key, keys);
  await recorder?.add(certificate, { mount, role });
  return { body, certificate, signed: body.data.signed_key };
}

export interface CurrentCertificate {
  /** Not from a response. */
  readonly body: undefined;
  readonly signed: string;
  readonly certificate: CertificateInfo;
  /** Matches the key and the request, and is not yet due for renewal. */
  readonly isFresh: boolean;
  /** Matches the key and the request, and is not expired. */
  readonly isUsable: boolean;
  /** Its renewal failed a short time ago, and is not tried again before this time (unix seconds). */
  readonly postponedUntil?: number | undefined;
}

/** The existing certificate; undefined if the file is missing or not a certificate. */
async function readCurrentCertificate(
  path: string,
  { key, request, mount, role }: Pick<Signing, 'key' | 'request' | 'mount' | 'role'>,
  keys: Keys,
  ctx: Context,
): Promise<CurrentCertificate | undefined> {
  if (!(await ctx.files.exists(path))) return undefined;
  const text = await ctx.files.readText(path, 'the certificate');
  const found = await keys.inspect(text, path).catch(() => undefined);
  if (found?.what !== 'certificate') return undefined;
  const { certificate } = found;
  const now = ctx.system.clock().getTime() / 1000;
  const isMatching =
    isSameSource(await readSource(path, text, ctx), await sourceOf(mount, { role }, ctx)) &&
    certificate.key.fingerprint === key.fingerprint &&
    certificate.signatureValid &&
    matchesRequest(certificate, request);
  return {
    body: undefined,
    signed: text,
    certificate,
    isFresh: isMatching && keys.isFresh(text, key.line, now, {}),
    isUsable:
      isMatching && (certificate.validAfter ?? 0) <= now && now < (certificate.validBefore ?? Infinity),
  };
}

/**
 * Keeps a valid certificate that is due for renewal while the service is unavailable. Any other error is thrown.
 */
const unlessUsable =
  (current: CurrentCertificate | undefined, path: string, keys: Keys, ctx: Context) =>
  async (error: unknown): Promise<CurrentCertificate> => {
    if (!isKind('unreachable', 'unavailable')(error) || !current?.isUsable) throw error;
    const end = formatTimestamp(new Date((current.certificate.validBefore ?? 0) * 1000));
    const next = await postpone(path, current.signed, keys, ctx);
    ctx.output.warn(`cannot renew the certificate, which is valid until ${end}: ${error.message}; ${next}`);
    return current;
  };

/** The current certificate, if it is fresh or its renewal is postponed; undefined: it must be renewed. */
async function keptCertificate(
  current: CurrentCertificate | undefined,
  path: string,
  { key }: Pick<Signing, 'key'>,
  keys: Keys,
  ctx: Context,
): Promise<CurrentCertificate | undefined> {
  if (current?.isFresh) return current;
  if (!current?.isUsable || ctx.output.isDryRun) return undefined;
  const retry = await readRetry(path, ctx);
  const now = ctx.system.clock().getTime() / 1000;
  const postponedUntil = keys.postponedUntil(retry, current.signed, key.line, now);
  return postponedUntil === undefined ? undefined : { ...current, postponedUntil };
}

/** The certificate in a file, and whether `renew` would replace it now. */
export async function certificateState(path: string, signing: Signing, keys: Keys, ctx: Context) {
  const current = await readCurrentCertificate(path, signing, keys, ctx);
  return { current, isDue: (await keptCertificate(current, path, signing, keys, ctx)) === undefined };
}

/**
 * Returns the certificate in a file while it is fresh, or while its renewal is postponed, else replaces it by a new one.
 * @throws LanyardError as signKey, unless the existing certificate is still valid.
 */
export async function renew(path: string, signing: Signing, keys: Keys, ctx: Context) {
  const current = await readCurrentCertificate(path, signing, keys, ctx);
  const kept = await keptCertificate(current, path, signing, keys, ctx);
  if (kept) return kept;
  const result = await signKey(signing, keys, ctx).catch(unlessUsable(current, path, keys, ctx));
  if (result.body) await writeCertificate(path, signing, result.signed, ctx);
  return result;
}

/** Writes a new certificate with its source, and removes what is known about failed renewals of the one before. */
export async function writeCertificate(
  path: string,
  { mount, role, request, secrets }: Pick<Signing, 'mount' | 'role' | 'request' | 'secrets'>,
  content: string,
  ctx: Context,
): Promise<void> {
  // A batch has thousands of keys of others, which are not renewed here.
  const isOneOfMany = secrets !== undefined;
  const file = { ...certificateFile(path), content };
  await (isOneOfMany ? ctx.files.writeOneOfMany(file) : ctx.files.write([file]));
  const source = await sourceOf(mount, isOneOfMany ? {} : { role, request }, ctx);
  await writeSource(path, content, source, ctx, isOneOfMany);
  await removeRetry(path, ctx);
}

/** The serial number of a certificate in the notation of the services. */
export const serialNumber = ({ certificate }: Pick<CurrentCertificate, 'certificate'>): string =>
  BigInt(certificate.serial).toString(16);
