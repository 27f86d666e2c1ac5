import { generateKeyPairSync, sign } from 'node:crypto';
import type { BareServer } from './bare.ts';
import { onDisk, ratingOf } from './durable.ts';
import { encoded } from './load.ts';
import type { Benchmark, Finding } from './report.ts';
import { type Services, send } from './services.ts';

const connections = 32;

/** Logins a second as of a CI fleet: each verifies a JWT, and stores a token. */
export const logins: Benchmark = {
  title: `Logins by JWT, durable, under ${connections} connections; the floor is a node:http server that answers a constant, driven alike`,
  run: (say) => onDisk(say, async (services, bare) => [await byJwt(services, bare)]),
};

async function byJwt(services: Services, bare: BareServer): Promise<Finding> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await send(services, 'POST', '/v1/sys/auth/jwt', { type: 'jwt' });
  await send(services, 'POST', '/v1/auth/jwt/config', {
    jwt_validation_pubkeys: [publicKey.export({ type: 'spki', format: 'pem' })],
  });
  await send(services, 'POST', '/v1/auth/jwt/role/ci', {
    role_type: 'jwt',
    bound_audiences: ['bench'],
    user_claim: 'sub',
    token_ttl: '10m',
  });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = (job: number): string => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const signed = `${part({ alg: 'ES256' })}.${part({ sub: `job-${job}`, aud: 'bench', exp })}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
  const requests = Array.from({ length: 64 }, (_, job) =>
    encoded('POST', '/v1/auth/jwt/login', '', { role: 'ci', jwt: tokenOf(job) }),
  );
  const what = 'logins by JWT (ES256)';
  return ratingOf(services, bare, { what, address: services.secrets, connections, requests });
}
