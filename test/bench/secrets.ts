import { onDisk } from './durable.ts';
import { memoryOf } from './harness.ts';
import { type Connection, drive, encoded } from './load.ts';
import { atMost, type Benchmark, type Finding, rated } from './report.ts';
import { prepareAuthority, type Services, send, signRequest } from './services.ts';

const connections = 32;
const warmUp = { milliseconds: 1500 };
const extent = { milliseconds: 4000 };
/** Keys that are read and written. */
const keys = 100;
/** What the bare server is asked. */
const plain = encoded('GET', '/v1/secret/data/bench/0', 'none');
/** MiB that the service may grow by once it is warm. */
const growth = 20;

/** What the secrets service does in a second over HTTP, durable, and whether its memory stays as it is. */
export const secrets: Benchmark = {
  title: `Secrets service, durable, under ${connections} connections; the floor is a node:http server that answers a constant, driven alike`,
  run: (say) =>
    onDisk(say, async (services, bare) => {
      await prepare(services);
      const findings: Finding[] = [];
      for (const { what, least, ready, act } of acts(services)) {
        await ready?.();
        await drive(services.secrets, connections, warmUp, act);
        // Right before what it is compared with: other load on the machine comes and goes.
        const ceiling = await bare.rate(connections, plain);
        const seen = await drive(services.secrets, connections, extent, act);
        findings.push(rated(what, seen, ceiling, least));
      }
      return [...findings, ...(await memoryOver(services))];
    }),
};

interface Act {
  readonly what: string;
  /** How many a second are wanted. */
  readonly least?: number;
  readonly ready?: () => Promise<unknown>;
  readonly act: (connection: Connection, turn: number) => Promise<unknown>;
}

/** A mount of both kinds of secrets, something to read, and roles. */
async function prepare(services: Services): Promise<void> {
  for (let key = 0; key < keys; key++) {
    await send(services, 'POST', `/v1/secret/data/bench/${key}`, secretOf(key));
  }
  await send(services, 'POST', '/v1/ssh/roles/otp', {
    key_type: 'otp',
    default_user: 'bench',
    cidr_list: '10.0.0.0/8',
  });
  await send(services, 'POST', '/v1/sys/policies/acl/bench', {
    policy: 'path "secret/data/bench/*" { capabilities = ["read"] }',
  });
}

const secretOf = (turn: number): object => ({
  data: { user: 'bench', password: `${turn}`.padStart(32, '0') },
});

function acts(services: Services): Act[] {
  const { token } = services;
  const signing = (what: string, keyType: string, keyBits: number, least: number): Act => ({
    what,
    least,
    ready: () => prepareAuthority(services, keyType, keyBits),
    act: sign(token),
  });
  let limited = '';
  return [
    { what: 'key-value reads', least: 10_000, act: read(token) },
    {
      what: 'key-value reads, token with policies',
      ready: async () => {
        limited = await limitedToken(services);
      },
      act: (connection, turn) => read(limited)(connection, turn),
    },
    { what: 'key-value writes, durable', least: 3000, act: write(token) },
    { what: 'one-time passwords, made and verified', act: passOnce(token) },
    signing('signatures, ed25519', 'ed25519', 0, 3000),
    signing('signatures, rsa-4096', 'rsa', 4096, 600),
  ];
}

const read = (token: string) => (connection: Connection, turn: number) =>
  connection.send(encoded('GET', `/v1/secret/data/bench/${turn % keys}`, token));

const write = (token: string) => (connection: Connection, turn: number) =>
  connection.send(encoded('POST', `/v1/secret/data/bench/${turn % keys}`, token, secretOf(turn)));

function sign(token: string): Act['act'] {
  const request = encoded('POST', '/v1/ssh/sign/bench', token, JSON.parse(signRequest().body));
  return (connection) => connection.send(request);
}

function passOnce(token: string): Act['act'] {
  const creds = encoded('POST', '/v1/ssh/creds/otp', token, { ip: '10.1.2.3' });
  return async (connection) => {
    const { body } = await connection.send(creds);
    const otp = /"key":"([^"]+)"/.exec(body)?.[1];
    await connection.send(encoded('POST', '/v1/ssh/verify', token, { otp }));
  };
}

async function limitedToken(services: Services): Promise<string> {
  const answer = await send(services, 'POST', '/v1/auth/token/create', { policies: ['bench'] });
  return (answer as { auth: { client_token: string } }).auth.client_token;
}

/**
 * Reads, writes and signatures in turn, on a state that does not grow. Its own first requests, by which the
 * runtime comes to its working size, do not count as growth. (A one-time password is left out: its lease is kept
 * for as long as it was given.)
 */
async function memoryOver(services: Services): Promise<Finding[]> {
  const { token, pid } = services;
  if (process.platform !== 'linux') return [{ what: 'memory', figure: 'not measured on this system' }];
  await prepareAuthority(services, 'ed25519', 0);
  const kinds = [read(token), write(token), sign(token)];
  const mixed: Act['act'] = (connection, turn) => kinds[turn % kinds.length]?.(connection, turn) ?? done;
  const atStart = memoryOf(pid, 'VmRSS') ?? Number.NaN;
  await drive(services.secrets, connections, { acts: 20_000 }, mixed);
  const warm = memoryOf(pid, 'VmRSS') ?? Number.NaN;
  await drive(services.secrets, connections, { acts: 80_000 }, mixed);
  const atEnd = memoryOf(pid, 'VmRSS') ?? Number.NaN;
  return [
    {
      what: 'memory over 100,000 requests',
      figure: `${atStart.toFixed(0)} MiB; after 20,000 ${warm.toFixed(0)}; after 100,000 ${atEnd.toFixed(0)}`,
      promise: atMost(atEnd - warm, growth, ' MiB more after the first 20,000'),
    },
  ];
}

const done = Promise.resolve();
