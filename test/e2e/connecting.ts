import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { listening } from '../support/ports.ts';
import { lanyardProcess, start } from '../support/process.ts';
import { pathOf } from '../support/require.ts';
import { home } from '../support/run.ts';
import { services } from '../support/services.ts';
import { done, mountCa } from '../support/ssh-ca.ts';
import { Keygen, kinds } from '../unit/ssh/keygen.ts';
import { type Sshd, startSshd } from './openssh.ts';

export const user = userInfo().username;

/** Embedded services with a CA for users and one for hosts, and real hosts to log in to. */
export type Site = Awaited<ReturnType<typeof startSite>>;

export async function startSite() {
  const at = home();
  // Of its own, so that what is left behind is seen.
  at.env.TMPDIR = at.file('tmp');
  mkdirSync(at.env.TMPDIR);
  const keygen = new Keygen();
  const running = await services(at);
  const sshds: Sshd[] = [];
  const hosts: string[] = [];
  await done(at, ['ssh', 'ca', 'create', '--key-type', 'ed25519']);
  const trusted = keygen.write('trusted', await done(at, ['ssh', 'ca', 'public-key']));
  await mountCa(at, 'hosts', ['--key-type', 'ed25519']);
  await put('deploy', '--allow-user-certificates', '--allowed-users', '*', '--allowed-extensions', '*');
  await put('any-host', '--mount', 'hosts', '--allow-host-certificates', '--allowed-domains', '*');
  await put('otp', '--key-type', 'otp', '--default-user', user, '--cidr-list', '127.0.0.0/8');

  async function put(role: string, ...flags: readonly string[]): Promise<void> {
    await done(at, ['ssh', 'role', 'put', role, ...flags]);
  }
  const argv = (words: readonly string[], ssh: readonly string[]): string[] => [
    ...['ssh', 'connect', ...words],
    ...['--', '-F', keygen.path('config'), ...ssh],
  ];

  return {
    at,
    keygen,
    put,
    rootToken: running.rootToken,
    address: running.addresses.secrets,
    /** Adds lines to the user's ssh_config. */
    configure(...lines: readonly string[]): void {
      hosts.push(...lines);
      keygen.write('config', `${hosts.join('\n')}\n`);
    },
    /** Starts a host, and makes it known to ssh by this name, with its key unless `isKnown` is false. */
    async host(name: string, lines: readonly string[] = [], { isKnown = true, service = 'sshd' } = {}) {
      keygen.make(`${name}-key`, kinds.ed25519);
      const program = service === 'sshd' ? pathOf('sshd') : keygen.path(service);
      if (service !== 'sshd') symlinkSync(pathOf('sshd'), program);
      const own = [`HostKey ${keygen.path(`${name}-key`)}`, `TrustedUserCAKeys ${trusted}`];
      const sshd = await startSshd(
        keygen.folder,
        name,
        [...own, 'Subsystem sftp internal-sftp', ...lines],
        program,
      );
      sshds.push(sshd);
      const known = keygen.write(
        `${name}-known`,
        isKnown ? `[127.0.0.1]:${sshd.port} ${keygen.read(`${name}-key.pub`)}` : '',
      );
      this.configure(`Host ${name}`, ...['HostName 127.0.0.1', `Port ${sshd.port}`, `User ${user}`]);
      this.configure(`UserKnownHostsFile ${known}`, 'GlobalKnownHostsFile /dev/null', 'LogLevel ERROR');
      return sshd;
    },
    /** Runs `ssh connect` to its end, as a process of its own. */
    connect: (words: readonly string[], ssh: readonly string[] = [], env: Record<string, string> = {}) =>
      lanyardProcess(at, argv(words, ssh), env),
    /** Starts it. */
    connecting: (words: readonly string[], ssh: readonly string[] = [], env: Record<string, string> = {}) =>
      start(at, argv(words, ssh), env),
    argv,
    /** A token that may do what a policy says and no more. */
    async tokenFor(policy: string): Promise<string> {
      const post = (path: string, body: object): Promise<string> =>
        done(at, ['api', 'secrets', 'POST', path, '--data', '-', '-o', 'json'], {
          stdin: JSON.stringify(body),
        });
      await post('sys/policies/acl/little', { policy });
      const made = await post('auth/token/create', { policies: ['little'], no_default_policy: true });
      return JSON.parse(made).auth.client_token;
    },
    /** The private folders that connections have now. */
    folders: (): string[] => readdirSync(at.file('tmp')),
    async leases(role: string): Promise<string[]> {
      const path = `sys/leases/lookup/ssh/creds/${role}`;
      // Node's HTTP server, which a test may stand before the service, does not know the method.
      const env = { LANYARD_SECRETS_ADDR: running.addresses.secrets };
      const { code, stdout, stderr } = await at.run(['secrets', 'list', path, '--output', 'json'], { env });
      if (code === 3) return [];
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout).data.keys;
    },
    async stop(): Promise<void> {
      for (const sshd of sshds) await sshd.stop();
      await running.close();
      keygen.remove();
      at.remove();
    },
  };
}

/** A port on loopback that leads to another one, which hears of a connection only after some milliseconds. */
export async function slowWay(to: number, delay: number) {
  const server = createServer((socket) => {
    const through = new Socket();
    for (const end of [socket, through]) end.on('error', () => socket.destroy());
    const timer = setTimeout(() => {
      through.connect(to, '127.0.0.1');
      socket.pipe(through).pipe(socket);
    }, delay);
    socket.once('close', () => clearTimeout(timer));
  });
  const { port } = await listening(server);
  return {
    port: String(port),
    connected: new Promise<void>((done) => server.once('connection', () => done())),
    close: () => void server.close(),
  };
}

/** Arguments and environment of every process that can be seen. */
export function processes(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ['cmdline', 'environ'].map((file) => contentsOf(join('/proc', pid, file))))
    .join('\n');
}

/** What is in the files of a folder. */
export function filesIn(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => contentsOf(join(folder, entry.name)))
    .join('\n');
}

function contentsOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It has ended, or it is another user's.
    return '';
  }
}
