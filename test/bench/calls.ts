import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compareCpu, compareWall, type Program, peakMemory, works } from './harness.ts';
import { clients, installed, isPackaged, nothing } from './programs.ts';
import { type Benchmark, type Finding, memory, timed } from './report.ts';

/** A product's own program, and the server that both programs call. */
interface Peer {
  /** The program, unless LANYARD_BENCH_<NAME> names another file. */
  readonly program: string;
  /** The variable with the server's address, which both programs read. */
  readonly address: string;
  /** The header and the variable of the token. */
  readonly token: readonly [header: string, variable: string];
  /** Creates what the calls read, and removes it. */
  readonly before: readonly (readonly string[])[];
  readonly after: readonly (readonly string[])[];
  readonly calls: readonly Call[];
}

interface Call {
  /** Arguments of Lanyard. */
  readonly ours: readonly string[];
  /** Arguments of the product's program. */
  readonly theirs: readonly string[];
  /** The path of the same request. */
  readonly path: string;
}

const name = 'lanyard-bench';
const method = process.env.BOUNDARY_AUTH_METHOD_ID ?? '';

const peers: readonly Peer[] = [
  {
    program: 'nomad',
    address: 'NOMAD_ADDR',
    token: ['X-Nomad-Token', 'NOMAD_TOKEN'],
    before: [['var', 'put', name, 'user=app']],
    after: [['var', 'delete', name, '--yes']],
    calls: [
      {
        ours: ['var', 'get', name, '-o', 'json'],
        theirs: ['var', 'get', '-out=json', name],
        path: `/v1/var/${name}`,
      },
    ],
  },
  {
    program: 'consul',
    address: 'CONSUL_HTTP_ADDR',
    token: ['X-Consul-Token', 'CONSUL_HTTP_TOKEN'],
    before: [['registry', 'kv', 'put', name, 'value']],
    after: [['registry', 'kv', 'delete', name, '--yes']],
    calls: [
      { ours: ['registry', 'kv', 'get', name], theirs: ['kv', 'get', name], path: `/v1/kv/${name}` },
      { ours: ['query', 'list'], theirs: ['catalog', 'datacenters'], path: '/v1/query' },
    ],
  },
  {
    program: 'bao',
    address: 'BAO_ADDR',
    token: ['X-Vault-Token', 'BAO_TOKEN'],
    before: [
      ['kv', 'put', `secret/${name}`, 'user=app'],
      ['secrets', 'mount', 'enable', 'ssh', '--path', name],
      ['ssh', 'role', 'put', 'bench', '--mount', name, '--key-type', 'otp', '--default-user', 'app'],
    ],
    after: [
      ['kv', 'metadata', 'delete', `secret/${name}`, '--yes'],
      ['secrets', 'mount', 'disable', name, '--yes'],
    ],
    calls: [
      {
        ours: ['kv', 'get', `secret/${name}`],
        theirs: ['kv', 'get', '-mount=secret', name],
        path: `/v1/secret/data/${name}`,
      },
      {
        ours: ['ssh', 'role', 'list', '--mount', name],
        theirs: ['list', `${name}/roles`],
        path: `/v1/${name}/roles?list=true`,
      },
    ],
  },
  {
    program: 'boundary',
    address: 'BOUNDARY_ADDR',
    token: ['Authorization', 'BOUNDARY_TOKEN'],
    before: [],
    after: [],
    calls: [
      {
        ours: ['account', 'list', '--auth-method', method],
        theirs: ['accounts', 'list', '-auth-method-id', method, '-token', 'env://BOUNDARY_TOKEN'],
        path: `/v1/accounts?auth_method_id=${method}`,
      },
    ],
  },
];

/** One call from start to exit, against the products' own programs on the same server. */
export const calls: Benchmark = {
  title: "One call: against the products' own programs, and a bare node:http GET of the same",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-'));
    // Addresses and tokens come from the variables of the products alone.
    const env = { LANYARD_CONFIG_DIR: folder, LANYARD_KEYRING: 'off' };
    const findings: Finding[] = [];
    try {
      for (const peer of peers) findings.push(...(await compareWith(peer, env, say)));
    } finally {
      await rm(folder, { recursive: true });
    }
    return findings;
  },
};

async function compareWith(
  peer: Peer,
  env: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Finding[]> {
  const command = process.env[`LANYARD_BENCH_${peer.program.toUpperCase()}`] ?? peer.program;
  const address = process.env[peer.address];
  if (!address) {
    say(`${peer.program}: left out, because ${peer.address} is not set`);
    return [];
  }
  const run = (args: readonly string[]): boolean => works({ ...installed(args, env) });
  const theirProgram = (args: readonly string[]): Program => ({
    name: `${peer.program} ${args[0]}`,
    command,
    args,
  });
  if (spawnSync(command, ['version'], { stdio: 'ignore' }).status !== 0) {
    say(`${peer.program}: left out, because the program ${command} does not run`);
    return [];
  }
  try {
    const unmade = peer.before.find((args) => !run([...args, '--yes']));
    if (unmade) {
      say(`${peer.program}: left out, because "lanyard ${unmade.join(' ')}" failed`);
      return [];
    }
    const findings: Finding[] = [];
    for (const call of peer.calls)
      for (const program of clients(say, call.ours, env))
        findings.push(...(await compareCall(peer, call, address, program, theirProgram(call.theirs))));
    return findings;
  } finally {
    for (const args of peer.after) run(args);
  }
}

async function compareCall(
  { token: [header, variable] }: Peer,
  { path }: Call,
  address: string,
  program: Program,
  peer: Program,
): Promise<Finding[]> {
  const given = process.env[variable] ?? '';
  const token = header === 'Authorization' ? `Bearer ${given}` : given;
  const url = new URL(path, address).href;
  const bare: Program = {
    name: 'node:http',
    command: process.execPath,
    args: [fileURLToPath(new URL('get.cjs', import.meta.url)), url, header, token],
  };
  const room = (): Promise<void> => waitForRateLimit(url, { [header]: token });
  const bound = (most: number): number | undefined => (isPackaged(program) ? most : undefined);
  await room();
  const wall = timed(`${program.name}, against ${peer.name}`, compareWall(program, peer), bound(1.2));
  await room();
  const cpu = timed(`${program.name}, against ${peer.name}, processor time`, compareCpu(program, peer));
  await room();
  const least = timed(`${program.name}, against node:http`, compareWall(program, bare), bound(1.3));
  await room();
  const held = memory(program.name, await peakMemory(program), await peakMemory(nothing), bound(1.5));
  return [wall, cpu, least, held];
}

/** More than the requests of one comparison. */
const requestsOfComparison = 60;

/**
 * Waits until the server allows the requests of one comparison: Boundary allows 150 in 30 seconds for one token, and
 * then responds with 429, after which every client waits.
 */
async function waitForRateLimit(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  const limit = response.headers.get('ratelimit') ?? '';
  const [remaining, reset] = ['remaining', 'reset'].map((field) =>
    Number(new RegExp(`\\b${field}=(\\d+)`).exec(limit)?.[1]),
  );
  if (remaining !== undefined && reset !== undefined && remaining < requestsOfComparison)
    await delay((reset + 1) * 1000);
}
