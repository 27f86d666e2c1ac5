import type { Context } from '../../../../command/context.ts';
import { shellWord } from '../../../../wire/printable.ts';
import { defaultConfig, type HostPaths } from './paths.ts';

/** Settings from variables that the timer needs too; they are paths and names, not secrets. */
const keptSettings = ['caCert', 'caPath', 'clientCert', 'clientKey', 'serverName'] as const;

/** The command that a timer runs, with its environment. */
export interface RenewCommand {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The command that renews this host with the same profile or address. Variables with paths and names are kept;
 * a warning names others.
 */
export async function renewCommand(paths: HostPaths, ctx: Context): Promise<RenewCommand> {
  const { profile, address, namespace, from } = await ctx.api.settings('secrets');
  const variables = Object.entries(from).filter(([, source]) => /^[A-Z_]+$/.test(source));
  const isKept = (setting: string): boolean => (keptSettings as readonly string[]).includes(setting);
  const own = [
    'LANYARD_CONFIG_DIR',
    ...variables.flatMap(([setting, name]) => (isKept(setting) ? [name] : [])),
  ];
  for (const [setting, name] of variables)
    if (!isKept(setting) && !['address', 'namespace'].includes(setting))
      ctx.output.warn(`${name} is not used by renewals: set it in a profile with "lanyard profile put"`);
  return {
    words: [
      ...(await ctx.system.installedCommand()),
      ...['ssh', 'host', 'renew'],
      ...(paths.config === defaultConfig ? [] : ['--sshd-config', paths.config]),
      ...(profile === undefined ? ['--address', address] : ['--profile', profile]),
      ...(namespace === undefined || namespace === '' ? [] : ['--namespace', namespace]),
      ...['--quiet', '--no-input'],
    ],
    environment: Object.fromEntries(
      own.flatMap((name) => (ctx.system.env[name] ? [[name, ctx.system.env[name]]] : [])),
    ),
  };
}

/** A word in a unit file (systemd.service(5), "Command lines"; systemd.syntax(7), "Quoting"). */
function unitWord(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(escaped) ? escaped : `"${escaped.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** An assignment of `Environment=`, in which `$` is not special. */
const unitAssignment = (name: string, value: string): string =>
  `Environment="${name}=${value.replaceAll('%', '%%').replaceAll(/["\\]/g, '\\$&')}"`;

const unitHeader = '# Written by "lanyard ssh host enroll"; "lanyard ssh host remove" removes it.';

/**
 * The service and timer units of systemd. The timer has a fixed random delay, so that hosts spread over the hour and each
 * keeps its minute. The service may write below the directory of sshd only.
 */
export function unitFiles(paths: HostPaths, { words, environment }: RenewCommand) {
  const service = [
    unitHeader,
    '[Unit]',
    'Description=Renew the SSH host certificate, user CA keys and revocation list',
    'Documentation=man:lanyard-ssh-host-renew(1)',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=${words.map(unitWord).join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => unitAssignment(name, value)),
    'TimeoutStartSec=5min',
    'UMask=0077',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    // The second one is created by sshd's own service, and may be missing.
    `ReadWritePaths=${unitWord(paths.directory)} -/run/sshd`,
    'ProtectHome=read-only',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'ProtectClock=yes',
    'ProtectControlGroups=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    '',
  ];
  const timer = [
    unitHeader,
    '[Unit]',
    'Description=Renew the SSH host certificate, user CA keys and revocation list every hour',
    '',
    '[Timer]',
    'OnCalendar=hourly',
    'RandomizedDelaySec=1h',
    'FixedRandomDelay=yes',
    'Persistent=yes',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ];
  return { service: service.join('\n'), timer: timer.join('\n') };
}

/** A line of /etc/cron.d that does the same, at a random minute. @param random a byte. */
export function cronLine({ words, environment }: RenewCommand, random: number): string {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`);
  const command = [...assignments, ...words.map(shellWord)].join(' ').replaceAll('%', '\\%');
  return `${random % 60} * * * * root ${command}`;
}

/** What systemd knows about a timer. */
export interface TimerState {
  readonly active: boolean;
  readonly enabled: boolean;
  /** ISO 8601; null: not scheduled. */
  readonly next: string | null;
  /** `success`, or why the last run failed; null: it has not run. */
  readonly lastResult: string | null;
}

/** Whether systemd runs this machine, and not only is installed. */
export async function hasSystemd({ system }: Pick<Context, 'system'>): Promise<boolean> {
  const ran = await system.readOutput({ command: 'systemctl', args: ['is-system-running'] });
  return ran !== undefined && !['', 'offline', 'unknown'].includes(ran.stdout.trim());
}

/** @returns undefined: systemd does not run. */
export async function readTimer(unit: string, ctx: Pick<Context, 'system'>): Promise<TimerState | undefined> {
  if (!(await hasSystemd(ctx))) return undefined;
  const show = async (name: string, properties: string): Promise<Readonly<Record<string, string>>> => {
    const args = ['show', name, `--property=${properties}`, '--timestamp=unix'];
    const ran = await ctx.system.readOutput({ command: 'systemctl', args });
    const pairs = (ran?.stdout ?? '').split('\n').map((line) => /^(\w+)=(.*)$/.exec(line) ?? []);
    return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
  };
  const timer = await show(`${unit}.timer`, 'ActiveState,UnitFileState,NextElapseUSecRealtime');
  const service = await show(`${unit}.service`, 'Result,ExecMainStartTimestamp');
  const next = /^@(\d+)/.exec(timer.NextElapseUSecRealtime ?? '')?.[1];
  return {
    active: timer.ActiveState === 'active',
    enabled: timer.UnitFileState === 'enabled',
    next: next === undefined ? null : new Date(Number(next) * 1000).toISOString(),
    lastResult: service.ExecMainStartTimestamp ? (service.Result ?? null) : null,
  };
}
