import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { type Connection, drive, encoded } from './load.ts';
import { type Benchmark, type Finding, percentiles } from './report.ts';
import { prepareAuthority, type Services, signRequest, withServices } from './services.ts';

const connections = 16;
const warmUp = { milliseconds: 1000 };
const extent = { milliseconds: 4000 };

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
  const request = encoded('POST', '/v1/ssh/sign/bench', services.token, JSON.parse(signRequest().body));
  const sign = (connection: Connection) => connection.send(request);
  for (const { name, keyType, keyBits, bare } of authorities) {
    await prepareAuthority(services, keyType, keyBits);
    await drive(services.secrets, connections, warmUp, sign);
    const { rate, waits } = await drive(services.secrets, connections, extent, sign);
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

/** Signatures a second of the runtime alone, on one thread. */
function bareRate(key: KeyObject, digest: string | null): number {
  const certificate = Buffer.alloc(400);
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < 1000; count++) signBytes(digest, certificate, key);
  return count / ((performance.now() - started) / 1000);
}
