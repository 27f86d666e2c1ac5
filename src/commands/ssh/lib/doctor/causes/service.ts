import { shellWord } from '../../../../../wire/printable.ts';
import { type Cause, isAccepted, isRejected, needsPassphrase, reasonOf } from '../cause.ts';
import type { Facts } from '../facts.ts';
import { logAdvice } from '../log-advice.ts';

const onService =
  (state: Facts['service']['state'], advice: string): Cause['find'] =>
  ({ service, method }) =>
    method === 'ssh' || service.state !== state ? undefined : { message: service.message ?? '', advice };

export const serviceCauses: readonly Cause[] = [
  {
    name: 'service-unreachable',
    check: 'service',
    title: 'The secrets service, which signs the certificate, cannot be used.',
    find: onService('unreachable', 'Run `lanyard status` to see the state and the address of the service.'),
  },
  {
    name: 'token-missing',
    check: 'service',
    title: 'No token of the secrets service is configured.',
    find: onService('no token', 'Run `lanyard secrets login`.'),
  },
  {
    name: 'token-rejected',
    check: 'service',
    title: 'The token of the secrets service has expired or was revoked.',
    find: onService('token rejected', 'Run `lanyard secrets login`.'),
  },
  {
    name: 'role-missing',
    check: 'role',
    title: 'The role does not exist.',
    find: ({ service }) =>
      service.roleState !== 'missing'
        ? undefined
        : {
            message: `role ${service.role} not found in ${service.mount}/`,
            advice: 'Run `lanyard ssh role list` for the existing roles.',
          },
  },
  {
    name: 'ca-missing',
    check: 'role',
    title: 'The mount has no CA.',
    find: ({ service, method }) =>
      method !== 'ca' || !service.isWithoutCa
        ? undefined
        : { message: `${service.mount}/ has no CA`, advice: 'Run `lanyard ssh ca create` to create one.' },
  },
  {
    name: 'role-rejects',
    check: 'role',
    title: 'The role does not sign certificates for this user, or not with these options.',
    find: ({ service, target }) => {
      const [first] = service.judgements.filter(({ verdict }) => verdict === 'no');
      if (first === undefined) return undefined;
      const explain = `lanyard ssh explain ${shellWord(service.role ?? 'ROLE')} --principals ${shellWord(target.user)}`;
      return {
        message: `role ${service.role} would reject the request: ${first.why}`,
        advice: `${first.remedy} Run \`${explain}\` to check a request.`,
      };
    },
  },
  {
    name: 'request-rejected',
    check: 'role',
    title: 'The service rejected the request for a certificate or password: a permission is missing.',
    find: ({ service }) =>
      service.rejection === undefined
        ? undefined
        : {
            message: service.rejection,
            advice: `Run \`lanyard secrets token self\` to see which token and policies are used, or \`lanyard ssh explain ${shellWord(service.role ?? 'ROLE')}\` to check the role.`,
          },
  },
];

export const otpCauses: readonly Cause[] = [
  {
    name: 'otp-address',
    check: 'one-time-password',
    title: 'The role issues no passwords for the address of the host.',
    find: ({ service: { otp, role, mount } }) => {
      if (otp === undefined || role === undefined || otp.matchingRoles.includes(role)) return undefined;
      const others = otp.matchingRoles.length === 0 ? '' : `; roles that do: ${otp.matchingRoles.join(', ')}`;
      return {
        message: `role ${role} in ${mount}/ does not cover ${otp.address}${others}`,
        advice: `Add the address to the role: run \`lanyard ssh role put ${shellWord(role)} --cidr-list CIDR,...\`. For another address of the host, add \`--ip IP\`.`,
      };
    },
  },
  {
    name: 'otp-user',
    check: 'one-time-password',
    title: 'The role issues passwords for other users.',
    find: ({ service: { otp, role }, target }) => {
      const allowed = otp?.allowedUsers;
      if (allowed === undefined || allowed.includes('*') || allowed.includes(target.user)) return undefined;
      return {
        message: `role ${role} issues passwords for ${allowed.join(', ')}, not for ${target.user}`,
        advice: `Log in as one of these users, or run \`lanyard ssh role put ${shellWord(role ?? 'ROLE')} --allowed-users ${shellWord([...allowed, target.user].join(','))}\`.`,
      };
    },
  },
  {
    name: 'otp-not-offered',
    check: 'one-time-password',
    title: 'The host does not ask for passwords (KbdInteractiveAuthentication, UsePAM).',
    find: (facts) => {
      const methods = facts.client?.methods;
      const asks = methods?.some((method) => ['keyboard-interactive', 'password'].includes(method));
      if (facts.method !== 'otp' || methods === undefined || asks || isAccepted(facts)) return undefined;
      return {
        message: `the host offers ${methods.join(', ')} and asks for no password`,
        advice:
          'Set KbdInteractiveAuthentication yes and UsePAM yes in sshd_config of the host, and reload sshd. Run `lanyard help one-time-passwords` for the PAM module.',
      };
    },
  },
  {
    name: 'otp-rejected',
    check: 'one-time-password',
    title: 'PAM on the host rejected the one-time password.',
    find: (facts) => {
      const reason = reasonOf(facts, 'one-time password');
      const isDenied =
        facts.method === 'otp' && facts.isTried && isRejected(facts) && facts.client?.isDenied === true;
      if (reason === undefined && !isDenied) return undefined;
      return {
        message: reason
          ? `the host rejected the one-time password: ${reason.values[0]}`
          : 'the host rejected a new one-time password',
        advice: reason
          ? 'Run `lanyard help one-time-passwords` for what each message of the log means.'
          : 'Check /etc/pam.d/sshd on the host: it must run `lanyard ssh verify --pam`, whose log has the reason. Run `lanyard help one-time-passwords` for both.',
        ...(reason === undefined ? { isLikely: true } : {}),
      };
    },
  },
];

export const loginCauses: readonly Cause[] = [
  {
    name: 'unknown',
    check: 'login',
    title: 'The host rejected the login, and only its log has the reason.',
    find: (facts) => {
      const { client, server, target } = facts;
      if (client === undefined && server === undefined) return undefined;
      if (isAccepted(facts) || client?.isPartial || client?.network || client?.hostKey.problem)
        return undefined;
      if (needsPassphrase(facts)) return undefined;
      return {
        message: isRejected(facts)
          ? 'the host rejected the login, and nothing that was checked is wrong'
          : `the login did not end: ${client?.lastError ?? 'no message'}`,
        advice: `${logAdvice(target)}.`,
        isLikely: true,
      };
    },
  },
  {
    name: 'no-terminal',
    check: 'terminal',
    title: 'The login works, but the certificate permits no terminal (permit-pty).',
    afterLogin: true,
    find: (facts) => {
      const { keys, client, method, wantsTerminal } = facts;
      const certificate = method === 'otp' ? undefined : keys.chosen?.certificate;
      const options = certificate?.criticalOptions.map(([name]) => name) ?? [];
      const lacksPty =
        certificate?.kind === 'user' &&
        !options.includes('force-command') &&
        certificate.extensions.every(([name]) => name !== 'permit-pty');
      const isLacking = isAccepted(facts) && lacksPty && wantsTerminal;
      if (client?.isPtyRejected !== true && !isLacking) return undefined;
      return {
        message: 'the certificate permits no terminal: PTY allocation request failed',
        advice:
          'Run `lanyard ssh role put ROLE --default-extension permit-pty`, or sign with `--extension permit-pty`.',
      };
    },
  },
];
