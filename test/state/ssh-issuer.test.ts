import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  envelope,
  errors,
  noRoute,
  type Playback,
  playback,
  type Recorded,
  routes,
} from '../commands/openbao.ts';
import { expectExit, homeForAll, outputOf } from '../support/command-tests.ts';
import { services, type TestServices } from '../support/services.ts';

// Issuers of OpenBao in a set. Responses of OpenBao 2.6.2; the embedded service has a single CA in a mount.

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'hvs.token-of-the-test';

const [oldId, newId, otherId] = [
  '4203c35f-1290-a18d-68d0-305131f9b345',
  'e089d3c8-91f3-6098-bc08-d2e375448edf',
  '5cc493d0-9760-af3c-871f-58da43bf2ff7',
];
const exported = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBGsoaevaOIopawdBbMby9m6hENJrE8aaj0cv0uTlStA';
const generated = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIg6O7ZU0cl5nJIiXI+4XmOMd7MOSCTt1hzFhDWy6s5D';
interface Issuer {
  readonly id: string;
  readonly name: string;
  readonly isDefault?: boolean;
}
const listed = (...issuers: readonly Issuer[]): Recorded =>
  envelope({
    key_info: Object.fromEntries(
      issuers.map(({ id, name, isDefault = false }) => [
        id,
        { is_default: isDefault, issuer_name: name, public_key: `${generated}\n` },
      ]),
    ),
    keys: issuers.map(({ id }) => id),
  });
const old: Issuer = { id: oldId, name: 'y26', isDefault: true };
const next: Issuer = { id: newId, name: 'y27' };

const run = (argv: readonly string[], { url }: Pick<Playback, 'url'>) =>
  at.run(argv, { env: { LANYARD_SECRETS_ADDR: url } });

const set =
  'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: a, id: aaaaaaaaaa}\nspec: {record: "file:.record.json"}\n';
const issuer = (name: string, spec: string): string =>
  `apiVersion: lanyard/v1\nkind: secrets.ssh-issuer\nmetadata: {mount: ssh, name: ${name}}\nspec: ${spec}\n`;
const write = (...documents: readonly string[]): void => {
  for (const index of Array(10).keys()) at.clear(`state/${index}.yaml`);
  at.write('state/set.yaml', set);
  for (const [index, document] of documents.entries()) at.write(`state/${index}.yaml`, document);
};
beforeEach(() => at.clear('state'));

describe('an issuer in a set', () => {
  test('is generated with the type of its public key; the second plan is empty', async () => {
    write(issuer('y27', `{default: true, public_key: ${exported}}`));
    const both = listed({ ...old, isDefault: false }, { ...next, isDefault: true });
    const server = await playback({
      'LIST ssh/issuers': [listed(old), listed(old), listed(old), both],
      'POST ssh/issuers/import/y27': envelope({
        issuer_id: newId,
        issuer_name: 'y27',
        public_key: `${generated}\n`,
      }),
    });
    const applied = await run(['apply', 'state', '--yes'], server);
    expectExit(applied, 0, 'after apply, run `lanyard ssh trust --mount ssh`');
    const [sent] = server.seen.filter(({ route }) => route.startsWith('POST'));
    expect(JSON.parse(sent?.body ?? '')).toEqual({ key_type: 'ssh-ed25519', set_default: true });
    const plan = await run(['plan', 'state'], server);
    expect([plan.code, plan.stdout, plan.stderr]).toEqual([0, 'No changes. 1 object is up to date.\n', '']);
  });

  test('of another key pair is a difference', async () => {
    write(issuer('y27', `{public_key: ${exported}}`));
    const server = await playback({ 'LIST ssh/issuers': listed(old, next) });
    const plan = await run(['plan', 'state'], server);
    expect([plan.code, plan.stdout]).toEqual([10, expect.stringContaining('! secrets.ssh-issuer ssh/y27 (')]);
    await run(['apply', 'state', '--adopt', '--yes'], server);
    expect((await run(['plan', 'state'], server)).code).toBe(0);
    const recreated = await playback({ 'LIST ssh/issuers': listed(old, { ...next, id: otherId }) });
    expect((await run(['plan', 'state'], recreated)).code).toBe(10);
  });

  test('becomes the default issuer; the earlier one need not be changed', async () => {
    write(issuer('y26', '{}'), issuer('y27', '{default: true}'));
    const switched = listed({ ...old, isDefault: false }, { ...next, isDefault: true });
    const server = await playback({
      'LIST ssh/issuers': [...Array(5).fill(listed(old, next)), switched],
      'POST ssh/config/issuers': envelope({ default: newId }),
    });
    expectExit(await run(['apply', 'state', '--adopt', '--yes'], server), 0);
    expect(routes(server).filter((route) => route.startsWith('POST'))).toEqual(['POST ssh/config/issuers']);
    expect((await run(['plan', 'state'], server)).code).toBe(0);
  });

  test.each([
    ['default', '{}', 'invalid issuer name "default"'],
    ['y27', '{generate_signing_key: false}', 'missing field "private_key"'],
  ])('%s %s is rejected offline', async (name, spec, problem) => {
    write(issuer(name, spec));
    const ran = await at.run(['validate', 'state']);
    expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('export', () => {
  const ca = envelope({ issuer_id: oldId, issuer_name: 'y26', public_key: `${generated}\n` });
  const mounts = { 'ssh/': { type: 'ssh', description: '', config: {}, options: null, accessor: 'ssh_1' } };
  const role = envelope({ key_type: 'ca', allowed_users: 'u', issuer_ref: newId });
  const kinds = ['secrets.ssh-ca', 'secrets.ssh-issuer', 'secrets.ssh-role'].flatMap((kind) => [
    '--kind',
    kind,
  ]);

  test('has named issuers, once, and names them in roles', async () => {
    const server = await playback({
      'GET sys/mounts': envelope(mounts),
      'LIST ssh/issuers': listed(old, next, { id: otherId, name: '' }),
      'GET ssh/config/ca': ca,
      'LIST ssh/roles': envelope({ keys: ['deploy'] }),
      'GET ssh/roles/deploy': role,
    });
    const stdout = outputOf(await run(['export', '-', ...kinds, '-o', 'json'], server));
    const documents: readonly { readonly kind: string; readonly metadata: object; readonly spec: object }[] =
      JSON.parse(stdout);
    expect(documents.map(({ kind, metadata, spec }) => ({ kind, metadata, spec }))).toEqual([
      {
        kind: 'secrets.ssh-issuer',
        metadata: { mount: undefined, name: 'y26' },
        spec: { default: true, public_key: `${generated}\n` },
      },
      {
        kind: 'secrets.ssh-issuer',
        metadata: { mount: undefined, name: 'y27' },
        spec: { public_key: `${generated}\n` },
      },
      {
        kind: 'secrets.ssh-role',
        metadata: { mount: undefined, name: 'deploy' },
        spec: { key_type: 'ca', allowed_users: 'u', issuer_ref: 'y27' },
      },
    ]);
  });

  test('of a role with an ID is rejected before it is written', async () => {
    write(
      `apiVersion: lanyard/v1\nkind: secrets.ssh-role\nmetadata: {mount: ssh, name: new}\nspec: {key_type: ca, issuer_ref: ${newId}}\n`,
    );
    const server = await playback({
      'LIST ssh/issuers': listed(old, next),
      'GET ssh/roles/new': errors(404),
    });
    const ran = await run(['apply', 'state', '--yes'], server);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('state issuer_ref "y27"')]);
    expect(routes(server).filter((route) => !/^(GET|LIST)/.test(route))).toEqual([]);
  });
});

describe('a service without issuers', () => {
  let running: TestServices;
  const env: Record<string, string> = {};
  beforeAll(async () => {
    running = await services({ ...at, env });
  });
  afterAll(() => running.close());

  test.each(['ssh', 'not-mounted-yet'])('is named by the plan: %s', async (mount) => {
    write(issuer('y27', '{}').replace('mount: ssh', `mount: ${mount}`));
    const plan = await at.run(['plan', 'state'], { env });
    expect([plan.code, plan.stderr]).toEqual([
      1,
      expect.stringContaining('the plan is incomplete: 1 object could not be read'),
    ]);
    const apply = await at.run(['apply', 'state', '--yes'], { env });
    expect([apply.code, apply.stderr]).toEqual([
      1,
      expect.stringContaining(`${mount}/ does not support issuers: the engine has a single CA`),
    ]);
  });

  test('is named by the plan for a mount of the set', async () => {
    const mount = 'apiVersion: lanyard/v1\nkind: secrets.mount\nmetadata: {name: new/}\nspec: {type: ssh}\n';
    write(mount, issuer('y27', '{}').replace('mount: ssh', 'mount: new'));
    const apply = await at.run(['apply', 'state', '--yes'], { env });
    expect([apply.code, apply.stdout, apply.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('new/ does not support issuers'),
    ]);
    expect((await at.run(['secrets', 'mount', 'list'], { env })).stdout).not.toContain('new/');
  });

  test('has none in an export', async () => {
    const ran = await at.run(['export', '-', '--kind', 'secrets.ssh-issuer', '-o', 'json'], { env });
    expect([ran.code, ran.stdout.trim(), ran.stderr]).toEqual([0, '[]', '']);
  });
});

test('a mount that does not exist has no issuers on OpenBao', async () => {
  write(issuer('y27', '{}'));
  const server = await playback({
    'LIST ssh/issuers': noRoute('ssh/issuers/'),
    'GET sys/seal-status': {
      status: 200,
      body: {
        ...{ type: 'shamir', initialized: true, sealed: false, t: 1, n: 1, progress: 0 },
        ...{ nonce: '', version: '2.6.2', commit_date: '2026-01-01T00:00:00Z' },
      },
    },
  });
  const plan = await run(['plan', 'state'], server);
  expect([plan.code, plan.stdout], plan.stderr).toEqual([
    10,
    expect.stringContaining('+ secrets.ssh-issuer'),
  ]);
});
