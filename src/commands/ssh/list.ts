import { arg, command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError } from '../../errors.ts';
import { bad, good, listResult, type StyledText, warn } from '../../output/document.ts';
import { relativeTime } from '../../output/humanize.ts';
import { allCertificates, type FoundCertificate } from './lib/certificates/find-certificates.ts';
import { findLocation, locationText } from './lib/revoked/location.ts';
import { listStore } from './lib/revoked/store.ts';
import { certificateData } from './lib/views.ts';

export default command({
  description:
    'Reads the ssh-agent, ~/.ssh, ~/.ssh/lanyard and the given files, and needs no service. The certificates that expire next come first. Revoked ones are marked if the settings have a revocation list (ssh.revoked) that can be read.',
  examples: ['lanyard ssh list', 'lanyard ssh list /etc/ssh/ssh_host_ed25519_key-cert.pub -o json'],
  returnsList: () => true,
  args: { files: arg.rest('FILE', 'more certificate files', 0, { completes: 'file' }) },
  async run({ args }, ctx) {
    const found = await allCertificates(args.files, ctx);
    const isRevoked = found.length === 0 ? unknown : await revocationCheck(ctx);
    const now = ctx.system.clock();
    const rows = found.map((each) => row(each, isRevoked(each), now)).sort(byEnd);
    const { home } = ctx.system;
    return listResult(rows, 'No certificates. Run `lanyard ssh sign ROLE` to get one.', {
      CERTIFICATE: ({ file, inAgent }) =>
        file === null ? 'ssh-agent' : `${shortened(file, home)}${inAgent ? ' (in ssh-agent)' : ''}`,
      STATUS: statusText,
      PRINCIPALS: {
        shrinkPriority: 2,
        cell: ({ principals, kind }) =>
          `${kind}: ${principals.length === 0 ? '(any)' : principals.join(', ')}`,
      },
      'KEY ID': { shrinkPriority: 1, cell: ({ keyId }) => keyId },
      SERIAL: { shrinkPriority: 1, cell: ({ serial }) => serial },
      'SIGNED BY': { shrinkPriority: 1, cell: ({ signingCa }) => signingCa.fingerprint },
      FROM: { shrinkPriority: 2, cell: fromText },
    });
  },
});

type Row = ReturnType<typeof row>;

function row({ file, isInAgent, certificate, source }: FoundCertificate, revoked: boolean | null, now: Date) {
  const { what: _, ...data } = certificateData(certificate, now);
  const after = (certificate.validAfter ?? 0) - now.getTime() / 1000;
  const { secondsLeft } = data;
  const time = secondsLeft !== null && secondsLeft <= 0 ? 'expired' : after > 0 ? 'not yet valid' : 'valid';
  const status: 'valid' | 'expired' | 'not yet valid' | 'revoked' = revoked === true ? 'revoked' : time;
  return {
    /** Absolute path; null: only the ssh-agent has it. */
    file: file ?? null,
    inAgent: isInAgent,
    status,
    /** Null: the settings have no revocation list, or it cannot be read. */
    revoked,
    ...data,
    /** What is known of where it was signed; null: unknown. */
    role: source?.role ?? null,
    mount: source?.role === undefined ? null : source.mount,
    namespace: source?.role === undefined ? null : source.namespace,
    profile: source?.profile ?? null,
  };
}

/** The next to expire first; unlimited ones last. */
function byEnd(one: Row, other: Row): number {
  const [end, otherEnd] = [one, other].map(({ secondsLeft }) => secondsLeft ?? Number.POSITIVE_INFINITY);
  if (end !== otherEnd) return (end ?? 0) < (otherEnd ?? 0) ? -1 : 1;
  const [name, otherName] = [one, other].map(({ file, serial }) => file ?? `~${serial}`);
  return (name ?? '') < (otherName ?? '') ? -1 : 1;
}

function statusText({ status, secondsLeft }: Row): StyledText {
  if (status === 'revoked') return [bad('revoked')];
  if (secondsLeft === null) return [warn('no expiry')];
  const left = relativeTime(secondsLeft);
  if (status === 'expired') return [bad(`expired ${left}`)];
  return status === 'valid' ? [good(`expires ${left}`)] : [warn('not yet valid')];
}

/** `profile: mount/role`. */
const fromText = ({ profile, mount, role }: Row): string | null =>
  role === null ? null : `${profile === null ? '' : `${profile}: `}${mount}/${role}`;

const shortened = (path: string, home: string): string =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

type RevocationCheck = (found: FoundCertificate) => boolean | null;

const unknown: RevocationCheck = () => null;

/** Decides with the revocation list of the settings; a list that cannot be read is a note. */
async function revocationCheck(ctx: Context): Promise<RevocationCheck> {
  try {
    const location = await findLocation(undefined, ctx);
    if (location === undefined) return unknown;
    const list = await (await listStore(location, ctx)).read();
    if (list === undefined) {
      ctx.output.warn(`the revocation list at ${locationText(location)} does not exist`);
      return unknown;
    }
    const { findRevocation, readRevocable } = await ctx.ssh.revocation();
    return ({ text, file }) =>
      findRevocation(list.krl, readRevocable(text, file ?? 'the ssh-agent')) !== undefined;
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    ctx.output.warn(`cannot check for revoked certificates: ${error.message}`);
    return unknown;
  }
}
