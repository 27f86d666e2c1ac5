import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { labelOf } from '../../src/state/kind.ts';
import { kindNames } from '../../src/state/kinds.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import { runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import { localCommands, recordedFile, sentOperations, textOfRecording } from '../facts/facts.ts';
import { everyObject, kindOf, nextVersion, writeSet } from '../state/bench.ts';
import { keyPair } from '../support/keys.ts';
import { freePort, listening } from '../support/ports.ts';
import { allOperations, watchOperations } from '../support/reached-operations.ts';
import { type Home, home, type RunOptions } from '../support/run.ts';
import { services } from '../support/services.ts';
import { envelope, responseOf } from './openbao.ts';

// Runs every command against the embedded services and compares the operations that it sends with the recorded ones.

const sent = new Map<string, Set<string>>();
/** Commands of the scenario whose program is not on this machine. */
let skipped: ReadonlySet<string>;
let command: string | undefined;
let at: Home;
let running: EmbeddedTargets;

beforeAll(async () => {
  running = await embeddedTargets();
  const restore = watchOperations((operation) => {
    if (command !== undefined) sent.set(command, (sent.get(command) ?? new Set()).add(operation));
  });
  try {
    const { outcomes } = await runScenario(scenario, {
      targets: running.targets,
      values: running.values,
      write: true,
      noPauses: true,
      onStep: (step) => {
        command = step?.kind === 'prepare' || step?.kind === 'cleanup' ? undefined : step?.command;
      },
    });
    skipped = new Set(outcomes.flatMap(({ step, code }) => (code === undefined ? [step.command] : [])));
    at = home();
    await further();
  } finally {
    restore();
  }
});
afterAll(async () => {
  await running.close();
  at.remove();
});

/** Command lines for the operations that the scenario does not need. */
async function further(): Promise<void> {
  const { secrets, registry, box, accounts } = running.targets;
  for (const service of serviceNames) {
    at.env[`LANYARD_${service.toUpperCase()}_ADDR`] = running.targets[service].address;
    at.env[`LANYARD_${service.toUpperCase()}_TOKEN`] = running.targets[service].token ?? '';
  }
  const prepare = (line: string, stdin = '') => at.run(line.split(' '), { stdin });
  /** @param code the exit code that is expected */
  const run = async (
    path: string,
    words: string | readonly string[],
    { code: expected = 0, ...options }: RunOptions & { readonly code?: number } = {},
  ): Promise<void> => {
    command = path;
    const argv = typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
    const { code, stderr } = await at.run([...path.split(' '), ...argv], {
      random: (length) => new Uint8Array(length),
      ...options,
    });
    command = undefined;
    expect(code, `${path} ${argv.join(' ')}: ${stderr}`).toBe(expected);
  };

  await run('secrets write', 'sys/unseal key=AAAA');
  await run('secrets creds', 'ssh/roles/none', { code: 3 });
  await run('secrets creds', 'ssh/none ip=-', { stdin: '10.1.2.3', code: 3 });
  const sealed = home();
  const uninitialized = await services(sealed, { uninitialized: true });
  const { LANYARD_SECRETS_ADDR = '' } = sealed.env;
  command = 'secrets init';
  const initialized = await at.run(['secrets', 'init', '--shares', '1', '-o', 'json'], {
    env: { LANYARD_SECRETS_ADDR },
  });
  const [KEY = ''] = JSON.parse(initialized.stdout).keys;
  // The response to the key is lost.
  const lost = await proxy(LANYARD_SECRETS_ADDR, ({ method }) => method === 'POST');
  await run('secrets unseal', `env://KEY --address ${lost.address}`, { code: 9, env: { KEY } });
  lost.close();
  await uninitialized.close();
  sealed.remove();
  await run('ssh ca recover', '--snapshot s1 --yes', { code: 3 });
  const openbao = await playedOpenBao();
  await run('ssh issuer import', `--address ${openbao.address}`);
  await run('ssh issuer use', `i1 --yes --address ${openbao.address}`);
  await run('ssh issuer delete', `i1 --yes --address ${openbao.address}`);
  const port = await freePort();
  await run(
    'secrets login',
    `--method oidc --no-store --callback-port ${port} --address ${openbao.address}`,
    {
      code: 9,
      // The browser follows the redirect of the provider.
      onStderr: (text) => {
        if (text.includes('state=s1')) void fetch(`http://localhost:${port}/oidc/callback?state=s1&code=c1`);
      },
    },
  );
  openbao.close();
  at.write('client.pem', '');
  await run('secrets login', '--method cert --no-store --dry-run --address https://127.0.0.1:1', {
    env: { LANYARD_SECRETS_CLIENT_CERT: at.file('client.pem') },
  });
  await prepare('secrets write ssh/roles/otp key_type=otp default_user=ubuntu cidr_list=10.0.0.0/8');
  const config = 'hostname 10.0.0.1\\nuser ubuntu\\nport 22\\n';
  at.write('bin/ssh', `#!/bin/sh\ncase " $* " in *" -G "*) printf '${config}';; *) exit 255;; esac\n`, 0o700);
  await run('ssh connect', 'ubuntu@10.0.0.1 --role otp', {
    code: 255,
    env: { PATH: `${at.file('bin')}:${process.env.PATH}` },
  });

  await prepare('ssh ca create --key-type ed25519');
  await prepare('ssh role put signer --allow-user-certificates --allowed-users ubuntu --default-user ubuntu');
  const record = '--record registry:ssh/record';
  await run('ssh sign', `signer --key - --out - ${record}`, { stdin: keyPair('ed25519').publicLine });
  await run('ssh history', record);
  await run('ssh record prune', `--before 0s ${record} --yes`);

  // A token that can read only in a namespace.
  await prepare('secrets write sys/namespaces/team --in -', '{}');
  const policy = 'path "team/secret/*" { capabilities = ["read"] }';
  await prepare('secrets write sys/policies/acl/reader --in -', JSON.stringify({ policy }));
  const line = 'secrets write auth/token/create policies=reader --field auth.client_token';
  const LANYARD_SECRETS_TOKEN = (await prepare(line)).stdout.trim();
  await run('kv get', 'team/secret/app', { code: 5, env: { LANYARD_SECRETS_TOKEN } });

  await run('secrets lease list', '');
  await run('secrets token create', '--policy default --id -', { stdin: 's.chosen-for-this-run' });
  await run('secrets token revoke', '- --yes', { stdin: 's.chosen-for-this-run' });

  await run('acl bootstrap', '', { code: 5 });
  await run('scheduler acl bootstrap', '--secret -', {
    code: 5,
    stdin: '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f\n',
  });
  await run('acl bootstrap', '--secret -', { code: 5, stdin: '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f\n' });
  const env = { NONCE: 'n1', CODE: 'c1' };
  const login = '--method corp --client-nonce env://NONCE';
  await run('acl oidc auth-url', `${login} --redirect-uri http://localhost:8400/oidc/callback`, {
    code: 3,
    env,
  });
  await run('acl oidc callback', `${login} --state st_1 --code env://CODE --no-store`, { code: 3, env });
  await run('acl translate-rules', '--accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11', { code: 5 });

  // The response to the deregistration is lost.
  await prepare('registry service register web-lost');
  const cut = await proxy(registry.address, ({ method }) => method === 'PUT');
  await run('registry service deregister', `web-lost --yes --address ${cut.address}`, { code: 9 });
  cut.close();

  await run('box request-code', '--login dev --password env://CODE', { code: 4, env });
  at.write('web.box', 'an image');
  await prepare('box create dev/arm');
  await prepare('box version create dev/arm 1.0.0');
  const provider = 'dev/arm 1.0.0 qemu --architecture arm64';
  await run('box provider create', provider);
  await run('box provider get', provider);
  await run('box provider update', `${provider} --default-architecture`);
  await run('box upload', 'dev/arm 1.0.0 qemu web.box --architecture arm64');
  // A registry without direct uploads.
  const indirect = await proxy(box.address, ({ url }) => url?.endsWith('/direct') === true, 404);
  for (const more of ['one', 'two --architecture arm64']) {
    const [name, ...architecture] = more.split(' ');
    await prepare(['box provider create dev/arm 1.0.0', name, ...architecture].join(' '));
    await run(
      'box upload',
      ['dev/arm 1.0.0', name, 'web.box --address', indirect.address, ...architecture].join(' '),
    );
  }
  indirect.close();
  await run('box provider delete', `${provider} --yes`);

  // The token has no permission to read the agent.
  const unknown = { LANYARD_REGISTRY_TOKEN: '5e000000-0000-4000-8000-000000000001' };
  await run('acl policy delete', 'none --yes --dc dc1', { code: 4, env: unknown });

  // Long enough for a renewal.
  await run('var lock', 'locks/long --ttl 10s -- sleep 6');
  await run('registry lock', 'locks/long --ttl 10s -- sleep 6');
  await run('account create', '--login-name dave --no-password');
  await run('account get', 'dave');
  const boundary = await playedBoundary();
  await run('account login', `--auth-method amoidc_1234567890 --no-store --address ${boundary.address}`);
  boundary.close();
  // The response to the deletion of a token is lost.
  const lossy = await proxy(accounts.address, ({ method }) => method === 'DELETE');
  await run('account logout', `--address ${lossy.address}`, { code: 9 });
  lossy.close();
  expect(secrets.token).toBeDefined();

  // Objects of all kinds.
  const objects = everyObject().map((object) => ({ ...object, metadata: { deletion: 'allow' } }));
  writeSet({ at }, objects, { id: 'everykind0' });
  await run('plan', 'state', { code: 10 });
  await run('diff', 'state', { code: 10 });
  await run('apply', 'state --yes');
  await run('export', '-');
  for (const [kind, { identity }] of new Map(objects.map((object) => [object.kind, object])))
    await run('import', [kind, labelOf(kindOf(kind), identity), '-']);
  const spec = { prune: { max: 1000, kinds: [...kindNames] } };
  // Secrets of version 1 have nothing that a record could recognize, so that pruning keeps them.
  const removed = objects.filter(
    ({ kind, identity }) => kind === 'secrets.kv' && /kv1/.test(identity.scope.mount ?? ''),
  );
  writeSet(
    { at },
    removed.map((object) => ({ ...object, metadata: { ...object.metadata, ensure: 'absent' } })),
    { id: 'everykind0', spec },
  );
  await run('apply', 'state --yes');
  for (const next of [nextVersion(objects), objects.slice(0, 1)]) {
    writeSet({ at }, next, { id: 'everykind0', spec });
    await run('plan', 'state --prune --prune-all', { code: 10 });
    await run('diff', 'state --prune --prune-all', { code: 10 });
    await run('apply', 'state --prune --prune-all --prune-max 1000 --yes');
  }
}

/**
 * A service with the issuer `i1`, and another as the default, and an authorization URL. Below HTTP: Node does not parse
 * the method LIST.
 */
async function playedOpenBao() {
  const server = createSocketServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (text) => {
      const issuer_id = String(text).includes('/issuer/i1') ? 'i1' : 'i2';
      const issuer = {
        issuer_id,
        issuer_name: '',
        public_key: 'ssh-rsa AAAA',
        auth_url: 'http://127.0.0.1/?state=s1',
      };
      socket.end(responseOf(String(text).startsWith('LIST') ? { status: 404 } : envelope(issuer)));
    });
  });
  const { address } = await listening(server);
  return { address, close: () => server.close() };
}

/** A service in which a login with the browser is completed at once. */
async function playedBoundary() {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.setHeader('Content-Type', 'application/json');
    const attributes = { auth_url: 'http://127.0.0.1/?state=s1', token_id: 'x', token: 'at_1234567890_x' };
    response.end(JSON.stringify({ attributes }));
  });
  const { address } = await listening(server);
  return { address, close: () => server.close() };
}

/** Forwards to a service, except requests that get a status, or a closed connection, instead. */
async function proxy(behind: string, isExcepted: (incoming: IncomingMessage) => boolean, status?: number) {
  const server = createServer((incoming, response) => {
    if (isExcepted(incoming)) {
      if (status === undefined) incoming.socket.destroy();
      else response.writeHead(status).end();
      return;
    }
    const { method = 'GET', headers, url = '/' } = incoming;
    const forwarded = request(new URL(url, behind), { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  const { address } = await listening(server);
  return { address, close: () => server.close() };
}

/** What each command sends: recorded before, if its program is not on this machine. */
const operationsOf = (): ReadonlyMap<string, Iterable<string>> =>
  new Map<string, Iterable<string>>([
    ...sent,
    ...Object.entries(sentOperations).filter(([path]) => skipped.has(path)),
  ]);

test('each command sends the recorded operations', async () => {
  await expect(
    textOfRecording(operationsOf()),
    'if commands should send other operations, run "npx vitest run test/commands/operations-sent.test.ts --update"',
  ).toMatchFileSnapshot(recordedFile('sent'));
});

/** Only completion needs them (live-completion.test.ts). */
const ofCompletion = ['registry.listAgentServices', 'registry.listDatacenters'];
/** `ssh ca rotate` sends it to services with several issuers (test/commands/ssh/rotate-issuers.test.ts). */
const ofOpenBao = ['secrets.renameIssuer'];

test('every operation is sent by a command', () => {
  const known = new Set([
    ...[...operationsOf().values()].flatMap((each) => [...each]),
    ...ofCompletion,
    ...ofOpenBao,
  ]);
  expect(allOperations.filter((operation) => !known.has(operation))).toEqual([]);
});

test('every command sends an operation, or has command lines without a service in its facts', () => {
  const others = tree.map(({ path }) => path).filter((path) => !operationsOf().has(path));
  // Snapshots are streams, which are not operations of a client.
  const streams = ['secrets', 'registry'].flatMap((each) => [
    `${each} snapshot save`,
    `${each} snapshot restore`,
  ]);
  expect(others.sort()).toEqual([...localCommands, ...streams, 'api', 'status', 'wait status'].sort());
});
