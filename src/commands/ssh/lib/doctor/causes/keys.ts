import { shellWord } from '../../../../../wire/printable.ts';
import { type Cause, type Finding, isAccepted, isRejected, needsPassphrase, reasonOf } from '../cause.ts';
import type { Facts, LocalKey } from '../facts.ts';

const keyProblem = ({ client }: Facts, ...kinds: readonly string[]) =>
  client?.keyProblems.find(({ kind }) => kinds.includes(kind));

/** For logins with a key that the user has; not with a one-time password. */
const withKey =
  (find: (facts: Facts, key: LocalKey) => Finding | undefined): Cause['find'] =>
  (facts) =>
    facts.method === 'otp' || isAccepted(facts) || facts.keys.chosen === undefined
      ? undefined
      : find(facts, facts.keys.chosen);

export const keyCauses: readonly Cause[] = [
  {
    name: 'key-missing',
    check: 'key',
    title: 'ssh has no key to offer.',
    find: (facts) => {
      const { chosen, agent } = facts.keys;
      const isWithout =
        facts.client === undefined ? false : facts.client.offers.length === 0 && isRejected(facts);
      if (facts.method !== 'ssh' || chosen !== undefined || agent.keys.length > 0 || !isWithout)
        return undefined;
      return {
        message: 'ssh found no key: no default key file exists, and the ssh-agent has none',
        advice:
          'Run `ssh-keygen -t ed25519`, then `lanyard ssh sign ROLE`; or log in with `lanyard ssh connect`.',
      };
    },
  },
  {
    name: 'key-permissions',
    check: 'key',
    title: 'The private key can be read by others, so ssh ignores it.',
    find: (facts) => {
      const problem = isAccepted(facts) ? undefined : keyProblem(facts, 'permissions');
      return (
        problem && {
          message: `ssh ignores the private key: ${problem.text}`,
          advice: `Run \`chmod 600 ${shellWord(problem.path)}\`.`,
        }
      );
    },
  },
  {
    name: 'key-unreadable',
    check: 'key',
    title: 'The private key file is damaged or not a private key.',
    find: (facts) => {
      const problem = isAccepted(facts) ? undefined : keyProblem(facts, 'unreadable');
      return (
        problem && {
          message: `ssh cannot read the private key: ${problem.text}`,
          advice: `Run \`lanyard ssh inspect ${shellWord(problem.path)}\` to see what the file contains.`,
        }
      );
    },
  },
  {
    name: 'certificate-key-mismatch',
    check: 'key',
    title: 'The certificate is for another key than the private key next to it.',
    find: withKey((facts, { path, certificate, fingerprint, certificatePath }) => {
      const isOther =
        certificate !== undefined && fingerprint !== undefined && certificate.key.fingerprint !== fingerprint;
      if (!isOther && keyProblem(facts, 'mismatch') === undefined) return undefined;
      return {
        message: `the certificate ${certificatePath} is for another key (${certificate?.key.fingerprint ?? 'not known'}) than ${path} (${fingerprint ?? 'not known'})`,
        advice: `Sign the key again: run \`lanyard ssh sign ROLE --key ${shellWord(`${path}.pub`)}\`.`,
      };
    }),
  },
  {
    name: 'key-encrypted',
    check: 'key',
    title: 'The private key has a passphrase, and ssh cannot prompt for it.',
    find: withKey((facts, { path, privateKey }) => {
      if (privateKey !== 'encrypted' || !facts.target.isBatch || !needsPassphrase(facts)) return undefined;
      return {
        message: `the private key ${path} has a passphrase, and BatchMode forbids to prompt for it`,
        advice: `Run \`ssh-add ${shellWord(path)}\`.`,
      };
    }),
  },
  {
    name: 'agent-rejected',
    check: 'key',
    title: 'The ssh-agent has the key, but does not sign.',
    find: (facts) => {
      const problem = isAccepted(facts) ? undefined : keyProblem(facts, 'agent rejected');
      return (
        problem && {
          message: `the ssh-agent does not sign with ${problem.path}: it is locked, the key needs confirmation or a touch, or it expired`,
          advice: 'Run `ssh-add -X` if the agent is locked, else add the key again with `ssh-add`.',
        }
      );
    },
  },
  {
    name: 'agent-unreachable',
    check: 'key',
    title: 'The key is expected in an ssh-agent that does not run.',
    find: (facts) => {
      const { agent, chosen } = facts.keys;
      const needsAgent =
        chosen === undefined || chosen.privateKey === 'missing' || chosen.privateKey === 'encrypted';
      const isDown =
        agent.state === 'unreachable' || (agent.state === 'unset' && chosen?.privateKey === 'missing');
      if (facts.method !== 'ssh' || !isDown || !needsAgent || isAccepted(facts) || facts.client?.network)
        return undefined;
      const missing = chosen?.privateKey === 'missing' ? `${chosen.path} does not exist, and ` : '';
      return {
        message: `${missing}${agent.message ?? 'no ssh-agent runs: SSH_AUTH_SOCK is not set'}`,
        advice:
          'Run `eval "$(ssh-agent)"` and `ssh-add`, or set SSH_AUTH_SOCK to the socket of a running agent.',
      };
    },
  },
  {
    name: 'agent-without-certificate',
    check: 'key',
    title: 'The ssh-agent has the key, but not its certificate.',
    find: (facts) => {
      const offers = facts.client?.offers ?? [];
      const isPlain =
        offers.length > 0 && offers.every(({ type, isFromAgent }) => isFromAgent && !/-CERT$/.test(type));
      if (facts.method !== 'ssh' || !isPlain || !isRejected(facts)) return undefined;
      return {
        message: `ssh offered ${offers.length} keys of the ssh-agent, and no certificate`.replace(
          '1 keys',
          '1 key',
        ),
        advice:
          'Run `lanyard ssh sign ROLE --key FILE --agent` to sign a key and add its certificate to the agent.',
        isLikely: true,
      };
    },
  },
  {
    name: 'too-many-keys',
    check: 'key',
    title: 'ssh offered more keys than the host permits (MaxAuthTries).',
    find: (facts) => {
      const isExceeded =
        facts.client?.hasTooManyFailures === true || reasonOf(facts, 'too many failures') !== undefined;
      if (!isExceeded || isAccepted(facts)) return undefined;
      const offers = facts.client?.offers.length;
      const count = offers === undefined ? '' : ` after ${offers} ${offers === 1 ? 'key' : 'keys'}`;
      const key = shellWord(facts.keys.chosen?.path ?? '~/.ssh/id_ed25519');
      return {
        message: `the host ended the login${count}: too many authentication failures`,
        advice: `Offer one key only: run \`ssh -o IdentitiesOnly=yes -i ${key} ${shellWord(facts.target.destination)}\`, or remove keys from the agent with \`ssh-add -d\`.`,
      };
    },
  },
  {
    name: 'key-algorithm',
    check: 'key',
    title: 'The host does not accept the type of the key (PubkeyAcceptedAlgorithms).',
    find: (facts) => {
      if (isAccepted(facts)) return undefined;
      // A host may accept certificates only: its message about the key alone is not the reason.
      const found = reasonOf(facts, 'key algorithm');
      const isReason =
        found?.values[0]?.includes('-cert-') ||
        facts.server?.reasons.every(({ kind }) => kind === 'key algorithm');
      const reason = isReason ? found : undefined;
      const problem = keyProblem(facts, 'algorithm');
      const configured =
        facts.host?.acceptsKey === false ? facts.host.values('pubkeyacceptedalgorithms').join() : undefined;
      const seen =
        reason?.line ?? (configured && `PubkeyAcceptedAlgorithms is ${configured}`) ?? problem?.text;
      if (seen === undefined) return undefined;
      return {
        message: `the type of the key is not accepted: ${seen}`,
        advice:
          'Use a key of another type, or add the type (and its -cert-v01@openssh.com form) to PubkeyAcceptedAlgorithms.',
      };
    },
  },
];
