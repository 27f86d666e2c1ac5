import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { home, type RunOptions } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';

// A set that was exported from one cluster with SSH CAs, and applied to another one.

const at = home();
const running: TestServices[] = [];
/** The environments of the two clusters. */
const clusters: Record<'source' | 'target', Record<string, string>> = { source: {}, target: {} };
type Cluster = keyof typeof clusters;

const run = (cluster: Cluster, argv: readonly string[], options?: RunOptions) =>
  at.run(argv, { env: clusters[cluster], ...options });
const done = async (cluster: Cluster, argv: readonly string[]) => {
  const ran = await run(cluster, argv);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0);
  return ran;
};
const publicKey = async (cluster: Cluster, mount: string): Promise<string> =>
  (await done(cluster, ['ssh', 'ca', 'public-key', '--mount', mount])).stdout.trim();

const types = {
  'ca-ed25519': ['--key-type', 'ed25519'],
  'ca-ec': ['--key-type', 'ec', '--key-bits', '384'],
  'ca-rsa': ['--key-type', 'rsa', '--key-bits', '2048'],
} as const;
const mounts = Object.keys(types);

beforeAll(async () => {
  for (const cluster of ['source', 'target'] as const) {
    const started = await services({ ...at, env: clusters[cluster] });
    running.push(started);
  }
  for (const [mount, flags] of Object.entries(types)) {
    await done('source', ['secrets', 'mount', 'enable', 'ssh', '--path', mount]);
    await done('source', ['ssh', 'ca', 'create', '--mount', mount, ...flags]);
    const role = ['--allow-user-certificates', '--allowed-users', 'ubuntu'];
    await done('source', ['ssh', 'role', 'put', 'deploy', '--mount', mount, ...role]);
  }
  await done('source', ['export', 'state', '--service', 'secrets', '--no-targets']);
  at.write('state/set.yaml', at.read('state/set.yaml').replace(/record: .*/, 'record: file:.record.json'));
});
afterAll(async () => {
  for (const each of running) await each.close();
  at.remove();
});

describe('an exported CA without its private key', () => {
  test('is generated on another cluster, with the type and size of the original', async () => {
    await done('source', ['validate', 'state']);
    const plan = await run('target', ['plan', 'state']);
    expect(plan.code, plan.stderr).toBe(10);
    for (const mount of mounts) {
      expect(plan.stdout).toContain(`+ secrets.ssh-ca ${mount}\n`);
      expect(plan.stderr).toContain(`lanyard ssh trust --mount ${mount}`);
    }
    const applied = await done('target', ['apply', 'state', '--yes']);
    expect(applied.stderr).toContain('lanyard ssh trust --mount ca-ed25519');
    for (const mount of mounts) {
      const [type, key = ''] = (await publicKey('target', mount)).split(' ');
      const [sourceType, sourceKey = ''] = (await publicKey('source', mount)).split(' ');
      expect([type, key.length]).toEqual([sourceType, sourceKey.length]);
      expect(key).not.toBe(sourceKey);
    }
  });

  test('is no difference afterwards, and another CA is one', async () => {
    const plan = await run('target', ['plan', 'state']);
    expect([plan.code, plan.stderr], plan.stdout).toEqual([0, '']);
    await done('target', ['ssh', 'ca', 'delete', '--mount', 'ca-ed25519', '--yes']);
    await done('target', ['ssh', 'ca', 'create', '--mount', 'ca-ed25519', '--key-type', 'ed25519']);
    const drift = await run('target', ['plan', 'state']);
    expect([drift.code, drift.stdout]).toEqual([
      10,
      expect.stringContaining('! secrets.ssh-ca ca-ed25519 (not the object that the set created or adopted'),
    ]);
    expect(drift.stdout).toContain('public_key: ');
    const before = await publicKey('target', 'ca-ed25519');
    await done('target', ['apply', 'state', '--adopt', '--yes']);
    expect(await publicKey('target', 'ca-ed25519')).toBe(before);
    expect((await run('target', ['plan', 'state'])).code).toBe(0);
  });

  test('on its own cluster, another CA is a difference', async () => {
    at.write('own/set.yaml', at.read('state/set.yaml').replace('file:.record.json', 'file:.own.json'));
    const file = 'secrets/ssh-ca/ca-ec.yaml';
    at.write(`own/${file}`, at.read(`state/${file}`));
    expect((await run('source', ['plan', 'own'])).code).toBe(0);
    await done('source', ['ssh', 'ca', 'delete', '--mount', 'ca-ec', '--yes']);
    await done('source', ['ssh', 'ca', 'create', '--mount', 'ca-ec', '--key-type', 'ec']);
    const drift = await run('source', ['plan', 'own']);
    expect([drift.code, drift.stdout]).toEqual([10, expect.stringContaining('! secrets.ssh-ca ca-ec (')]);
  });
});

describe('validate', () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUq+pWFfL94hJx0/gfcNqYClTILOalQ2kSoN4qq1dj+';
  test.each([
    [`{public_key: ${key}}`, undefined],
    [`{public_key: ${key}, generate_signing_key: true, key_type: ed25519}`, undefined],
    ['{}', undefined],
    ['{generate_signing_key: false}', 'missing field "private_key"'],
    [`{public_key: ${key}, generate_signing_key: false}`, 'missing field "private_key"'],
    ['{private_key: {valueFrom: env://CA}}', 'missing field "public_key"'],
    [`{private_key: {valueFrom: env://CA}, public_key: ${key}}`, undefined],
    [
      `{private_key: {valueFrom: env://CA}, public_key: ${key}, generate_signing_key: true}`,
      '"private_key" cannot be combined with "generate_signing_key: true"',
    ],
    [`{public_key: ${key}, key_type: rsa}`, '"key_type: rsa" contradicts "public_key"'],
    ['{public_key: -----BEGIN OPENSSH PRIVATE KEY-----}', 'invalid "public_key"'],
  ])('%s', async (spec, problem) => {
    at.write(
      'checked/ca.yaml',
      `apiVersion: lanyard/v1\nkind: secrets.ssh-ca\nmetadata: {mount: ssh}\nspec: ${spec}\n---\napiVersion: lanyard/v1\nkind: Set\nmetadata: {name: a, id: aaaaaaaaaa}\n`,
    );
    const ran = await at.run(['validate', 'checked']);
    expect([ran.code, ran.stdout]).toEqual(
      problem === undefined ? [0, expect.stringContaining('Valid')] : [2, expect.stringContaining(problem)],
    );
  });
});
