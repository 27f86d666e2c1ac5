/**
 * Runs commands of all classes against a cluster while its servers are killed, and compares what each of them reports
 * with what the cluster has. Needs the built program.
 *
 *     npm run outages -- --service registry --addresses URL,URL,URL --token-env NAME \
 *       --outage COMMAND [--commands N] [--every SECONDS] [--workers N]
 *
 * COMMAND kills a server and starts it again; it runs every so many seconds. Prints exit codes and every command whose
 * report was not true; exits with 1 if there is one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ServiceName } from '../../src/wire/services.ts';
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

const run = ({ argv, stdin }: Line): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...argv], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
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

const over = new AbortController();
let outages = 0;
async function causeOutages(): Promise<void> {
  while (!over.signal.aborted) {
    await sleep(Number(values.every) * 1000, undefined, { signal: over.signal }).catch(() => undefined);
    if (over.signal.aborted) return;
    await new Promise((resolve) =>
      spawn('sh', ['-c', values.outage ?? 'true'], { stdio: 'inherit' }).on('close', resolve),
    );
    outages += 1;
  }
}

await run({
  argv: [
    ...['profile', 'put', 'cluster', `${service}.address=${addresses[0]}`],
    ...[`${service}.addresses=${addresses.join(',')}`, `${service}.token=env://TOKEN`],
  ],
});
await run({ argv: ['profile', 'use', 'cluster'] });

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const results = new Map<string, Judged[]>();
let commands = 0;
const makers = subjects[service] ?? [];
const runId = Date.now().toString(36);
async function work(worker: number): Promise<void> {
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
}

const startedAt = performance.now();
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
const messages = new Map<string, number>();
for (const message of [...results.values()].flat().flatMap((judged) => judged.messages)) {
  const known = message.replaceAll(/lanyard-outage-[\w-]+/g, 'NAME').replaceAll(/[\d.]+ s\b/g, 'N s');
  messages.set(known, (messages.get(known) ?? 0) + 1);
}
for (const [message, count] of messages) print(`${count} x ${message.trimEnd()}`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
print(`${commands} commands, ${outages} outages, ${seconds} s: ${untrue} untrue`);
rmSync(home, { recursive: true, force: true });
process.exitCode = untrue > 0 ? 1 : 0;
