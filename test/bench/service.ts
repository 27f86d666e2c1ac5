import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { type Benchmark, type Finding, percentiles } from './report.ts';
import { prepareAuthority, type Services, signRequest, withServices } from './services.ts';

const connections = 16;
const warmUp = 1000;
const duration = 4000;

const authorities = [
  { name: 'ed25519', keyType: 'ed25519', keyBits: 0, bare: () => generateKeyPairSync('ed25519') },
  {
    name: 'ecdsa-p256',
    keyType: 'ec',
    keyBits: 256,
    bare: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  },
  {
    name: 'rsa-4096',
    keyType: 'rsa',
    keyBits: 4096,
    bare: () => generateKeyPairSync('rsa', { modulusLength: 4096 }),
  },
];

/** How many certificates a second the embedded secrets service signs, and how long each caller waits. */
export const service: Benchmark = {
  title: `Embedded service, certificates a second: ${connections} kept-alive connections, one processor drives them; the floor is bare crypto.sign on one thread`,
  run: (say) => withServices(say, rates),
};

async function rates(services: Services): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, keyType, keyBits, bare } of authorities) {
    await prepareAuthority(services, keyType, keyBits);
    await drive(services, warmUp);
    const waits = await drive(services, duration);
    const rate = waits.length / (duration / 1000);
    const floor = bareRate(bare().privateKey, name === 'ed25519' ? null : 'sha512');
    findings.push({
      what: name,
      figure: `${rate.toFixed(0)}/s, ${percentiles(waits)}`,
      floor: `${floor.toFixed(0)}/s`,
      ratio: floor / rate,
    });
  }
  return findings;
}

/** Signs as fast as the connections allow. Returns what each call waited, in milliseconds. */
async function drive(services: Services, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { body } = signRequest();
  const waits: number[] = [];
  const end = performance.now() + milliseconds;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      await call(agent, services, body);
      waits.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  agent.destroy();
  return waits;
}

function call(agent: Agent, { secrets, token }: Services, body: string): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(`${secrets}/v1/ssh/sign/bench`, {
      method: 'POST',
      agent,
      headers: { 'X-Secrets-Token': token, 'Content-Type': 'application/json' },
    });
    sent.on('error', fail);
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('error', fail);
      answer.on('end', () =>
        answer.statusCode === 200 ? done() : fail(new Error(`sign answered ${answer.statusCode}`)),
      );
    });
    sent.end(body);
  });
}

/** Signatures a second of the runtime alone, on one thread. */
function bareRate(key: KeyObject, digest: string | null): number {
  const certificate = Buffer.alloc(400);
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < 1000; count++) signBytes(digest, certificate, key);
  return count / ((performance.now() - started) / 1000);
}
