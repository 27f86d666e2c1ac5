import { shellWord } from '../../../../../wire/printable.ts';
import { type Cause, isAccepted } from '../cause.ts';
import type { Facts } from '../facts.ts';

/** The host of the last part of the log: a jump host that has not accepted the login, or the host itself. */
export const currentHost = ({ client, target }: Facts): string =>
  target.jumpHosts[client?.authenticated ?? 0] ?? target.host;

const isAtJumpHost = ({ client, target }: Facts): boolean =>
  (client?.authenticated ?? 0) < target.jumpHosts.length;

/** `host web1`, or `jump host bastion`. */
export const hostText = (facts: Facts): string =>
  `${isAtJumpHost(facts) ? 'jump host' : 'host'} ${currentHost(facts)}`;

type NetworkKind = NonNullable<NonNullable<Facts['client']>['network']>['kind'];

const onNetwork =
  (kind: NetworkKind, advice: (facts: Facts) => string): Cause['find'] =>
  (facts) => {
    const network = facts.client?.network;
    if (network?.kind !== kind || isAccepted(facts)) return undefined;
    return { message: `cannot connect to ${hostText(facts)}: ${network.text}`, advice: advice(facts) };
  };

export const networkCauses: readonly Cause[] = [
  {
    name: 'unknown-host-name',
    check: 'network',
    title: 'The name of the host has no address.',
    find: onNetwork(
      'name',
      ({ target }) =>
        `Check the name, or set HostName in ~/.ssh/config. Run \`ssh -G ${shellWord(target.destination)}\` to see the name that ssh uses.`,
    ),
  },
  {
    name: 'connection-refused',
    check: 'network',
    title: 'No program listens on the port of the host.',
    find: onNetwork(
      'refused',
      ({ target }) =>
        `Check that sshd runs and listens on port ${target.port}: run \`sudo ss -ltnp\` on the host. For another port, add \`-- -p PORT\`.`,
    ),
  },
  {
    name: 'host-unreachable',
    check: 'network',
    title: 'The host did not respond: it is down, or a firewall blocks the port.',
    find: onNetwork(
      'timeout',
      ({ target }) =>
        `Check the address, routes and firewalls: run \`nc -vz ${shellWord(target.host)} ${target.port}\`.`,
    ),
  },
  {
    name: 'connection-closed',
    check: 'network',
    title: 'sshd closed the connection before the login: too many connections, or the address is blocked.',
    find: onNetwork(
      'closed',
      () =>
        'Check MaxStartups, PerSourcePenalties and blocked addresses (fail2ban, hosts.deny) on the host: run `sudo journalctl -u ssh -u sshd -n 50` on it.',
    ),
  },
  {
    name: 'not-ssh',
    check: 'network',
    title: 'Another program than sshd listens on the port.',
    find: onNetwork(
      'not ssh',
      ({ target }) => `Check the port: ${target.port} is not sshd. For another port, add \`-- -p PORT\`.`,
    ),
  },
  {
    name: 'no-common-algorithm',
    check: 'network',
    title: 'ssh and sshd have no common algorithm for keys, encryption or host keys.',
    find: onNetwork(
      'negotiation',
      () =>
        'Update the older of the two programs, or permit one of the algorithms that the host offers in ~/.ssh/config.',
    ),
  },
  {
    name: 'forwarding-denied',
    check: 'jump-host',
    title: 'The jump host accepts the login, but does not forward connections.',
    find: (facts) => {
      const network = facts.client?.network;
      if (network?.kind !== 'forwarding' || isAccepted(facts)) return undefined;
      return {
        message: `the jump host does not forward the connection: ${network.text}`,
        advice:
          'Set AllowTcpForwarding yes in sshd_config of the jump host, and sign its certificate with `--extension permit-port-forwarding`.',
      };
    },
  },
  {
    name: 'jump-host-rejected',
    check: 'jump-host',
    title: 'A jump host rejected the login.',
    find: (facts) => {
      if (!isAtJumpHost(facts) || !(facts.client?.isDenied || facts.client?.hasTooManyFailures))
        return undefined;
      const hop = currentHost(facts);
      const role = facts.service.role === undefined ? '' : ` --role ${shellWord(facts.service.role)}`;
      return {
        message: `jump host ${hop} rejected the login`,
        advice: `Run \`lanyard ssh doctor ${shellWord(hop)}${role}\` to find the cause.`,
      };
    },
  },
];
