import { beforeEach, describe, expect, test } from 'vitest';
import { signing } from '../signing.ts';

const { at, services, run, done } = signing();
const record = '--record registry:ssh/record';
const history = async (flags = '') =>
  JSON.parse(await done(`ssh history ${record} ${flags} -o json`)) as readonly Record<string, unknown>[];

/** An entry as `ssh sign` writes it. */
const entry = (fields: object) => ({
  version: 1,
  time: '2026-11-20T08:00:00.000Z',
  user: 'userpass-ada',
  userFrom: 'token',
  username: 'ada',
  client: 'ada@laptop',
  service: 'https://bao.example.com:8200',
  mount: 'ssh',
  role: 'deploy',
  kind: 'user',
  principals: ['ubuntu'],
  serial: '1',
  keyId: 'vault-userpass-ada-1',
  fingerprint: 'SHA256:key',
  caFingerprint: 'SHA256:ca',
  validAfter: '2026-11-20T08:00:00.000Z',
  validBefore: '2026-11-20T09:00:00.000Z',
  ...fields,
});

interface Stored {
  readonly time: string;
  readonly serial: string;
}

/** Stores entries, or other texts, at the names of `ssh sign`. */
async function store(entries: readonly (Stored | readonly [name: string, text: string])[]): Promise<void> {
  const keys = entries.map((each) => {
    const isEntry = 'time' in each;
    const [day, clock = ''] = isEntry ? each.time.split('T') : [];
    const [name, text] = isEntry
      ? [`${day}/${clock.replaceAll(':', '')}-${each.serial}`, JSON.stringify(each)]
      : each;
    return { key: `ssh/record/${name}`, flags: 0, value: Buffer.from(text).toString('base64') };
  });
  await done('registry kv import -', { stdin: JSON.stringify(keys) });
}

const serials = (rows: readonly Record<string, unknown>[]) => rows.map(({ serial }) => serial);

beforeEach(async () => {
  await run('registry kv delete ssh/ --recursive --yes');
});

describe('ssh history', () => {
  const now = new Date('2026-11-27T12:00:00Z');
  const at8 = (day: number, fields: object) => {
    const time = `2026-11-${day}T08:00:00.000Z`;
    return entry({ time, ...fields });
  };
  const standard = [
    at8(20, { serial: '1' }),
    at8(25, { serial: '2', user: 'oidc-bob', username: undefined, entityId: 'e-1', role: 'ops' }),
    at8(26, { serial: '3', principals: [], keyId: 'other', validBefore: null }),
    at8(27, { serial: '18446744073709551615', validBefore: '2026-11-27T13:00:00.000Z' }),
  ].map((each) => JSON.parse(JSON.stringify(each)));

  test.each([
    ['', ['1', '2', '3', '18446744073709551615']],
    ['--user ada', ['1', '3', '18446744073709551615']],
    ['--user userpass-ada --limit 1', ['18446744073709551615']],
    ['--user e-1', ['2']],
    ['--principal ubuntu --role deploy', ['1', '3', '18446744073709551615']],
    ['--principal root', ['3']],
    ['--serial 0xffffffffffffffff', ['18446744073709551615']],
    ['--key-id other', ['3']],
    ['--valid', ['3', '18446744073709551615']],
    ['--since 36h', ['3', '18446744073709551615']],
    ['--since 2026-11-25 --until 2026-11-26T07:59:59Z', ['2']],
    ['--limit 2', ['3', '18446744073709551615']],
  ])('selects certificates with "%s"', async (flags, expected) => {
    await store(standard);
    const ran = await run(`ssh history ${record} ${flags} -o json`, { now });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(serials(JSON.parse(ran.stdout))).toEqual(expected);
  });

  test('shows a table, with what has expired', async () => {
    await store(standard.slice(0, 3));
    const ran = await run(`ssh history ${record}`, { now, columns: 160 });
    expect(ran.stdout).toMatchInlineSnapshot(`
      "[2mTIME[22m                     [2mUSER[22m          [2mROLE[22m    [2mPRINCIPALS[22m  [2mSERIAL[22m  [2mKEY ID[22m                [2mVALID UNTIL[22m
      2026-11-20 08:00:00 UTC  userpass-ada  deploy  ubuntu      1       vault-userpass-ada-1  2026-11-20 09:00:00 UTC [31m(expired)[39m
      2026-11-25 08:00:00 UTC  oidc-bob      ops     ubuntu      2       vault-userpass-ada-1  2026-11-20 09:00:00 UTC [31m(expired)[39m
      2026-11-26 08:00:00 UTC  userpass-ada  deploy  [33many[39m         3       other                 [33mforever[39m
      "
    `);
  });

  test('names other users if a user has no certificates', async () => {
    await store(standard);
    const ran = await run(`ssh history ${record} --user eve`, { now, columns: 120 });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('No certificates of user eve. Users are userpass-ada, oidc-bob.');
  });

  test('keeps fields of a newer version, escapes control characters, and counts what is no entry', async () => {
    const hostile = entry({ serial: '7', user: 'eve\u001b[2J\u202e', note: 'later', version: 2 });
    await store([
      hostile as Stored,
      ['2026-11-20/080000.001Z-8', '{"torn'],
      ['2026-11-20/080000.002Z-9', JSON.stringify(entry({ serial: 9 }))],
      ['2026-11-20/readme', 'text'],
      ['index', 'text'],
    ]);
    const json = await run(`ssh history ${record} -o json`);
    expect(JSON.parse(json.stdout)).toEqual([hostile]);
    expect(json.stderr).toBe(
      'warning: the list is incomplete: damaged entries: 2\nwarning: the list is incomplete: other names at this location: 2\n',
    );
    const table = await run(`ssh history ${record}`, { columns: 160 });
    for (const unsafe of ['\u001b[2J', '\u202e']) expect(table.stdout).not.toContain(unsafe);
  });

  test('streams one line for each certificate with -o jsonl', async () => {
    await store(standard);
    const lines = (await done(`ssh history ${record} -o jsonl`)).trimEnd().split('\n');
    expect(serials(lines.map((line) => JSON.parse(line)))).toEqual(serials(standard));
  });

  test('reads 10,000 entries with one request for each day', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => {
      const time = new Date(Date.UTC(2026, 10, 20 + (index % 4), 0, 0, 0, index)).toISOString();
      return entry({ serial: String(index), time });
    });
    for (let from = 0; from < many.length; from += 2500) await store(many.slice(from, from + 2500));
    const ran = await run(`ssh history ${record} --serial 9999 -o json --debug trace`);
    expect(serials(JSON.parse(ran.stdout))).toEqual(['9999']);
    const events = at
      .read('trace')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(events.filter((event) => event === 'request')).toHaveLength(5);
    expect(await history()).toHaveLength(10_000);
  }, 120_000);

  test.each([
    ['', 'no record of signed certificates in the settings'],
    [
      '--record ssh/record',
      'invalid location "ssh/record" of the record: expected registry:PREFIX or secrets:MOUNT/PATH',
    ],
    ['--record secrets:secret', 'invalid location "secrets:secret"'],
    ['--record registry:', 'invalid location "registry:"'],
    [`${record} --since yesterday`, 'invalid --since "yesterday": expected a date'],
    [`${record} --since 2026-13-45`, 'invalid --since "2026-13-45"'],
    [`${record} --since 1h --until 2h`, '--since must be before --until'],
    [`${record} --serial x`, 'invalid --serial "x"'],
    [`${record} --limit 0`, 'invalid --limit'],
    [`${record} --audit-log a`, '--audit-log cannot be combined with --record'],
    ['--audit-log - --audit-log -', '--audit-log - can be given only once'],
    ['--audit-log missing.log', 'cannot read'],
  ])('rejects "%s"', async (flags, message) => {
    const ran = await run(`ssh history ${flags}`);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  test('uses the record of the profile, and of LANYARD_SSH_RECORD before it', async () => {
    await store(standard);
    await done('profile put team --ssh-record registry:ssh/record', {});
    const addresses = `secrets.address=${services.addresses.secrets} registry.address=${services.addresses.registry}`;
    await done(`profile put team ${addresses}`);
    const ran = await run('ssh history -o json --profile team');
    expect(serials(JSON.parse(ran.stdout))).toHaveLength(4);
    const other = await run('ssh history -o json --profile team', {
      env: { LANYARD_SSH_RECORD: 'registry:ssh/other' },
    });
    expect(JSON.parse(other.stdout)).toEqual([]);
  });
});

describe('ssh record prune', () => {
  const now = new Date('2026-11-27T12:00:00Z');
  const prune = (flags: string) => run(`ssh record prune ${record} ${flags}`, { now });

  test('deletes entries of certificates that expired before the time, and keeps the others', async () => {
    const end = (validBefore: string | null, serial: string) => entry({ serial, validBefore });
    await store([
      end('2026-11-20T09:00:00.000Z', '1') as Stored,
      end('2026-11-26T09:00:00.000Z', '2') as Stored,
      end(null, '3') as Stored,
      ['2026-11-20/080000.001Z-4', '{"torn'],
    ]);
    const dry = await prune('--before 2d --dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain('DELETE');
    expect(await run(`ssh record prune ${record} --before 2d`, { now })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot prompt for confirmation'),
    });
    const ran = await prune('--before 2d --yes -o json');
    expect(JSON.parse(ran.stdout)).toEqual({
      record: 'registry:ssh/record',
      before: '2026-11-25T12:00:00.000Z',
      deleted: 1,
      kept: 3,
    });
    const left = await run('registry kv list ssh/record/ --recursive');
    expect(left.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(await prune('--before 2d --yes')).toMatchObject({
      code: 0,
      stdout:
        'Deleted 0 entries of certificates that expired before 2026-11-25 12:00:00 UTC from registry:ssh/record.\n',
    });
  });

  test('rejects a time in the future', async () => {
    expect(await prune('--before 2027-01-01 --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--before must not be in the future'),
    });
  });
});
