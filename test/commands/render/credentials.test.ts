import { expect, onTestFinished, test } from 'vitest';
import { homeForTest } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { leasingService } from '../leasing-service.ts';

type Behavior = Parameters<typeof leasingService>[0];

const template =
  '{% assign db = "database/app" | creds %}{{ db.username }}:{{ db.password }} {{ db.lease_id }}\n';

async function started(behavior?: Behavior) {
  const at = homeForTest();
  const service = await leasingService(behavior);
  Object.assign(at.env, service.env, { LANYARD_SECRETS_TOKEN: 'a-token' });
  at.write('db.liquid', template);
  return { at, service };
}

/** Starts `render --watch` with credentials that are replaced as early as possible. */
function watching(at: ReturnType<typeof homeForTest>, target: string) {
  const stop = new AbortController();
  let stderr = '';
  const ended = at.run(['render', target, '--watch', '--debounce', '50ms'], {
    signal: stop.signal,
    random: (length) => new Uint8Array(length),
    inventedResponses: true,
    onStderr: (text) => {
      stderr += text;
    },
  });
  onTestFinished(async () => {
    stop.abort('SIGTERM');
    await ended;
  });
  return { ended, stderr: () => stderr };
}

test('writes new credentials once for all templates, and does not revoke them', async () => {
  const { at, service } = await started();
  const ran = await at.run(['render', 'db.liquid:one.conf', 'db.liquid:two.conf'], {
    inventedResponses: true,
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(at.read('one.conf')).toBe(at.read('two.conf'));
  expect(at.read('one.conf')).toMatch(/^\S+:\S+ database\/creds\/app\/\S+\n$/);
  expect(service.valid()).toHaveLength(1);
});

test('--watch replaces credentials before they end', async () => {
  const { at, service } = await started({ lifetimes: [3] });
  watching(at, 'db.liquid:db.conf');
  const first = await eventually(() => {
    const text = at.read('db.conf');
    expect(text).toMatch(/database/);
    return text;
  });
  await eventually(() => expect(at.read('db.conf')).not.toBe(first));
  expect(service.valid().length).toBeGreaterThan(1);
});

test('--dry-run generates none', async () => {
  const { at, service } = await started();
  const ran = await at.run(['render', 'db.liquid:db.conf', '--dry-run'], { inventedResponses: true });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(
    'cannot render db.liquid:1:1: credentials of "database/app" are not generated in a dry run\n',
  );
  expect(service.valid()).toEqual([]);
});

test('--watch rejects a path that returns a lease with each read', async () => {
  const { at } = await started();
  at.write('read.liquid', '{{ ("database/creds/app" | read).username }}');
  const { ended } = watching(at, 'read.liquid:read.conf');
  const ran = await ended;
  expect(ran).toMatchObject({ code: 2 });
  expect(ran.stderr).toContain(
    '"database/creds/app" cannot be watched: each read returns new credentials with a lease\n',
  );
});

test('a denied request is an error', async () => {
  const { at } = await started({ failing: { creds: 403 } });
  expect(await at.run(['render', 'db.liquid'], { inventedResponses: true })).toMatchObject({
    code: 5,
    stdout: '',
  });
});
