import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oneRun, processorTime } from './harness.ts';
import { drive, encoded } from './load.ts';
import { installed } from './programs.ts';
import { atMost, type Benchmark, type Finding } from './report.ts';
import { prepareAuthority, type Services, signRequest, withServices } from './services.ts';

const keys = 10_000;
const connections = 16;
/** The share of the ceiling that is promised. A signature of RSA takes the service longer, the client as long. */
const leastShare = { ed25519: 0.5, rsa: 0.8 } as const;

/** How near `ssh sign --batch` comes to what the service can sign, and what memory it takes. */
export const batch: Benchmark = {
  title: `To sign ${keys} keys in one batch (ssh sign --batch): against the most that the service signs, ${connections} connections each`,
  run: (say) => withServices(say, compare),
};

async function compare(services: Services): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [keyType, keyBits] of [
    ['ed25519', 0],
    ['rsa', 4096],
  ] as const) {
    const least = leastShare[keyType];
    await prepareAuthority(services, keyType, keyBits);
    const lines = Array.from({ length: keys }, () => signRequest().body);
    const [whole, half] = [join(services.folder, 'keys.jsonl'), join(services.folder, 'half.jsonl')];
    await writeFile(whole, `${lines.join('\n')}\n`);
    await writeFile(half, `${lines.slice(0, keys / 2).join('\n')}\n`);
    const requests = lines.map((line) =>
      encoded('POST', '/v1/ssh/sign/bench', services.token, JSON.parse(line)),
    );
    const program = (file: string) =>
      installed(
        ['ssh', 'sign', 'bench', '--batch', file, '--concurrency', `${connections}`, '-q', '-o', 'jsonl'],
        { LANYARD_CONFIG_DIR: services.folder },
      );
    const ceiling = () =>
      drive(services.secrets, connections, { acts: keys }, async (connection, turn) => {
        const request = requests[turn];
        if (request) await connection.send(request);
      });
    await oneRun(program(half));
    const before = await ceiling();
    const run = await oneRun(program(whole));
    const after = await ceiling();
    const used = processorTime(program(whole)) / (keys / 1000);
    const most = (before.rate + after.rate) / 2;
    const rate = keys / (run.milliseconds / 1000);
    findings.push({
      what: `${keyType} CA, keys a second`,
      figure: `${Math.round(rate)}/s`,
      floor: `${Math.round(most)}/s`,
      ratio: most / rate,
      promise: { words: `at least ${least * 100} %`, kept: rate >= least * most },
    });
    findings.push({ what: `${keyType} CA, processor time of 1,000 keys`, figure: `${used.toFixed(0)} ms` });
    const small = await oneRun(program(half));
    if (run.peak === undefined || small.peak === undefined) continue;
    findings.push({
      what: `${keyType} CA, memory of ${keys} keys against ${keys / 2}`,
      figure: `${run.peak.toFixed(0)} MiB`,
      floor: `${small.peak.toFixed(0)} MiB`,
      ratio: run.peak / small.peak,
      promise: atMost(run.peak / small.peak, 1.2),
    });
  }
  return findings;
}
