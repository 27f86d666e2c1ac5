import { shellWord } from '../../../../../wire/printable.ts';
import {
  type Cause,
  isAccepted,
  isCertificateAccepted,
  isRejected,
  needsPassphrase,
  reasonOf,
} from '../cause.ts';
import type { Facts } from '../facts.ts';

const certificateOf = ({ keys, method }: Facts) => (method === 'otp' ? undefined : keys.chosen?.certificate);

/** The command that shows more, on the host. */
const onHost = ({ target }: Facts): string =>
  `\`sudo lanyard ssh doctor ${shellWord(`${target.user}@localhost`)} --sshd-config /etc/ssh/sshd_config --key CERTIFICATE\``;

const trustedFile = ({ host }: Facts): string =>
  host?.trustedKeys?.path ?? '/etc/ssh/trusted-user-ca-keys.pem';

const trust = (facts: Facts): string => `\`sudo lanyard ssh trust --users ${shellWord(trustedFile(facts))}\``;

const revokedAdvice =
  'Ask who revoked it. Then generate a new key with `ssh-keygen -t ed25519`, and sign it with `lanyard ssh sign ROLE`.';

export const trustCauses: readonly Cause[] = [
  {
    name: 'trusted-keys-not-set',
    check: 'ca',
    title: 'sshd trusts no CA: TrustedUserCAKeys is not set.',
    find: ({ host }) =>
      host === undefined ||
      host.values('trustedusercakeys').length > 0 ||
      host.isConditional('trustedusercakeys')
        ? undefined
        : {
            message: 'TrustedUserCAKeys is not set in sshd_config',
            advice:
              'Run `sudo lanyard ssh trust --users /etc/ssh/trusted-user-ca-keys.pem`, add the line that it prints to sshd_config, and reload sshd.',
          },
  },
  {
    name: 'trusted-keys-unreadable',
    check: 'ca',
    title: 'sshd cannot read the file of TrustedUserCAKeys.',
    find: (facts) => {
      const file = facts.host?.trustedKeys;
      if (!file?.problem) return undefined;
      return {
        message: `sshd cannot read ${file.path} (TrustedUserCAKeys): ${file.problem}`,
        advice: `Run ${trust(facts)} to create it.`,
      };
    },
  },
  {
    name: 'ca-not-trusted',
    check: 'ca',
    title: 'The host does not trust the CA of the certificate.',
    find: (facts) => {
      const { host, server } = facts;
      const ca = certificateOf(facts)?.signingCa.fingerprint;
      const isMissing =
        ca !== undefined &&
        host?.trustedKeys?.content !== undefined &&
        !host.trustedFingerprints.includes(ca);
      // sshd logs every other reason: it says nothing about a CA that it does not find.
      const isSilent = server?.failedCa !== undefined && server.reasons.length === 0 && !server.isAccepted;
      if (!isMissing && !isSilent) return undefined;
      return isMissing
        ? {
            message: `${trustedFile(facts)} (TrustedUserCAKeys) does not contain the CA of the certificate, ${ca}`,
            advice: `Run ${trust(facts)} on the host.`,
          }
        : {
            message: `sshd rejected a certificate of the CA ${server?.failedCa} without another reason: TrustedUserCAKeys does not contain it, is not set or cannot be read`,
            advice: `Run ${trust(facts)} on the host. To see which, run ${onHost(facts)}.`,
          };
    },
  },
  {
    name: 'ca-replaced',
    check: 'ca',
    title: 'The certificate is signed by another CA than the mount has now.',
    find: (facts) => {
      const ca = certificateOf(facts)?.signingCa.fingerprint;
      const current = facts.service.caFingerprints;
      if (
        ca === undefined ||
        current === undefined ||
        current.includes(ca) ||
        !isRejected(facts) ||
        isCertificateAccepted(facts)
      )
        return undefined;
      return {
        message: `the certificate is signed by ${ca}, but the CA of ${facts.service.mount}/ is ${current.join(', ')}`,
        advice:
          'Sign the key again: run `lanyard ssh sign ROLE`, with --mount of the CA that the host trusts.',
        isLikely: true,
      };
    },
  },
  {
    name: 'revoked',
    check: 'revocation',
    title: 'The certificate, its key or its CA is revoked.',
    find: (facts) => {
      const reason = reasonOf(facts, 'revoked');
      const listed = facts.listedRevocation;
      if (reason === undefined && facts.host?.isRevoked !== true)
        return listed === undefined || !isRejected(facts)
          ? undefined
          : {
              message: `the ${listed.of} is in the revocation list ${listed.location} (${listed.entry}), which hosts install`,
              advice: revokedAdvice,
            };
      const file = reason?.values[2] ?? facts.host?.revokedKeys?.path ?? 'RevokedKeys';
      const certificate = certificateOf(facts);
      const what =
        certificate === undefined
          ? 'the key'
          : `the certificate "${certificate.keyId}" (serial ${certificate.serial}), its key or its CA`;
      return {
        message: `${what} is in the revocation list ${file} of the host`,
        advice: revokedAdvice,
      };
    },
  },
  {
    name: 'revocation-list-unreadable',
    check: 'revocation',
    title: 'sshd cannot read its revocation list (RevokedKeys), and so rejects every key.',
    find: (facts) => {
      const reason = reasonOf(facts, 'revocation list');
      const file = facts.host?.revokedKeys;
      const problem = reason?.values[1] ?? file?.problem;
      if (!problem) return undefined;
      const path = reason?.values[0] ?? file?.path ?? '';
      return {
        message: `sshd rejects every key, because it cannot read ${path} (RevokedKeys): ${problem}`,
        advice: `Restore the file on the host, or create an empty list: \`sudo ssh-keygen -k -f ${shellWord(path)}\`.`,
      };
    },
  },
];

export const sshdCauses: readonly Cause[] = [
  {
    name: 'public-key-disabled',
    check: 'sshd',
    title: 'The host does not accept keys or certificates (PubkeyAuthentication no).',
    find: (facts) => {
      const { client, host, method } = facts;
      const isNotOffered =
        client?.methods !== undefined && !client.isPartial && !client.methods.includes('publickey');
      const isOff = host?.values('pubkeyauthentication')[0] === 'no';
      if (method === 'otp' || isAccepted(facts) || (!isNotOffered && !isOff)) return undefined;
      return {
        message: isOff
          ? 'PubkeyAuthentication is no in sshd_config'
          : `the host offers ${client?.methods?.join(', ')} and no publickey`,
        advice:
          'Set PubkeyAuthentication yes in sshd_config of the host (also in Match blocks and AuthenticationMethods), and reload sshd.',
      };
    },
  },
  {
    name: 'user-not-allowed',
    check: 'sshd',
    title: 'sshd does not permit the user (AllowUsers, DenyUsers, AllowGroups, DenyGroups).',
    find: (facts) => {
      const reason = reasonOf(facts, 'not allowed');
      const seen = reason?.values[1] ?? facts.host?.deniedBy;
      if (seen === undefined) return undefined;
      return {
        message: `sshd does not permit ${facts.target.user}: ${seen}`,
        advice:
          'Change AllowUsers, DenyUsers, AllowGroups or DenyGroups in sshd_config of the host, and reload sshd; or log in as another user.',
      };
    },
  },
  {
    name: 'root-login',
    check: 'sshd',
    title: 'sshd does not permit root to log in (PermitRootLogin).',
    find: (facts) => {
      const isOff = facts.target.user === 'root' && facts.host?.values('permitrootlogin')[0] === 'no';
      // sshd accepts the certificate of root first, and rejects the login after the proof.
      const isLikely =
        facts.target.user === 'root' &&
        isCertificateAccepted(facts) &&
        facts.client?.isDenied === true &&
        facts.client.keyProblems.length === 0 &&
        !needsPassphrase(facts);
      const isProven = reasonOf(facts, 'root login') !== undefined || isOff;
      if (isAccepted(facts) || (!isProven && !isLikely)) return undefined;
      return {
        ...(isProven ? {} : { isLikely: true }),
        message: 'PermitRootLogin of the host does not permit root to log in',
        advice:
          'Log in as another user, or set PermitRootLogin prohibit-password in sshd_config of the host and reload sshd.',
      };
    },
  },
  {
    name: 'unknown-user',
    check: 'account',
    title: 'The user does not exist on the host.',
    find: (facts) => {
      if (reasonOf(facts, 'unknown user') === undefined && facts.host?.account !== null) return undefined;
      const { user } = facts.target;
      return {
        message: `user ${user} does not exist on the host`,
        advice: `Log in as another user, or run \`sudo useradd -m ${shellWord(user)}\` on the host.`,
      };
    },
  },
  {
    name: 'account-closed',
    check: 'account',
    title: 'The account is locked or expired, has no shell, or /etc/nologin exists.',
    find: (facts) => {
      const reason = reasonOf(facts, 'account', 'PAM account');
      if (reason === undefined) return undefined;
      return {
        message: `the host does not let ${facts.target.user} log in: ${reason.values[1] ?? 'PAM denied access to the account'}`,
        advice: `Run \`sudo passwd -S ${shellWord(facts.target.user)}\` and \`sudo chage -l ${shellWord(facts.target.user)}\` on the host, and check its shell.`,
      };
    },
  },
  {
    name: 'file-modes',
    check: 'account',
    title: 'Others can change the home directory of the user or a file of sshd (StrictModes).',
    find: (facts) => {
      const reason = reasonOf(facts, 'file modes');
      const path = facts.host?.insecurePath;
      if (reason === undefined && path === undefined) return undefined;
      return {
        message:
          reason?.values[0] ??
          `${path} can be changed by others, so sshd ignores the files in it (StrictModes)`,
        advice: `Run \`sudo chmod go-w ${shellWord(path ?? reason?.values[0]?.split(' ').at(-1) ?? 'DIRECTORY')}\` on the host, and check its owner.`,
      };
    },
  },
];
