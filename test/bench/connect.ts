import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Sshd, startSshd } from '../e2e/openssh.ts';
import { has, pathOf } from '../support/require.ts';
import { Keygen, kinds } from '../unit/ssh/keygen.ts';
import { compareCpu, compareWall, type Program } from './harness.ts';
import { clients, isPackaged } from './programs.ts';
import { atMost, type Benchmark, type Finding, timed } from './report.ts';
import { prepareAuthority, type Services, startServices } from './services.ts';

const most = 150;

/** A login from start to exit: a certificate that is made for it, against a key on the disk. */
export const connect: Benchmark = {
  title: 'To run a command on a host: ssh connect against plain ssh with a key on the disk',
  async run(say) {
    if (!['sshd', 'ssh', 'ssh-keygen'].every(has)) return [];
    const services = await startServices();
    const keygen = new Keygen();
    let sshd: Sshd | undefined;
    try {
      await prepareAuthority(services, 'ed25519', 0);
      sshd = await host(services, keygen);
      return compare(services, keygen, say);
    } finally {
      await sshd?.stop();
      await services.stop();
      keygen.remove();
    }
  },
};

/** A real sshd that lets in both, and the ssh_config of its user. */
async function host(services: Services, keygen: Keygen): Promise<Sshd> {
  keygen.make('host', kinds.ed25519);
  keygen.make('plain', kinds.ed25519);
  const answer = await fetch(`${services.secrets}/v1/ssh/public_key`);
  const trusted = keygen.write('trusted', await answer.text());
  const sshd = await startSshd(keygen.folder, 'sshd', [
    `HostKey ${keygen.path('host')}`,
    `TrustedUserCAKeys ${trusted}`,
    `AuthorizedKeysFile ${keygen.path('plain.pub')}`,
  ]);
  const known = keygen.write('known', `[127.0.0.1]:${sshd.port} ${keygen.read('host.pub')}`);
  const lines = ['Host bench', 'HostName 127.0.0.1', `Port ${sshd.port}`, `User ${userInfo().username}`];
  writeFileSync(join(keygen.folder, 'config'), [...lines, `UserKnownHostsFile ${known}`, ''].join('\n'));
  return sshd;
}

function compare(services: Services, keygen: Keygen, say: (line: string) => void): Finding[] {
  const configuration = ['-F', keygen.path('config')];
  const plain: Program = {
    name: 'ssh',
    command: pathOf('ssh'),
    args: [...configuration, '-i', keygen.path('plain'), '-o', 'IdentityAgent=none', 'bench', 'true'],
  };
  const env = {
    LANYARD_CONFIG_DIR: join(services.folder, 'none'),
    LANYARD_SECRETS_ADDR: services.secrets,
    LANYARD_SECRETS_TOKEN: services.token,
  };
  const args = ['ssh', 'connect', 'bench', '--role', 'bench', '--', ...configuration, 'true'];
  const findings: Finding[] = [];
  for (const program of clients(say, args, env)) {
    const what = isPackaged(program) ? 'ssh connect, packaged' : 'ssh connect';
    const seen = compareWall(program, plain);
    findings.push(timed(what, seen));
    findings.push({
      what: `${what}, more than ssh`,
      figure: `${seen.more.toFixed(1)} ms`,
      promise: atMost(seen.more, most, ' ms'),
    });
    findings.push(timed(`${what}, processor time`, compareCpu(program, plain)));
  }
  return findings;
}
