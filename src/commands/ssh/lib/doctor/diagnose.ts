import { formatTimestamp, relativeTime } from '../../../../output/humanize.ts';
import { type CheckName, checkNames, isAccepted, isRejected, needsPassphrase } from './cause.ts';
import { causes } from './causes.ts';
import type { Facts } from './facts.ts';
import { logAdvice } from './log-advice.ts';

/** One line of the result. */
export interface CheckResult {
  /** A stable name. */
  readonly check: CheckName;
  /** `not checked`: the message has the reason. */
  readonly result: 'ok' | 'failed' | 'not checked';
  /** The stable name of the cause of a failed check, as `lanyard help ssh-rejected` lists it; null: not failed. */
  readonly cause: string | null;
  /** What was seen. */
  readonly message: string;
  /** What to do; null: not failed. */
  readonly advice: string | null;
  /** Whether another cause may explain the rejected login too. */
  readonly likely: boolean;
}

interface State {
  readonly result: 'ok' | 'not checked';
  readonly message: string;
}

const ok = (message: string): State => ({ result: 'ok', message });
const notChecked = (message: string): State => ({ result: 'not checked', message });

/**
 * The checks of a login, in its order. Causes that only explain a rejected login do not apply to one that was accepted;
 * likely causes do not apply next to a certain cause.
 */
export function diagnose(facts: Facts): CheckResult[] {
  const found = causes.flatMap((cause) => {
    if (isAccepted(facts) && cause.afterLogin !== true) return [];
    const finding = cause.find(facts);
    return finding === undefined ? [] : [{ ...finding, cause: cause.name, check: cause.check }];
  });
  const certain = found.filter(({ isLikely }) => isLikely !== true);
  const shown = certain.length > 0 ? certain : found.slice(0, 1);
  return checkNames
    .filter((check) => isRelevant(check, facts) || shown.some((finding) => finding.check === check))
    .map((check) => {
      const finding = shown.find((each) => each.check === check);
      if (finding === undefined)
        return { check, ...states[check](facts), cause: null, advice: null, likely: false };
      const { cause, message } = finding;
      // That no cause was found is certain.
      const isLikely = finding.isLikely === true && cause !== 'unknown';
      const isUnsure = isLikely && facts.server === undefined;
      const advice = isUnsure ? `${finding.advice} To be sure: ${logAdvice(facts.target)}.` : finding.advice;
      return { check, result: 'failed', cause, message, advice, likely: isLikely };
    });
}

const ofCertificates: readonly CheckName[] = [
  ...(['key', 'certificate', 'principals', 'source-address', 'ca', 'revocation', 'terminal'] as const),
];

function isRelevant(check: CheckName, { method, target }: Facts): boolean {
  if (check === 'jump-host') return target.jumpHosts.length > 0;
  if (check === 'one-time-password') return method === 'otp';
  return method !== 'otp' || !ofCertificates.includes(check);
}

const notSigned = 'no certificate was signed';
const onHostOnly = 'only the host knows (--log, --sshd-config)';

const states: Readonly<Record<CheckName, (facts: Facts) => State>> = {
  service: ({ service }) =>
    service.state === 'ok' ? ok(service.message ?? 'responds') : notChecked(service.message ?? 'not needed'),
  role: ({ service }) => {
    const { role, roleState } = service;
    if (role === undefined) return notChecked('no --role');
    if (roleState === 'signs') return ok(`${role} signs this request`);
    const [open] = service.judgements;
    if (roleState === 'depends' && open !== undefined) return notChecked(open.why);
    if (roleState === 'unreadable') return notChecked(`permission denied to read role ${role}`);
    return notChecked(service.message ?? 'the service was not asked');
  },
  network: ({ client, notTried, target }) => {
    if (client === undefined) return notChecked(notTried ?? 'no login was tried');
    return client.hostKey.key === undefined && client.methods === undefined
      ? notChecked('the log does not say')
      : ok(`connected to ${target.host} port ${target.port}`);
  },
  'host-key': ({ client, notTried }) => {
    const { key, certificate } = client?.hostKey ?? {};
    if (key === undefined) return notChecked(client === undefined ? (notTried ?? '') : 'not received');
    const what = certificate === undefined ? 'known' : `certificate "${certificate.id}" of a trusted CA`;
    return ok(`${what} (${key.fingerprint})`);
  },
  'jump-host': ({ client, notTried, target }) => {
    if (client === undefined) return notChecked(notTried ?? '');
    const passed = target.jumpHosts.slice(0, client.authenticated);
    return passed.length === target.jumpHosts.length
      ? ok(`${passed.join(', ')} accepted the login`)
      : notChecked(`only ${passed.join(', ') || 'none'} accepted the login`);
  },
  key: (facts) => {
    const { chosen } = facts.keys;
    if (chosen === undefined)
      return notChecked(
        facts.method === 'ca' ? notSigned : 'no key file of this machine is in use; add --key FILE',
      );
    if (needsPassphrase(facts))
      return notChecked(
        `${chosen.path} has a passphrase: run \`ssh-add ${chosen.path}\`, then this command again`,
      );
    const where = { 'in the agent': ' in the ssh-agent', 'in memory': ', in memory' } as const;
    const place = chosen.privateKey in where ? where[chosen.privateKey as keyof typeof where] : '';
    return ok(`${chosen.path}${place} (${chosen.fingerprint ?? 'fingerprint not known'})`);
  },
  certificate: ({ keys, now, method }) => {
    const certificate = keys.chosen?.certificate;
    if (certificate === undefined)
      return notChecked(method === 'ca' ? notSigned : 'no certificate was seen; add --key FILE');
    const { keyId, validBefore } = certificate;
    const until =
      validBefore === undefined
        ? 'without end'
        : `until ${formatTimestamp(new Date(validBefore * 1000))} (${relativeTime(validBefore - now)})`;
    return ok(`"${keyId}", valid ${until}`);
  },
  principals: (facts) => {
    const principals = facts.keys.chosen?.certificate?.principals;
    if (principals === undefined) return notChecked('no certificate was seen');
    const list = principals.join(', ') || 'none';
    if (isAccepted(facts)) return ok(`${list}: accepted for ${facts.target.user}`);
    if (facts.host !== undefined && !facts.host.isConditional('authorizedprincipalsfile'))
      return facts.host.values('authorizedprincipalscommand').length > 0
        ? notChecked('AuthorizedPrincipalsCommand of the host was not run')
        : ok(`${list}: permitted for ${facts.target.user}`);
    return notChecked(`${list}; whether the host has AuthorizedPrincipalsFile, ${onHostOnly}`);
  },
  'source-address': (facts) => {
    const certificate = facts.keys.chosen?.certificate;
    if (certificate === undefined) return notChecked('no certificate was seen');
    const allowed = certificate.criticalOptions.find(([name]) => name === 'source-address')?.[1];
    if (allowed === undefined) return ok('any address is permitted');
    if (isAccepted(facts) || facts.isOutsideSourceAddress === false) return ok(`permitted from ${allowed}`);
    return notChecked(`permitted from ${allowed}; the address that the host sees is not known`);
  },
  ca: (facts) => {
    const ca = facts.keys.chosen?.certificate?.signingCa.fingerprint;
    if (ca === undefined) return notChecked('no certificate was seen');
    return isAccepted(facts) || facts.host?.trustedFingerprints.includes(ca)
      ? ok(`the host trusts ${ca}`)
      : notChecked(`whether the host trusts ${ca}, ${onHostOnly}`);
  },
  revocation: (facts) => {
    if (isAccepted(facts) || facts.host?.isRevoked === false) return ok('not revoked');
    const { host } = facts;
    if (host !== undefined && host.revokedKeys === undefined && !host.isConditional('revokedkeys'))
      return ok('RevokedKeys is not set');
    return notChecked(host === undefined ? onHostOnly : 'no certificate was given (--key)');
  },
  sshd: (facts) =>
    isAccepted(facts) || facts.host !== undefined
      ? ok(
          `permits ${facts.target.user} to log in${facts.host?.source === 'file' ? ' (Match blocks were not evaluated)' : ''}`,
        )
      : notChecked(onHostOnly),
  account: (facts) =>
    isAccepted(facts) || (facts.host?.account !== undefined && facts.host.account !== null)
      ? ok(`${facts.target.user} exists`)
      : notChecked(onHostOnly),
  'one-time-password': (facts) => {
    if (isAccepted(facts)) return ok('accepted by the host, and used');
    return notChecked(facts.notTried ?? 'none was sent to the host');
  },
  login: (facts) => {
    const { client, server, isTried, target, notTried } = facts;
    if (isAccepted(facts)) return ok(`the host accepts ${target.user}${isTried ? '' : ', by the log'}`);
    if (needsPassphrase(facts)) return notChecked('ssh would prompt for the passphrase of the key');
    if (client?.isPartial)
      return notChecked(`the host accepts the key, and also asks for ${client.methods?.join(', ')}`);
    if (client === undefined && server === undefined) return notChecked(notTried ?? 'no login was tried');
    return notChecked(isRejected(facts) ? 'rejected, see above' : 'the login did not get that far');
  },
  terminal: (facts) => {
    if (!facts.wantsTerminal) return ok('not requested');
    const certificate = facts.keys.chosen?.certificate;
    if (certificate === undefined) return notChecked('no certificate was seen');
    const isForced = certificate.criticalOptions.some(([name]) => name === 'force-command');
    if (certificate.extensions.some(([name]) => name === 'permit-pty')) return ok('permitted (permit-pty)');
    return notChecked(isForced ? 'the certificate runs one command only' : 'the login was not accepted');
  },
};
