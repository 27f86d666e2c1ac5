import type { HostKeyProblem } from '../../../../../ssh/diagnosis/client-log.ts';
import { shellWord } from '../../../../../wire/printable.ts';
import type { Cause, Finding } from '../cause.ts';
import type { Facts } from '../facts.ts';
import { currentHost, hostText } from './network.ts';

const onHostKey =
  (
    kind: HostKeyProblem['kind'],
    finding: (facts: Facts, reason: string) => Finding | undefined,
  ): Cause['find'] =>
  (facts) => {
    const problem = facts.client?.hostKey.problem;
    if (problem?.kind !== kind) return undefined;
    return finding(facts, problem.kind === 'invalid certificate' ? problem.reason : '');
  };

const invalid = (matches: RegExp, finding: (facts: Facts, reason: string) => Finding): Cause['find'] =>
  onHostKey('invalid certificate', (facts, reason) =>
    matches.test(reason) ? finding(facts, reason) : undefined,
  );

const signHostKey = (name: string): string =>
  `Sign the host key again, on the host: \`lanyard ssh sign HOST-ROLE --key /etc/ssh/ssh_host_ed25519_key.pub --cert-type host --principals ${shellWord(name)}\`, and reload sshd.`;

export const hostKeyCauses: readonly Cause[] = [
  {
    name: 'host-key-unknown',
    check: 'host-key',
    title: 'The key of the host is not in known_hosts, and the host has no certificate.',
    find: onHostKey('unknown', (facts) => ({
      message: `the key of ${hostText(facts)} (${fingerprint(facts)}) is not known, and it has no host certificate`,
      advice: `Compare the fingerprint with \`ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\` on the host, then run \`ssh ${shellWord(facts.target.destination)}\` once and confirm it. With a CA for hosts, sign the host key.`,
    })),
  },
  {
    name: 'host-key-changed',
    check: 'host-key',
    title: 'The host has another key than the one in known_hosts.',
    find: onHostKey('changed', (facts) => {
      const removal = facts.client?.hostKey.removal ?? `ssh-keygen -R ${shellWord(facts.target.knownAs)}`;
      return {
        message: `the key of ${hostText(facts)} has changed to ${fingerprint(facts)}: the host was installed again, or another host responds`,
        advice: `Compare the fingerprint with \`ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\` on the host. If it is the same, run \`${removal}\` and log in again.`,
      };
    }),
  },
  {
    name: 'host-key-revoked',
    check: 'host-key',
    title: 'The key of the host, or its CA, is @revoked in known_hosts.',
    find: onHostKey('revoked', (facts) => ({
      message: `the key of ${hostText(facts)} or its CA is marked as @revoked in known_hosts`,
      advice:
        'Generate and sign a new host key on the host. Remove the @revoked line only if it is a mistake.',
    })),
  },
  {
    name: 'host-certificate-name',
    check: 'host-key',
    title: 'The host certificate is not for the name that was typed.',
    find: invalid(/principal/, (facts) => ({
      message: `the host certificate ${certificateId(facts)} is not valid for the name ${currentHost(facts)}`,
      advice: `Use a name of the certificate, set HostKeyAlias, or sign it for this name. ${signHostKey(currentHost(facts))}`,
    })),
  },
  {
    name: 'host-certificate-validity',
    check: 'host-key',
    title: 'The host certificate has expired or is not yet valid.',
    find: invalid(/expired|not yet valid/, (facts, reason) => ({
      message: `the host certificate ${certificateId(facts)} of ${hostText(facts)} is ${reason}`,
      advice: signHostKey(currentHost(facts)),
    })),
  },
  {
    name: 'host-certificate-type',
    check: 'host-key',
    title: 'The host presents a certificate that is not for hosts, or has options that ssh does not know.',
    find: onHostKey('invalid certificate', (facts, reason) =>
      /principal|expired|not yet valid/.test(reason)
        ? undefined
        : {
            message: `the certificate of ${hostText(facts)} is invalid: ${reason}`,
            advice: signHostKey(currentHost(facts)),
          },
    ),
  },
  {
    name: 'host-ca-unknown',
    check: 'host-key',
    title: 'The host has a certificate of a CA that is not in known_hosts.',
    find: onHostKey('unknown CA', (facts) => ({
      message: `the certificate of ${hostText(facts)} is signed by a CA that known_hosts does not trust for this name (${facts.client?.hostKey.certificate?.caFingerprint})`,
      advice: `Trust the CA for hosts: run \`lanyard ssh trust --hosts ${shellWord(facts.target.knownAs)}\` with --mount of that CA.`,
    })),
  },
];

const fingerprint = ({ client }: Facts): string =>
  client?.hostKey.key?.fingerprint ?? 'fingerprint not logged';

const certificateId = ({ client }: Facts): string => `"${client?.hostKey.certificate?.id ?? ''}"`;
