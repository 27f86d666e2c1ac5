import { formatTimestamp, humanDuration, relativeTime } from '../../../../../output/humanize.ts';
import type { CertificateInfo } from '../../../../../ssh/types.ts';
import { shellWord } from '../../../../../wire/printable.ts';
import {
  type Cause,
  type Finding,
  isAccepted,
  isCertificateAccepted,
  isRejected,
  reasonOf,
} from '../cause.ts';
import type { Facts } from '../facts.ts';

const certificateOf = ({ keys, method }: Facts): CertificateInfo | undefined =>
  method === 'otp' ? undefined : keys.chosen?.certificate;

/** For the certificate of a login that was not accepted. */
const withCertificate =
  (find: (facts: Facts, certificate: CertificateInfo) => Finding | undefined): Cause['find'] =>
  (facts) => {
    const certificate = certificateOf(facts);
    return certificate === undefined || isAccepted(facts) ? undefined : find(facts, certificate);
  };

/** The command that signs the key again. */
const signAgain = ({ keys, service, target }: Facts): string => {
  const key =
    keys.chosen?.path === undefined || keys.chosen.privateKey === 'in memory'
      ? ''
      : ` --key ${shellWord(`${keys.chosen.path}.pub`)}`;
  return `\`lanyard ssh sign ${shellWord(service.role ?? 'ROLE')}${key} --principals ${shellWord(target.user)}\``;
};

const timeText = (seconds: number, now: number): string =>
  `${formatTimestamp(new Date(seconds * 1000))}, ${relativeTime(seconds - now)}`;

const knownOptions = ['force-command', 'source-address', 'verify-required'];

export const certificateCauses: readonly Cause[] = [
  {
    name: 'certificate-missing',
    check: 'certificate',
    title: 'ssh offered no certificate: none is next to the key or in the ssh-agent.',
    find: (facts) => {
      const { chosen } = facts.keys;
      const offers = facts.client?.offers ?? [];
      const isOffered = offers.some(({ type }) => /-CERT$/.test(type));
      if (facts.method !== 'ssh' || facts.client === undefined || isOffered || !isRejected(facts))
        return undefined;
      if (chosen?.certificate !== undefined || offers.length === 0) return undefined;
      const where = chosen === undefined ? '' : `: ${chosen.certificatePath} does not exist`;
      return {
        message: `ssh offered ${offers.map(({ path }) => path).join(', ')} without a certificate${where}`,
        advice: `Sign the key: run ${signAgain(facts)}.`,
        isLikely: true,
      };
    },
  },
  {
    name: 'certificate-for-hosts',
    check: 'certificate',
    title: 'The certificate is a host certificate, which cannot be used to log in.',
    find: withCertificate((facts, { kind }) =>
      kind === 'user'
        ? undefined
        : {
            message: `the certificate ${facts.keys.chosen?.certificatePath} is a host certificate; expected a user certificate`,
            advice: `Sign the key for a user: run ${signAgain(facts)}.`,
          },
    ),
  },
  {
    name: 'certificate-expired',
    check: 'certificate',
    title: 'The certificate has expired.',
    find: (facts) => {
      const { now } = facts;
      const before = certificateOf(facts)?.validBefore;
      const isExpired = before !== undefined && before <= now && !isAccepted(facts);
      if (!isExpired && (certificateOf(facts) !== undefined || reasonOf(facts, 'expired') === undefined))
        return undefined;
      const when = before === undefined ? 'has expired' : `expired at ${timeText(before, now)}`;
      return { message: `the certificate ${when}`, advice: `Sign the key again: run ${signAgain(facts)}.` };
    },
  },
  {
    name: 'certificate-not-yet-valid',
    check: 'certificate',
    title: 'The certificate is not valid yet: a clock is wrong, or it was signed for later.',
    find: (facts) => {
      const { now, service } = facts;
      const after = certificateOf(facts)?.validAfter;
      const isEarly = after !== undefined && after > now && !isAccepted(facts);
      if (!isEarly && (certificateOf(facts) !== undefined || reasonOf(facts, 'not yet valid') === undefined))
        return undefined;
      const ahead = service.clockAhead ?? 0;
      const isLocalClock = after !== undefined && ahead > 30 && after <= now + ahead;
      const when = after === undefined ? 'is not yet valid' : `is valid from ${timeText(after, now)}`;
      return isLocalClock
        ? {
            message: `the certificate ${when}: the clock of the service is ${humanDuration(ahead)} ahead of this machine`,
            advice:
              'Compare both clocks with a time server: run `timedatectl` on each, and correct the wrong clock.',
          }
        : {
            message: `the certificate ${when}`,
            advice: `Check the clock of this machine with \`timedatectl\`, or sign the key again: run ${signAgain(facts)}.`,
          };
    },
  },
  {
    name: 'host-clock',
    check: 'certificate',
    title: 'The clock of the host is wrong: it takes a valid certificate for expired or not yet valid.',
    find: withCertificate((facts, { validAfter = 0, validBefore = Number.POSITIVE_INFINITY }) => {
      const reason = reasonOf(facts, 'expired', 'not yet valid');
      const isValid = validAfter <= facts.now && facts.now < validBefore;
      if (reason === undefined || !isValid) return undefined;
      return {
        message: `the certificate is valid now, but the host takes it for ${reason.kind}: its clock is wrong, or the log is of another certificate`,
        advice: 'Correct the clock of the host: run `timedatectl` on it.',
      };
    }),
  },
  {
    name: 'certificate-signature',
    check: 'certificate',
    title: 'The certificate is damaged: its signature is invalid.',
    find: withCertificate((facts, { signatureValid }) =>
      signatureValid
        ? undefined
        : {
            message: 'the signature of the certificate is invalid',
            advice: `Sign the key again: run ${signAgain(facts)}.`,
          },
    ),
  },
  {
    name: 'ca-signature-algorithm',
    check: 'certificate',
    title:
      'The host does not accept the algorithm of the signature of the CA (CASignatureAlgorithms, SHA-1).',
    find: (facts) => {
      if (isAccepted(facts)) return undefined;
      const algorithm = certificateOf(facts)?.signatureAlgorithm;
      const isSha1 = algorithm === 'ssh-rsa' || algorithm === 'ssh-dss';
      const reason = reasonOf(facts, 'CA signature');
      const isProven = reason !== undefined || facts.host?.acceptsCaSignature === false;
      if (!isProven && !(isSha1 && !isCertificateAccepted(facts))) return undefined;
      const name = reason?.values[0] ?? algorithm;
      return {
        message: `the certificate is signed with ${name}, which ${isProven ? 'the host does not accept' : 'OpenSSH 8.2 and later reject'}`,
        advice: `Run \`lanyard ssh role put ${shellWord(facts.service.role ?? 'ROLE')} --algorithm-signer rsa-sha2-512\`, and sign the key again.`,
        ...(isProven ? {} : { isLikely: true }),
      };
    },
  },
  {
    name: 'critical-option',
    check: 'certificate',
    title: 'The certificate has a critical option that sshd does not know.',
    find: (facts) => {
      if (isAccepted(facts)) return undefined;
      const unknown = certificateOf(facts)?.criticalOptions.find(
        ([name]) => !knownOptions.includes(name),
      )?.[0];
      const name = reasonOf(facts, 'critical option')?.values[0] ?? unknown;
      if (name === undefined) return undefined;
      return {
        message: `sshd does not support the critical option ${name} of the certificate`,
        advice: `Remove it from default_critical_options of the role, or sign without \`--critical-option\`: run ${signAgain(facts)}.`,
      };
    },
  },
  {
    name: 'forced-command',
    check: 'certificate',
    title: 'The certificate and AuthorizedPrincipalsFile require different commands.',
    find: (facts) => {
      if (reasonOf(facts, 'forced command') === undefined) return undefined;
      return {
        message:
          'force-command of the certificate differs from command="..." in AuthorizedPrincipalsFile of the host',
        advice: 'Use the same command in both, or remove one of them.',
      };
    },
  },
];

export const principalCauses: readonly Cause[] = [
  {
    name: 'principals-empty',
    check: 'principals',
    title: 'The certificate has no principals, and sshd accepts none without.',
    find: (facts) => {
      const reason = reasonOf(facts, 'no principals');
      const isEmpty = certificateOf(facts)?.principals.length === 0 && isRejectedOrChecked(facts);
      if (reason === undefined && !isEmpty) return undefined;
      return {
        message: 'the certificate has no principals',
        advice: `Sign it for the user: run ${signAgain(facts)}.`,
        ...(reason === undefined && facts.host === undefined ? { isLikely: true } : {}),
      };
    },
  },
  {
    name: 'principal-missing',
    check: 'principals',
    title: 'The certificate is for other users.',
    find: (facts) => {
      const { target, host } = facts;
      const principals = certificateOf(facts)?.principals;
      const reason = reasonOf(facts, 'name not listed');
      // The principals of a file or program on the host take the place of the user.
      const isMapped =
        host === undefined
          ? undefined
          : ['authorizedprincipalsfile', 'authorizedprincipalscommand'].some(
              (name) => host.values(name).length > 0,
            );
      const isOther = principals !== undefined && principals.length > 0 && !principals.includes(target.user);
      if (isMapped || reasonOf(facts, 'no authorized principal')) return undefined;
      if (reason === undefined && !(isOther && isRejectedOrChecked(facts))) return undefined;
      const of = principals === undefined ? 'other principals' : principals.join(', ');
      return {
        message: `the certificate is for ${of}, not for ${target.user}`,
        advice: `Log in as a user of the certificate, sign it for this one with ${signAgain(facts)}, or list one of its principals in AuthorizedPrincipalsFile of the host.`,
        ...(reason === undefined && isMapped === undefined ? { isLikely: true } : {}),
      };
    },
  },
  {
    name: 'principals-file',
    check: 'principals',
    title: 'AuthorizedPrincipalsFile of the host lists none of the principals, or cannot be read.',
    find: (facts) => {
      // sshd logs both: it ignores a file that others can change.
      if (reasonOf(facts, 'file modes') !== undefined) return undefined;
      const { host, target } = facts;
      const principals = certificateOf(facts)?.principals ?? [];
      const file = host?.principalsFile;
      const isUnlisted =
        file !== undefined &&
        host !== undefined &&
        principals.length > 0 &&
        !principals.some((name) => host.principals.includes(name));
      if (reasonOf(facts, 'no authorized principal') === undefined && !isUnlisted && !file?.problem)
        return undefined;
      const path = file?.path ?? 'AuthorizedPrincipalsFile';
      const problem = file?.problem
        ? `cannot be read (${file.problem})`
        : `lists ${host?.principals.join(', ') || 'none of them'}`;
      return {
        message: `the certificate is for ${principals.join(', ') || 'principals that the log does not name'}, but ${path} of the host ${problem}`,
        advice: `Add a principal of the certificate to the file of ${target.user} on the host: \`echo ${shellWord(principals[0] ?? 'PRINCIPAL')} | sudo tee -a ${file?.path ? shellWord(file.path) : '/etc/ssh/principals/USER'}\`.`,
      };
    },
  },
  {
    name: 'source-address',
    check: 'source-address',
    title: 'The certificate is not valid from the address of this machine.',
    find: (facts) => {
      const reason = reasonOf(facts, 'source address');
      if (
        isAccepted(facts) ||
        (reason === undefined && (facts.isOutsideSourceAddress !== true || isCertificateAccepted(facts)))
      )
        return undefined;
      const allowed = certificateOf(facts)?.criticalOptions.find(([name]) => name === 'source-address')?.[1];
      const address = reason?.values[0] ?? facts.clientAddress;
      return {
        message: `the certificate is valid from ${allowed ?? 'other addresses'} only, and the host sees ${address}`,
        advice:
          'Log in from a permitted network, or sign with another `--critical-option source-address=CIDR`.',
        ...(reason === undefined ? { isLikely: true } : {}),
      };
    },
  },
];

/** The host rejected the login, or no login was looked at and only the configuration of the host is checked. */
function isRejectedOrChecked(facts: Facts): boolean {
  return (
    (isRejected(facts) && !isCertificateAccepted(facts)) ||
    (facts.client === undefined && facts.server === undefined && facts.host !== undefined)
  );
}
