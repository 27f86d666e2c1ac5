import type { ClientSettings } from '../../../../ssh/types.ts';
import type { Role } from './connect-role.ts';
import type { SshArguments } from './ssh-arguments.ts';

/** What the host has to permit for what the arguments and ssh_config ask of it. */
export function neededExtensions(settings: ClientSettings, { hasCommand }: SshArguments): string[] {
  const is = (name: string, ...values: readonly string[]): boolean =>
    values.includes(settings.value(name) ?? '');
  const isSet = (name: string): boolean => !is(name, '', 'none', 'no', 'false');
  const hasNoShell = hasCommand || isSet('remotecommand') || is('sessiontype', 'none', 'subsystem');
  const wantsPty = is('requesttty', 'yes', 'true', 'force') || (is('requesttty', 'auto') && !hasNoShell);
  // Later sessions over a shared connection have what its first one was permitted.
  const isMaster = isSet('controlmaster') && isSet('controlpath');
  // What -W sets; ssh does not say more of it.
  const isForwardingOnly =
    is('sessiontype', 'none') && is('clearallforwardings', 'yes') && is('exitonforwardfailure', 'yes');
  const forwards = ['localforward', 'remoteforward', 'dynamicforward'].some(isSet);
  return [
    ...(wantsPty || isMaster ? ['permit-pty'] : []),
    ...((forwards && !is('clearallforwardings', 'yes')) || isForwardingOnly
      ? ['permit-port-forwarding']
      : []),
    ...(isSet('forwardx11') ? ['permit-X11-forwarding'] : []),
    ...(isSet('forwardagent') ? ['permit-agent-forwarding'] : []),
  ];
}

/**
 * The extensions to ask for, of those that are needed.
 *
 * Asking for none gets those that the role gives by default, which may be all; so where nothing is needed, the one
 * that permits the least is asked for.
 *
 * @returns `refused` are those that the role does not allow.
 */
export function extensionsToRequest(
  needed: readonly string[],
  { allowedExtensions: allowed, hasDefaultExtensions }: Role,
): { readonly requested: readonly string[]; readonly rejected: readonly string[] } {
  if (needed.length === 0 && hasDefaultExtensions === false) return { requested: [], rejected: [] };
  const desired = needed.length === 0 ? ['permit-pty'] : needed;
  if (allowed === undefined || allowed.includes('*')) return { requested: desired, rejected: [] };
  const possible = desired.filter((name) => allowed.includes(name));
  return {
    requested: possible,
    // A role that allows nothing to be asked for gives its own.
    rejected: allowed.length === 0 ? [] : needed.filter((name) => !allowed.includes(name)),
  };
}
