import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../support/eventually.ts';
import { freePort } from '../support/ports.ts';
import { pathOf } from '../support/require.ts';

/** A real sshd on loopback. */
export interface Sshd {
  readonly port: number;
  /** What it wrote since it started, or since `mark`. */
  log(): string;
  /** Lets `log` begin here. */
  mark(): void;
  stop(): Promise<void>;
}

/**
 * Starts sshd as the current user, who is also the only one who can log in when it is not root.
 *
 * @param folder where its configuration and log go, as `NAME.conf` and `NAME.log`.
 * @param lines of the configuration, in addition to those that make it run here, or in the place of one of these.
 * @param program sshd under another name, which is that of its PAM service.
 * @throws Error with its log, when it does not start.
 */
export async function startSshd(
  folder: string,
  name: string,
  lines: readonly string[],
  program = pathOf('sshd'),
): Promise<Sshd> {
  makePrivilegeSeparationFolder();
  const logFile = join(folder, `${name}.log`);
  const configuration = join(folder, `${name}.conf`);
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  let from = 0;

  // The port that is free now may be taken by the time that sshd listens on it.
  for (let attempts = 1; ; attempts += 1) {
    const port = await freePort();
    // What comes first holds.
    writeFileSync(configuration, [...lines, ...basics(port), ''].join('\n'));
    const child = spawn(
      program,
      ['-D', '-f', configuration, '-E', logFile, ...newerOptions(configuration, program)],
      { stdio: 'ignore' },
    );
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    if (await isReady(child, () => /Server listening on/.test(log()))) {
      return {
        port,
        log: () => log().slice(from),
        mark: () => {
          from = log().length;
        },
        async stop() {
          child.kill();
          await ended;
        },
      };
    }
    child.kill();
    await ended;
    if (attempts === 3 || !/Bind to port/.test(log())) throw new Error(`sshd did not start:\n${log()}`);
    writeFileSync(logFile, '');
  }
}

// What sshd reads first is what counts.
function basics(port: number): string[] {
  return [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', 'PidFile none', 'LogLevel VERBOSE'],
    ...['StrictModes no', 'UsePAM no', 'PermitRootLogin prohibit-password', 'AuthorizedKeysFile none'],
    ...['PasswordAuthentication no', 'KbdInteractiveAuthentication no', 'MaxStartups 100'],
  ];
}

/**
 * From version 9.8 on, sshd keeps addresses out for a while that failed to log in, as these tests do; from 9.9 on,
 * its PAM service is not named after the program any more.
 */
function newerOptions(configuration: string, program: string): string[] {
  return ['PerSourcePenalties=no', `PAMServiceName=${basename(program)}`].flatMap((option) => {
    const accepted = spawnSync(pathOf('sshd'), ['-t', '-f', configuration, '-o', option]).status === 0;
    return accepted ? ['-o', option] : [];
  });
}

/** Debian's sshd, as root, wants a folder that the start of its own service makes. */
function makePrivilegeSeparationFolder(): void {
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
}

async function isReady(child: ChildProcess, hasStarted: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = Date.now() + patience;
  while (child.exitCode === null && Date.now() < end) {
    if (await hasStarted()) return true;
    await sleep(10);
  }
  return false;
}

/** A real ssh-agent that listens on the socket. */
export async function startAgent(socket: string): Promise<{ stop(): void }> {
  const child = spawn(pathOf('ssh-agent'), ['-D', '-a', socket], { stdio: 'ignore' });
  if (!(await isReady(child, () => isListening(socket)))) throw new Error('ssh-agent did not start');
  return { stop: () => void child.kill() };
}

/** The file of a socket is there a moment before anybody listens on it. */
const isListening = (socket: string): Promise<boolean> =>
  new Promise((done) => {
    const client = createConnection(socket);
    client.once('error', () => done(false));
    client.once('connect', () => {
      client.destroy();
      done(true);
    });
  });

export interface Login {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real ssh client, which reads no configuration, asks nothing, and has no agent but a given one. */
export function ssh(options: readonly string[], ...rest: readonly string[]): Promise<Login> {
  const always = [
    ...['BatchMode=yes', 'IdentitiesOnly=yes', 'GlobalKnownHostsFile=/dev/null', 'StrictHostKeyChecking=yes'],
    ...['ControlPath=none', 'ConnectTimeout=120', 'LogLevel=ERROR'],
  ];
  // What is given first is what counts.
  const argv = ['-F', '/dev/null', ...[...options, ...always].flatMap((option) => ['-o', option]), ...rest];
  const { SSH_AUTH_SOCK: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(pathOf('ssh'), argv, { env, timeout: patience }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end();
  });
}
