import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareCpu, compareWall } from './harness.ts';
import { clients, isPackaged, nothing } from './programs.ts';
import { type Benchmark, type Finding, timed } from './report.ts';

/** What ssh waits for before each login of a host of `ssh config`, as long as the certificate is fresh. */
export const fresh: Benchmark = {
  title: 'To see that a certificate is fresh (ssh sign --if-needed): against node -e 0',
  async run(say) {
    const folder = mkdtempSync(join(tmpdir(), 'lanyard-bench-'));
    const keygen = (...args: readonly string[]) =>
      execFileSync('ssh-keygen', ['-q', ...args], { cwd: folder });
    try {
      for (const name of ['ca', 'key']) keygen('-t', 'ed25519', '-N', '', '-f', name);
      keygen('-s', 'ca', '-I', 'bench', '-n', 'bench', '-V', '+1d', 'key.pub');
      const args = ['ssh', 'sign', 'bench', '--if-needed', '--key', join(folder, 'key.pub')];
      const findings: Finding[] = [];
      for (const program of clients(say, args)) {
        const what = program.name.replace(` --key ${join(folder, 'key.pub')}`, '');
        const most = isPackaged(program) ? 1.15 : 2;
        findings.push(timed(what, compareWall(program, nothing), most));
        findings.push(timed(`${what}, processor time`, compareCpu(program, nothing)));
      }
      return findings;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
