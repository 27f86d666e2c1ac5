import { existsSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { kinds } from '../unit/ssh/keygen.ts';
import { startSite } from './connecting.ts';
import { type Sshd, startSshd } from './openssh.ts';

const user = userInfo().username;

/** What `ssh doctor -o json` found. */
export interface Diagnosed {
  readonly code: number;
  readonly stderr: string;
  readonly login: string;
  readonly method: string;
  readonly cause: string | null;
  readonly advice: string | null;
  readonly checks: readonly {
    readonly check: string;
    readonly result: string;
    readonly cause: string | null;
    readonly message: string;
    readonly likely: boolean;
  }[];
}

export interface CertificateOptions {
  readonly principals?: readonly string[];
  /** As `ssh-keygen -V` takes it. */
  readonly validity?: string;
  /** More arguments of ssh-keygen. */
  readonly options?: readonly string[];
  readonly ca?: string;
}

/** Real hosts that trust a CA whose key the tests have, and one of the embedded services. */
export async function startDoctorSite() {
  const site = await startSite();
  const { keygen, at } = site;
  for (const name of ['ca', 'rogue', 'host-ca', 'host-key']) keygen.make(name, kinds.ed25519);
  keygen.write('all-trusted', `${keygen.read('trusted')}${keygen.read('ca.pub')}`);
  const started: Sshd[] = [];

  return {
    ...site,
    configure: site.configure,
    /** Makes a key with a certificate next to it. @returns the path of the private key. */
    certified(
      name: string,
      { principals = [user], validity = '-1m:+1h', options = [], ca = 'ca' }: CertificateOptions = {},
    ): string {
      if (!existsSync(keygen.path(name))) keygen.make(name, kinds.ed25519);
      const names = principals.length === 0 ? [] : ['-n', principals.join(',')];
      keygen.sign(ca, name, '-I', name, ...names, '-V', validity, ...options);
      return keygen.path(name);
    },
    /** Starts a host that ssh knows by this name. */
    async sshd(
      name: string,
      lines: readonly string[] = [],
      {
        trusted = 'all-trusted',
        known = keygen.read('host-key.pub') as string | null,
        ssh = [] as string[],
      } = {},
    ): Promise<Sshd> {
      const own = trusted === '' ? [] : [`TrustedUserCAKeys ${keygen.path(trusted)}`];
      const sshd = await startSshd(keygen.folder, name, [
        ...lines,
        `HostKey ${keygen.path('host-key')}`,
        ...own,
      ]);
      started.push(sshd);
      const file = keygen.write(`${name}-known`, known === null ? '' : `[127.0.0.1]:${sshd.port} ${known}`);
      site.configure(`Host ${name}`, 'HostName 127.0.0.1', `Port ${sshd.port}`, `User ${user}`, ...ssh);
      site.configure(
        `UserKnownHostsFile ${file}`,
        'GlobalKnownHostsFile /dev/null',
        'StrictHostKeyChecking yes',
      );
      site.configure('IdentityFile none');
      return sshd;
    },
    /** Runs `ssh doctor`. */
    async doctor(
      words: readonly string[],
      ssh: readonly string[] = [],
      options: Parameters<typeof at.run>[1] = {},
    ): Promise<Diagnosed> {
      const argv = ['ssh', 'doctor', ...words, '-o', 'json', '--', '-F', keygen.path('config'), ...ssh];
      const { code, stdout, stderr } = await at.run(argv, options);
      if (stdout === '') throw new Error(`${code}: ${stderr}`);
      return { code, stderr, ...JSON.parse(stdout) };
    },
    async stop(): Promise<void> {
      for (const sshd of started) await sshd.stop();
      await site.stop();
      rmSync(keygen.folder, { recursive: true, force: true });
    },
  };
}

export type DoctorSite = Awaited<ReturnType<typeof startDoctorSite>>;
