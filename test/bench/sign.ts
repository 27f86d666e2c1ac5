import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareCpu, compareWall, type Program, peakMemory, works } from './harness.ts';
import { clients, installed, isPackaged, nothing } from './programs.ts';
import { type Benchmark, type Finding, memory, timed } from './report.ts';
import { prepareAuthority, type Services, signRequest, withServices } from './services.ts';

/** One call from start to exit, against the least that does the same. */
export const sign: Benchmark = {
  title: 'To sign one key: against a bare node:http POST of the same body, and curl',
  run: (say) => withServices(say, (services) => compareClients(services, say)),
};

async function compareClients(services: Services, say: (line: string) => void): Promise<Finding[]> {
  await prepareAuthority(services, 'ed25519', 0);
  const { publicKey, body } = signRequest();
  const key = join(services.folder, 'bench.pub');
  const file = join(services.folder, 'body.json');
  await writeFile(key, publicKey);
  await writeFile(file, body);

  const url = `${services.secrets}/v1/ssh/sign/bench`;
  const script = (name: string): Program => ({
    name,
    command: process.execPath,
    args: [fileURLToPath(new URL(name, import.meta.url)), url, services.token, file],
  });
  // The promise's floor is a module (docs/adr/0007); the CommonJS script beside it starts quicker still.
  const bare = script('post.mjs');
  const leanest = script('post.cjs');
  const curl: Program = {
    name: 'curl',
    command: 'curl',
    args: ['-sSf', '-H', `X-Secrets-Token: ${services.token}`, '-d', `@${file}`, url],
  };
  // A configuration folder of its own, and address and token from the environment, as in a CI job.
  const env = {
    LANYARD_CONFIG_DIR: join(services.folder, 'none'),
    LANYARD_SECRETS_ADDR: services.secrets,
    LANYARD_SECRETS_TOKEN: services.token,
  };
  const profile = { LANYARD_CONFIG_DIR: services.folder };
  const args = ['ssh', 'sign', 'bench', '--key', key, '--principals', 'bench', '--out', '-'];

  const findings: Finding[] = [];
  for (const program of [...clients(say, args, env), installed(args, profile)]) {
    const how = isPackaged(program) ? ', packaged' : program.env === profile ? ', active profile' : '';
    const what = `ssh sign${how}`;
    findings.push(timed(what, compareWall(program, bare), isPackaged(program) ? 1.6 : 2));
    findings.push(timed(`${what}, processor time`, compareCpu(program, bare)));
    findings.push(timed(`${what}, against CommonJS`, compareWall(program, leanest)));
    if (works(curl)) findings.push(timed(`${what}, against curl`, compareWall(program, curl)));
    findings.push(memory(what, await peakMemory(program), await peakMemory(nothing), 1.5));
  }
  return findings;
}
