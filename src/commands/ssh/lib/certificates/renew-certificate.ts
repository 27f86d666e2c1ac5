import type { Settings } from '../../../../api/settings.ts';
import type { Context } from '../../../../command/context.ts';
import { LanyardError } from '../../../../errors.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { shellWord } from '../../../../wire/printable.ts';
import { trimSlashes } from '../../../../wire/ssh-defaults.ts';
import { addToAgent } from '../add-to-agent.ts';
import { certificateFile } from '../key-files.ts';
import { signKey, writeCertificate } from '../renewal.ts';
import { type FoundCertificate, isInAgent } from './find-certificates.ts';

/** What happened with one certificate. */
export interface RenewalResult {
  /** Absolute path. */
  readonly file: string;
  /** `kept`: not due. `skipped`: not renewed here; see `message`. */
  readonly status: 'renewed' | 'kept' | 'skipped' | 'failed';
  readonly role: string | null;
  readonly mount: string | null;
  /** Of the new certificate, in hexadecimal. */
  readonly serialNumber: string | null;
  /** Whether the new certificate replaced the old one in the ssh-agent; null: the agent did not have it. */
  readonly replacedInAgent: boolean | null;
  /** What happened, for a person. */
  readonly message: string;
  readonly error?: {
    /** The kind of the error, such as `forbidden`. */
    readonly code: string;
    readonly hint: string | null;
  };
}

/** A certificate of a file, and what decides about its renewal. */
export interface Renewal {
  readonly found: FoundCertificate & { readonly file: string };
  /** Also if it is not due. */
  readonly isForced: boolean;
  readonly settings: Settings;
  /** The certificates in the ssh-agent. */
  readonly agentLines: readonly string[];
}

/** The result for a certificate that is not renewed. */
export const notRenewed = (
  { file, source }: Renewal['found'],
  status: RenewalResult['status'],
  message: string,
): RenewalResult => ({
  file,
  status,
  role: source?.role ?? null,
  mount: source?.role === undefined ? null : source.mount,
  serialNumber: null,
  replacedInAgent: null,
  message,
});

/**
 * Renews a certificate where it was signed, with the same request. The file is replaced at the end: if anything fails
 * before, the old certificate is unchanged.
 *
 * @throws LanyardError as `ssh sign`.
 */
export async function renewCertificate(renewal: Renewal, keys: Keys, ctx: Context): Promise<RenewalResult> {
  const { found, isForced, settings, agentLines } = renewal;
  const { file, text, certificate, source } = found;
  if (source?.role === undefined)
    return notRenewed(found, 'skipped', 'its role is unknown: sign it once with lanyard ssh sign ROLE');
  const elsewhere = signedElsewhere(found, settings);
  if (elsewhere !== undefined) return notRenewed(found, 'skipped', elsewhere);
  const { readRevocable } = await ctx.ssh.revocation();
  const line = `${certificate.key.type} ${readRevocable(text, file).key}`;
  const now = ctx.system.clock().getTime() / 1000;
  if (!isForced && keys.isFresh(text, line, now, {}))
    return notRenewed(found, 'kept', 'is not due for renewal');
  await ctx.files.checkWritable([certificateFile(file)]);
  const key = { line, fingerprint: certificate.key.fingerprint, path: undefined };
  const request = source.request ?? {
    cert_type: certificate.kind,
    valid_principals: certificate.principals.join(','),
  };
  const signing = { mount: source.mount, role: source.role, key, request };
  const done = await signKey(signing, keys, ctx);
  await writeCertificate(file, signing, done.signed, ctx);
  const replaced = isInAgent(text, agentLines)
    ? await replaceInAgent(found, done.signed, done.certificate, ctx)
    : null;
  return {
    ...notRenewed(
      found,
      'renewed',
      `renewed with role ${source.role}${replaced === false ? notInAgent : ''}`,
    ),
    serialNumber: done.body.data.serial_number,
    replacedInAgent: replaced,
  };
}

const notInAgent = '; the ssh-agent still has the old certificate';

/** Why a certificate is not renewed with these settings; undefined: it was signed there. */
function signedElsewhere({ source, file }: Renewal['found'], settings: Settings): string | undefined {
  if (source === undefined) return undefined;
  const { profile, address, namespace } = source;
  const isSameCluster =
    profile !== undefined && profile === settings.profile
      ? true
      : address === undefined || settings.addresses.includes(address);
  if (isSameCluster && namespace === trimSlashes(settings.namespace ?? '')) return undefined;
  const flags = [
    ...(profile === undefined ? ['--address', address ?? ''] : ['-p', profile]),
    ...(namespace === '' ? [] : ['-n', namespace]),
  ];
  return `was signed elsewhere: run lanyard ${[...(profile === undefined ? [] : flags), 'ssh', 'renew', ...(profile === undefined ? flags : []), file].map(shellWord).join(' ')}`;
}

/** The new certificate first: the agent is never without one. @returns false: it still has the old one. */
async function replaceInAgent(
  { text, file }: Renewal['found'],
  signed: string,
  certificate: FoundCertificate['certificate'],
  ctx: Context,
): Promise<boolean> {
  try {
    await addToAgent(file.replace(/-cert\.pub$/, ''), signed, certificate, ctx);
    await (await ctx.ssh.agent()).removeCertificate(text);
    return true;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    ctx.output.warn(`cannot replace ${file} in the ssh-agent: ${error.message}`);
    return false;
  }
}
