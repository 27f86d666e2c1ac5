import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { LanyardError, usage } from '../../errors.ts';
import type { ClientSettings } from '../types.ts';
import { isAuthenticated } from './client-log.ts';

interface ProcessEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A login to try. */
export interface Attempt {
  /** Options as `-o` takes them, before those of the user. */
  readonly options: readonly string[];
  /** Destination and options of the user. */
  readonly argv: readonly string[];
  /** Variables in addition to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** How many jump hosts accept a login before the host. */
  readonly hops: number;
  /** ssh may prompt by askpass. */
  readonly prompts?: boolean;
  /** Host keys that are not known are accepted, and not written to known_hosts. */
  readonly trustsUnknownHosts?: boolean;
  readonly onStart?: (pid: number) => void;
}

/** For a connection, without ConnectTimeout. */
const connectTimeoutSeconds = 10;
/** For the complete login. */
const loginTimeoutMs = 60_000;

/**
 * What a login must not do: run anything, forward anything, use or leave a shared connection, write to known_hosts or the
 * agent.
 */
const harmless = [
  ...['RequestTTY=no', 'RemoteCommand=none', 'PermitLocalCommand=no', 'Tunnel=no'],
  ...['ClearAllForwardings=yes', 'ForwardAgent=no', 'ForwardX11=no'],
  ...['ControlMaster=no', 'ControlPath=none', 'UpdateHostKeys=no', 'AddKeysToAgent=no'],
];

/**
 * Logs in with `ssh -v` and ends the connection as soon as the host has accepted. Nothing is run on the host, and ssh
 * writes no file.
 *
 * @returns the output of ssh, for readClientLog.
 * @throws LanyardError usage: ssh cannot be run; interrupted.
 */
export function attemptLogin(attempt: Attempt, { cwd, env, signal }: ProcessEnvironment): Promise<string> {
  const { options, argv, hops, prompts = false, trustsUnknownHosts = false } = attempt;
  const unattended = prompts ? [] : ['BatchMode=yes'];
  const hostKeys = trustsUnknownHosts
    ? ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null']
    : ['StrictHostKeyChecking=yes'];
  const all = [...harmless, ...unattended, ...hostKeys, ...options];
  const args = ['-v', '-N', ...all.flatMap((option) => ['-o', option]), ...argv];
  return new Promise((done, failed) => {
    const child = spawn('ssh', args, {
      cwd,
      env: { ...env, ...attempt.env },
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const timer = setTimeout(() => child.kill(), loginTimeoutMs);
    let text = '';
    child.once('spawn', () => attempt.onStart?.(child.pid ?? 0));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').filter(isAuthenticated).length > hops) child.kill();
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (signal.aborted) return failed(new LanyardError('interrupted', 'interrupted'));
      const problem = error.code === 'ENOENT' ? 'command not found' : error.code;
      failed(
        usage(`cannot run ssh: ${problem}`, { hint: 'Install the OpenSSH client, version 8.5 or later.' }),
      );
    });
    child.once('close', () => {
      clearTimeout(timer);
      if (signal.aborted) failed(new LanyardError('interrupted', 'interrupted'));
      else done(text);
    });
  });
}

/** The options that depend on the settings: a limit for the connection, and what only newer versions of ssh have. */
export const attemptOptions = ({ value }: ClientSettings): string[] => [
  ...((value('connecttimeout') ?? 'none') === 'none' ? [`ConnectTimeout=${connectTimeoutSeconds}`] : []),
  ...(value('forkafterauthentication') === undefined ? [] : ['ForkAfterAuthentication=no']),
];

/**
 * The address of this machine that a connection to an address starts from; another one if a router translates it. Nothing
 * is sent.
 *
 * @returns undefined: not known.
 */
export const findLocalAddress = (address: string): Promise<string | undefined> =>
  new Promise((done) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (found: string | undefined): void => {
      socket.close();
      done(found);
    };
    socket.once('error', () => end(undefined));
    socket.connect(22, address, () => end(socket.address().address));
  });
