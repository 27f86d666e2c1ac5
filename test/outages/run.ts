/**
 * Runs commands of all classes against a cluster while its servers are killed, and compares what each of them reports
 * with what the cluster has. Needs the built program.
 *
 *     npm run outages -- --service registry --addresses URL,URL,URL --token-env NAME \
 *       --outage COMMAND [--commands N] [--every SECONDS] [--workers N] [--applies N]
 *
 * COMMAND kills a server and starts it again; it runs every so many seconds. With `--applies`, a set of objects is
 * applied instead until a server was killed during so many applies, one in each. Prints exit codes and every command
 * whose report was not true; exits with 1 if there is one.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ServiceName } from '../../src/wire/services.ts';
import { applying } from './applies.ts';
import { sets } from './sets.ts';
import { type Ask, type Line, subjects } from './subjects.ts';
import { type Ended, type Judged, judge } from './truth.ts';

const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    addresses: { type: 'string' },
    'token-env': { type: 'string' },
    outage: { type: 'string' },
    commands: { type: 'string', default: '500' },
    every: { type: 'string', default: '12' },
    workers: { type: 'string', default: '2' },
    applies: { type: 'string', default: '0' },
  },
});
const service = values.service as ServiceName;
const addresses = (values.addresses ?? '').split(',');
const token = process.env[values['token-env'] ?? ''] ?? '';
const home = mkdtempSync(join(tmpdir(), 'lanyard-outages-'));
const program = join(import.meta.dirname, '../../bin/lanyard.js');
const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  LANYARD_CONFIG_DIR: join(home, 'config'),
  LANYARD_KEYRING: 'off',
  TOKEN: token,
};

const run = ({ argv, stdin }: Line, onStdout?: (text: string) => void): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: home,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      onStdout?.(String(chunk));
    });
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.end(stdin ?? '');
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });

const headers = { 'X-Vault-Token': token, 'X-Consul-Token': token, 'X-Nomad-Token': token };
/** A standby of the secrets service may be behind. */
const isActive = async (address: string | undefined): Promise<boolean> =>
  service !== 'secrets' || (await fetch(`${address}/v1/sys/health`).catch(() => undefined))?.status === 200;

let first = 0;
const ask: Ask = async (path) => {
  for (let tried = 0; tried < addresses.length; tried += 1) {
    const response = (await isActive(addresses[first]))
      ? await fetch(`${addresses[first]}${path}`, { headers }).catch(() => undefined)
      : undefined;
    if (response && (response.ok || response.status === 404)) {
      const text = await response.text();
      return {
        status: response.status,
        json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
      };
    }
    first = (first + 1) % addresses.length;
  }
  throw new Error(`no server responds to ${path}`);
};

let outages = 0;
const causeOutage = async (): Promise<void> => {
  await new Promise((resolve) =>
    spawn('sh', ['-c', values.outage ?? 'true'], { stdio: 'inherit' }).on('close', resolve),
  );
  outages += 1;
};

await run({
  argv: [
    ...['profile', 'put', 'cluster', `${service}.address=${addresses[0]}`],
    ...[`${service}.addresses=${addresses.join(',')}`, `${service}.token=env://TOKEN`],
  ],
});
await run({ argv: ['profile', 'use', 'cluster'] });

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const runId = Date.now().toString(36);

const known = (message: string): string =>
  message
    .replaceAll(/lanyard-(?:outage|apply)-[\w-]+/g, 'NAME')
    .replaceAll(/[\d.]+ s\b/g, 'N s')
    .trimEnd();

/** Prints each text once, with its number. */
function printCounted(texts: readonly string[]): void {
  const counts = Map.groupBy(texts, (text) => text);
  for (const [text, { length }] of counts) print(`${length} x ${text}`);
}

/** Commands of all classes. @returns how many reports were not true. */
async function tryCommands(): Promise<number> {
  const over = new AbortController();
  const causeOutages = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(Number(values.every) * 1000, undefined, { signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await causeOutage();
    }
  };
  const results = new Map<string, Judged[]>();
  let commands = 0;
  const makers = subjects[service] ?? [];
  const work = async (worker: number): Promise<void> => {
    for (let round = 0; commands < Number(values.commands); round += 1) {
      const name = `lanyard-outage-${runId}-${worker}-${round}`;
      const subject = makers[(round + worker) % makers.length]?.(name);
      if (!subject) throw new Error(`no objects of ${service}`);
      const judged = await judge(subject, name, { run, ask, random: Math.random });
      commands += judged.codes.length;
      results.set(subject.kind, [...(results.get(subject.kind) ?? []), judged]);
      for (const { argv, why, history } of judged.untrue)
        print(`UNTRUE ${argv.join(' ')}: ${why}\n${history.join('')}`);
    }
  };

  const outage = causeOutages();
  await Promise.all(Array.from({ length: Number(values.workers) }, (_, worker) => work(worker)));
  over.abort();
  await outage;
  let untrue = 0;
  for (const [kind, all] of results) {
    const codes = new Map<number, number>();
    for (const code of all.flatMap((judged) => judged.codes)) codes.set(code, (codes.get(code) ?? 0) + 1);
    untrue += all.reduce((sum, judged) => sum + judged.untrue.length, 0);
    const stale = all.reduce((sum, judged) => sum + judged.stale, 0);
    const listed = [...codes]
      .sort(([one], [other]) => one - other)
      .map(([code, count]) => `${count} x ${code}`);
    print(`${kind}: ${listed.join(', ')}${stale > 0 ? `; ${stale} stale reads` : ''}`);
  }
  printCounted([...results.values()].flat().flatMap((judged) => judged.messages.map(known)));
  print(`${commands} commands`);
  return untrue;
}

const isListening = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', end(true)).on('error', end(false));
  });

/** Applies of a set, each with an outage. @returns how many reports were not true. */
async function tryApplies(): Promise<number> {
  const kinds = sets[service];
  if (!kinds) throw new Error(`no set of ${service}`);
  const apply = await applying(kinds, runId, {
    run: (argv, onStdout) => run({ argv }, onStdout),
    write(path, content) {
      mkdirSync(join(home, dirname(path)), { recursive: true });
      writeFileSync(join(home, path), content);
    },
    clear: (directory) => rmSync(join(home, directory), { recursive: true, force: true }),
    ask,
    async outage(isEnded) {
      let isOver = false;
      const outage = causeOutage().then(() => {
        isOver = true;
      });
      let wasGone = false;
      while (!wasGone && !isEnded() && !isOver) {
        const listening = await Promise.all(addresses.map(isListening));
        wasGone = !isEnded() && listening.includes(false);
        await sleep(20);
      }
      await outage;
      return wasGone;
    },
    random: Math.random,
  });
  let inside = 0;
  let untrue = 0;
  const ended: string[] = [];
  for (let version = 1; inside < Number(values.applies); version += 1) {
    const judged = await apply(version);
    if (judged.isInside) inside += 1;
    untrue += judged.untrue.length;
    ended.push(`exit code ${judged.code}${judged.isInside ? '' : ', no server ended during it'}`);
    print(`${version}: ${ended.at(-1)}${judged.code === 0 ? '' : `\n${known(judged.stderr)}`}`);
    for (const line of judged.untrue) print(`UNTRUE ${line}`);
  }
  printCounted(ended);
  print(`${ended.length} applies, ${inside} with an outage during it`);
  return untrue;
}

const startedAt = performance.now();
const untrue = await (Number(values.applies) > 0 ? tryApplies() : tryCommands());
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
print(`${outages} outages, ${seconds} s: ${untrue} untrue`);
rmSync(home, { recursive: true, force: true });
process.exitCode = untrue > 0 ? 1 : 0;
