import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceNames } from '../../src/wire/services.ts';
import { type FaultProxy, faultProxy } from '../faults/proxy.ts';
import { home } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { counted, sized } from '../support/soak.ts';
import { names, seed } from './names.ts';

const at = home();
let running: TestServices;
let proxy: FaultProxy;

beforeAll(async () => {
  running = await services(at);
  const targets = Object.fromEntries(
    serviceNames.map((name) => [name, { address: running.addresses[name], product: 'lanyard' }]),
  ) as unknown as Parameters<typeof faultProxy>[0];
  proxy = await faultProxy(targets);
  for (const name of serviceNames) at.env[`LANYARD_${name.toUpperCase()}_ADDR`] = proxy.targets[name].address;
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  await at.run(['ssh', 'ca', 'create', '--key-type', 'ed25519']);
});
afterAll(async () => {
  await proxy.close();
  await running.close();
  at.remove();
});

/** A command with a name in it, and the paths that it may send requests to, whatever the name is. */
const commands: readonly (readonly [string, (name: string) => readonly string[], RegExp])[] = [
  ['ssh role get NAME', (name) => ['ssh', 'role', 'get', name], /^\/v1\/ssh\/roles\/[^/]+$/],
  [
    'ssh role put NAME',
    (name) => ['ssh', 'role', 'put', name, '--allow-user-certificates'],
    /^\/v1\/ssh\/roles\/[^/]+$/,
  ],
  ['ssh role delete NAME', (name) => ['ssh', 'role', 'delete', name, '--yes'], /^\/v1\/ssh\/roles\/[^/]+$/],
  [
    'ssh role list --mount',
    (name) => ['ssh', 'role', 'list', '--mount', name],
    /^\/v1\/.+\/roles\?list=true$|^\/v1\/.+\/roles$/,
  ],
  [
    'ssh ca public-key --mount',
    (name) => ['ssh', 'ca', 'public-key', '--mount', name],
    /^\/v1\/.+\/public_key$/,
  ],
  ['ssh creds ROLE', (name) => ['ssh', 'creds', name, '127.0.0.1'], /^\/v1\/ssh\/creds\/[^/]+$/],
  ['kv get PATH', (name) => ['kv', 'get', name], /^\/v1\/.+$/],
  [
    'kv put PATH',
    (name) => ['kv', 'put', `secret/${name}`, 'a=b'],
    /^\/v1\/(sys\/internal\/ui\/mounts\/secret\/.+|secret\/data\/.+|sys\/mounts)$/,
  ],
  [
    'kv metadata get PATH',
    (name) => ['kv', 'metadata', 'get', `secret/${name}`],
    /^\/v1\/(sys\/internal\/ui\/mounts\/secret\/.+|secret\/metadata\/.+|sys\/mounts)$/,
  ],
  [
    'secrets read PATH',
    (name) => ['secrets', 'read', `secret/data/${name}`],
    /^\/v1\/(secret\/data\/.+|sys\/internal\/ui\/mounts\/.+)$/,
  ],
  [
    'secrets read --namespace',
    (name) => ['secrets', 'read', 'auth/token/lookup-self', '--namespace', name],
    /^\/v1\/auth\/token\/lookup-self$/,
  ],
  ['query get QUERY', (name) => ['query', 'get', name], /^\/v1\/query(\/[^/]+)?(\?.*)?$/],
  ['query exec QUERY', (name) => ['query', 'exec', name], /^\/v1\/query(\/[^/]+\/execute)?(\?.*)?$/],
  [
    'query create --name',
    (name) => ['query', 'create', '--name', name, '--service', 'web'],
    /^\/v1\/query(\?.*)?$/,
  ],
  ['query create --service', (name) => ['query', 'create', '--service', name], /^\/v1\/query(\?.*)?$/],
  ['chain get SERVICE', (name) => ['chain', 'get', name], /^\/v1\/discovery-chain\/[^/]+$/],
  ['chain get --dc', (name) => ['chain', 'get', 'web', '--dc', name], /^\/v1\/discovery-chain\/web(\?.*)?$/],
  ['box get BOX', (name) => ['box', 'get', name], /^\/api\/v1\/box\/[^/]+\/[^/]+$/],
  ['box get ORG/BOX', (name) => ['box', 'get', `dev/${name}`], /^\/api\/v1\/box\/[^/]+\/[^/]+$/],
  [
    'box version get',
    (name) => ['box', 'version', 'get', 'dev/web', name],
    /^\/api\/v1\/box\/dev\/web\/version\/[^/]+$/,
  ],
  [
    'box provider get',
    (name) => ['box', 'provider', 'get', 'dev/web', '1.0.0', name],
    /^\/api\/v1\/box\/dev\/web\/version\/1\.0\.0\/provider\/[^/]+$/,
  ],
  ['box org get ORG', (name) => ['box', 'org', 'get', name], /^\/api\/v1\/user\/[^/]+$/],
  [
    'box org create ORG',
    (name) => ['box', 'org', 'create', name],
    /^\/api\/v1\/(user\/[^/]+|organizations)$/,
  ],
  ['var get PATH', (name) => ['var', 'get', name], /^\/v1\/var\/.+$/],
  ['var put PATH', (name) => ['var', 'put', name, 'a=b'], /^\/v1\/var\/.+$/],
  ['var get --namespace', (name) => ['var', 'get', 'app', '--namespace', name], /^\/v1\/var\/app(\?.*)?$/],
  ['namespace get NAME', (name) => ['namespace', 'get', name], /^\/v1\/namespace\/[^/]+$/],
  ['namespace put NAME', (name) => ['namespace', 'put', name], /^\/v1\/namespace(\/[^/]+)?$/],
  // A name may be a login name: its account is searched in the primary auth method.
  [
    'account get ACCOUNT',
    (name) => ['account', 'get', name],
    /^\/v1\/(accounts\/[^/]+|auth-methods\?scope_id=global|accounts\?auth_method_id=ampw_[^/]*)$/,
  ],
  [
    'account list --auth-method',
    (name) => ['account', 'list', '--auth-method', name],
    /^\/v1\/accounts\?.*auth_method_id=/,
  ],
  ['profile put NAME', (name) => ['profile', 'put', name, 'box.address=http://localhost:1'], /^never$/],
  ['profile get NAME', (name) => ['profile', 'get', name], /^never$/],
  ['--profile NAME', (name) => ['profile', 'list', '--profile', name], /^never$/],
];

test.each(commands)(
  '%s: any name ends without a crash, and no request leaves the route',
  async (title, argv, own) => {
    const runs = sized(400, 12);
    await counted(title, async (tried) => {
      await fc.assert(
        fc.asyncProperty(names, async (name) => {
          tried();
          proxy.begin();
          // Arguments of a process are well-formed, and end at the first NUL.
          const line = argv(name.toWellFormed().replaceAll('\0', ''));
          const ran = await at.run([...line, '--no-input'], { random: (length) => new Uint8Array(length) });
          expect(ran.stderr).not.toMatch(/Lanyard itself|\n\s+at .*\.ts/);
          expect([0, 1, 2, 3, 4, 5, 6, 9]).toContain(ran.code);
          for (const { url } of proxy.passed) {
            // Parsed as every server does it, the path is what it was.
            expect(new URL(url, 'http://localhost').pathname).toBe(url.split('?', 1)[0]);
            // Where the active server is has no part of the name.
            if (url !== '/v1/sys/leader') expect(url).toMatch(own);
          }
          if (ran.code === 2) expect(proxy.passed.filter(({ method }) => method !== 'GET')).toEqual([]);
        }),
        { numRuns: runs, seed, endOnFailure: true },
      );
    });
  },
);
