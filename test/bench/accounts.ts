import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { BareServer } from './bare.ts';
import { beside } from './beside.ts';
import { onDisk, withMemory } from './durable.ts';
import { type Connection, drive, encoded } from './load.ts';
import { type Benchmark, type Finding, percentiles } from './report.ts';
import type { Services } from './services.ts';

/** Callers who log in at once. */
const callers = 8;
/** Hashes that the service makes at once. */
const atOnce = 2;
const warmUp = { milliseconds: 1000 };
const extent = { milliseconds: 6000 };
const method = 'ampw_1234567890';
const password = 'a password of the benchmark';

/** Logins a second, which the hash of the password bounds, and how the service answers others meanwhile. */
export const accounts: Benchmark = {
  title: `Accounts, durable, ${callers} callers who log in; the floor is scrypt itself, ${atOnce} at once, and for health a node:http server that is asked at the same time`,
  run: (say) => onDisk(say, (services, bare) => logins(services, bare)),
};

async function logins(services: Services, bare: BareServer): Promise<Finding[]> {
  await create(services, 'bench-user');
  const attributes = { login_name: 'bench-user', password };
  const login = encoded('POST', `/v1/auth-methods/${method}:authenticate`, '', { attributes });
  const act = (connection: Connection) => connection.send(login);
  await drive(services.accounts, callers, warmUp, act);
  const floor = await bareHashes();
  const { seen, health } = await beside(
    'the logins',
    { address: services.accounts, path: '/health', bare },
    () => drive(services.accounts, callers, extent, act),
  );
  return [
    withMemory(services, {
      what: 'logins',
      figure: `${seen.rate.toFixed(1)}/s, ${percentiles(seen.waits)}`,
      floor: `${floor.toFixed(1)}/s`,
      ratio: floor / seen.rate,
    }),
    health,
  ];
}

async function create({ accounts: address, accountsToken }: Services, login_name: string): Promise<void> {
  const response = await fetch(`${address}/v1/accounts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accountsToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ auth_method_id: method, attributes: { login_name, password } }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

/** Hashes a second of the runtime alone, made at the cost that passwords are kept at. */
async function bareHashes(): Promise<number> {
  const options = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
  const salt = randomBytes(16);
  const hash = () =>
    promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)(password, salt, 32, options);
  const begun = performance.now();
  let count = 0;
  const caller = async (): Promise<void> => {
    for (; performance.now() - begun < extent.milliseconds / 2; count++) await hash();
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return count / ((performance.now() - begun) / 1000);
}
