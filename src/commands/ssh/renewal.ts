import { passWarnings } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import { moment } from '../../output/time.ts';
import type { CertificateInfo, Keys } from '../../ssh/ssh.ts';
import type { SshSignBody } from '../../wire/secrets.ts';
import { isAsAsked } from './as-asked.ts';
import { certificateFor, inWords } from './certificate.ts';
import { certificateFile, type Key, privateHalf } from './key.ts';

/** A key to sign, and the role and request. */
export interface Signing {
  readonly mount: string;
  readonly role: string;
  readonly key: Key;
  readonly request: Omit<SshSignBody, 'public_key'>;
}

/** Signs a key. @throws LanyardError also if the response has no valid certificate for it. */
export async function signKey({ mount, role, key, request }: Signing, keys: Keys, ctx: Context) {
  const secrets = await ctx.api.secrets();
  const { body } = await secrets
    .signKey({ mount, role, public_key: key.line, ...request })
    .catch(inWords(role, mount));
  passWarnings(ctx.io, body);
  const certificate = await certificateFor(key.fingerprint, body.data.signed_key, keys);
  return { body, certificate, signed: body.data.signed_key };
}

/** The certificate in a file, compared with a request. */
export interface Kept {
  /** Not from a response. */
  readonly body: undefined;
  readonly signed: string;
  readonly certificate: CertificateInfo;
  /** Matches the key and the request, and has more than a third of its validity period left. */
  readonly fresh: boolean;
  /** Matches the key and the request, and is not expired. */
  readonly usable: boolean;
}

/** The existing certificate; undefined if the file is missing or not a certificate. */
async function keptCertificate(
  path: string,
  { key, request }: Pick<Signing, 'key' | 'request'>,
  keys: Keys,
  ctx: Pick<Context, 'files' | 'clock'>,
): Promise<Kept | undefined> {
  if (!(await ctx.files.exists(path))) return undefined;
  const text = await ctx.files.readText(path, 'the certificate');
  const found = await keys.inspect(text, path).catch(() => undefined);
  if (found?.what !== 'certificate') return undefined;
  const { certificate } = found;
  const now = ctx.clock().getTime() / 1000;
  const fits =
    certificate.key.fingerprint === key.fingerprint &&
    certificate.signatureValid &&
    isAsAsked(certificate, request);
  return {
    body: undefined,
    signed: text,
    certificate,
    fresh: fits && keys.isFresh(text, key.line, now, {}),
    usable: fits && (certificate.validAfter ?? 0) <= now && now < (certificate.validBefore ?? Infinity),
  };
}

/**
 * Keeps a valid certificate that is due for renewal while the service is unavailable. Any other error is thrown.
 */
function orUsable(kept: Kept | undefined, ctx: Pick<Context, 'io'>): (error: unknown) => Kept {
  return (error) => {
    const passing =
      error instanceof LanyardError && (error.kind === 'unreachable' || error.kind === 'unavailable');
    if (!passing || !kept?.usable) throw error;
    const end = new Date((kept.certificate.validBefore ?? 0) * 1000);
    ctx.io.warn(`cannot renew the certificate, which is valid until ${moment(end)}: ${error.message}`);
    return kept;
  };
}

/**
 * Returns the certificate in a file while it is fresh, else replaces it by a new one.
 * @throws LanyardError as signKey, unless the existing certificate is still valid.
 */
export async function renew(path: string, signing: Signing, keys: Keys, ctx: Context) {
  const kept = await keptCertificate(path, signing, keys, ctx);
  if (kept?.fresh) return kept;
  const done = await signKey(signing, keys, ctx).catch(orUsable(kept, ctx));
  if (done.body) await ctx.files.write([{ ...certificateFile(path), content: done.signed }]);
  return done;
}

/** The serial number of a certificate in the notation of the services. */
export const serialNumber = ({ certificate }: Pick<Kept, 'certificate'>): string =>
  BigInt(certificate.serial).toString(16);

/** Adds a key with its certificate to the ssh-agent, until the certificate expires. */
export async function addToAgent(
  path: string,
  signed: string,
  certificate: CertificateInfo,
  ctx: Pick<Context, 'agent' | 'files' | 'clock'>,
): Promise<void> {
  const agent = await ctx.agent();
  const left = (certificate.validBefore ?? 0) - Math.floor(ctx.clock().getTime() / 1000);
  await agent.addCertificate(ctx.files.absolute(privateHalf(path)), signed, Math.max(left, 0));
}
