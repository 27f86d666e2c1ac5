import type { ClientSettings } from '../../../../ssh/types.ts';
import type { Role } from './connect-role.ts';
import type { SshArguments } from './ssh-arguments.ts';

/** The extensions that the arguments and ssh_config require. */
export function neededExtensions(settings: ClientSettings, { hasCommand }: SshArguments): string[] {
  const is = (name: string, ...values: readonly string[]): boolean =>
    values.includes(settings.value(name) ?? '');
  const isSet = (name: string): boolean => !is(name, '', 'none', 'no', 'false');
  const hasNoShell = hasCommand || isSet('remotecommand') || is('sessiontype', 'none', 'subsystem');
  const wantsPty = is('requesttty', 'yes', 'true', 'force') || (is('requesttty', 'auto') && !hasNoShell);
  // Later sessions of a shared connection have the extensions of the first one.
  const isMaster = isSet('controlmaster') && isSet('controlpath');
  // The settings of -W: ssh does not report the option itself.
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
 * The extensions to request, of those that are needed.
 *
 * A request without extensions gets the defaults of the role, which may be all of them; so if none is needed, the
 * least powerful one is requested.
 *
 * @returns `rejected` are those that the role does not allow.
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
    // A role that allows no requested extensions grants its defaults.
    rejected: allowed.length === 0 ? [] : needed.filter((name) => !allowed.includes(name)),
  };
}
