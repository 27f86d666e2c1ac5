import { expect, test } from 'vitest';
import { expectFailure, homeForAll, quietOutputOf, words } from '../../support/command-tests.ts';
import type { RunOptions } from '../../support/run.ts';
import { type IssuerServer, issuerServer } from './issuer-server.ts';

const at = homeForAll();
const noDelay = { random: (length: number) => new Uint8Array(length) };
const run = (server: IssuerServer, line: string, options: RunOptions = {}) =>
  at.run(words(`${line} --address ${server.url}`), {
    ...noDelay,
    ...options,
    env: { LANYARD_SECRETS_TOKEN: server.token, ...options.env },
  });
// biome-ignore lint/suspicious/noExplicitAny: results of commands, inspected by tests
const json = async (server: IssuerServer, line: string, options: RunOptions = {}): Promise<any> =>
  JSON.parse(quietOutputOf(await run(server, `${line} -o json`, options)));

const oldId = '00000001-fbd8-f2c0-6ea5-3429ede8a546';
const newId = '00000003-fbd8-f2c0-6ea5-3429ede8a546';
const now = new Date('2026-11-27T20:45:12.300Z');
const after = (hours: number) => ({ now: new Date(now.getTime() + hours * 3_600_000) });

/** A mount with a default issuer, another one, and roles that name issuers in each way. */
async function mount(...lines: readonly string[]): Promise<IssuerServer> {
  const server = await issuerServer('2026', 'other');
  server.roles.set('plain', { max_ttl: 7200 });
  server.roles.set('named', { issuer_ref: '2026', max_ttl: 36_000, allowed_users: 'a,b' });
  server.roles.set('by-id', { issuer_ref: oldId, max_ttl: 60 });
  server.roles.set('other', { issuer_ref: 'other', max_ttl: 864_000 });
  server.roles.set('otp', { key_type: 'otp', cidr_list: '10.0.0.0/8' });
  for (const line of lines) quietOutputOf(await run(server, line, { now }));
  server.writes.length = 0;
  return server;
}

const start = 'ssh ca rotate start';
const change = 'ssh ca rotate switch --yes';
const back = 'ssh ca rotate rollback --yes';
const references = ({ roles }: IssuerServer) =>
  Object.fromEntries([...roles].map(([name, role]) => [name, role.issuer_ref]));
const replaced = { plain: undefined, named: newId, 'by-id': newId, other: 'other', otp: undefined };

test('adds an issuer, makes it the default, moves the roles of the old one, and deletes the old one', async () => {
  const server = await mount();
  expect(await json(server, start, { now })).toMatchObject({
    phase: 'started',
    old: { issuerId: oldId, issuerName: '2026' },
    new: { issuerId: newId, issuerName: `replaces-${oldId}` },
    rolesOfOld: ['named', 'by-id'],
  });
  expect(server.byDefault).toBe(oldId);
  const asked = await run(server, 'ssh ca rotate switch', { columns: 400, typed: 'n\n' });
  expectFailure(asked, 1, 'Roles that are changed: named, by-id.');
  expect(await json(server, change, { now })).toMatchObject({
    phase: 'switched',
    // The longest lifetime of the roles that signed with it: ten hours.
    oldValidUntil: '2026-11-28T06:45:12Z',
    secondsLeft: 36_000,
    rolesOfOld: [],
  });
  expect(server.byDefault).toBe(newId);
  expect(references(server)).toEqual(replaced);
  expect(server.roles.get('named')).toMatchObject({ max_ttl: 36_000, allowed_users: 'a,b' });
  expectFailure(await run(server, 'ssh ca rotate retire --yes', after(9)), 6, '(1 hour left)');
  expect(await json(server, 'ssh ca rotate retire --yes', after(11))).toMatchObject({ phase: 'none' });
  expect([...server.issuers.keys()]).toEqual(['00000002-fbd8-f2c0-6ea5-3429ede8a546', newId]);
  // The next rotation begins with the issuer that this one made.
  expect(await json(server, start)).toMatchObject({ phase: 'started', old: { issuerId: newId } });
});

test.each([
  [start, []],
  [change, [start]],
  [back, [start, change]],
  ['ssh ca rotate retire --force --yes', [start, change]],
])('%s continues if the service is gone after any of its writes', async (line, before) => {
  const stateOf = (server: IssuerServer) => ({
    issuers: [...server.issuers].map(([id, { name }]) => [id, name]),
    byDefault: server.byDefault,
    references: references(server),
  });
  const whole = await mount(...before);
  quietOutputOf(await run(whole, line, { now }));
  expect(whole.writes).not.toEqual([]);
  for (let last = 1; last <= whole.writes.length; last += 1) {
    const server = await mount(...before);
    server.breaksAfter = last;
    expect((await run(server, line, { now })).code).not.toBe(0);
    server.breaksAfter = undefined;
    const again = await run(server, line, { now });
    expect([0, 6], again.stderr).toContain(again.code);
    expect(stateOf(server), `after ${server.writes.join(', ')}`).toEqual(stateOf(whole));
  }
});

test('a start by two people leaves one rotation', async () => {
  const server = await mount();
  const both = await Promise.all([run(server, start), run(server, start)]);
  for (const { code, stderr } of both) expect([0, 6], stderr).toContain(code);
  expect(server.issuers.size).toBe(3);
  expectFailure(await run(server, start), 6, 'one is in progress (phase started)');
});

test('knows the phase after steps by hand, and does not trust a time from before', async () => {
  const server = await mount(start);
  server.byDefault = newId;
  expect(await json(server, 'ssh ca rotate status')).toMatchObject({ phase: 'switching' });
  expect(await json(server, change, { now })).toMatchObject({ phase: 'switched' });
  // Somebody lets the old one sign again: the time in the name is no longer true.
  server.byDefault = oldId;
  expect(await json(server, 'ssh ca rotate status')).toMatchObject({ phase: 'started', oldValidUntil: null });
  expect(await json(server, change, after(100))).toMatchObject({ oldValidUntil: '2026-12-02T10:45:12Z' });
  server.roles.set('late', { issuer_ref: '2026', max_ttl: 60 });
  expect(await json(server, 'ssh ca rotate status')).toMatchObject({
    phase: 'switching',
    rolesOfOld: ['late'],
  });
  expectFailure(await run(server, 'ssh ca rotate retire --yes', after(9999)), 6, 'phase switching');
  server.byDefault = '00000002-fbd8-f2c0-6ea5-3429ede8a546';
  expectFailure(
    await run(server, 'ssh ca rotate status'),
    6,
    'the default issuer of ssh/ is not part of its rotation',
  );
});

test('rolls back roles and default, and deletes the new issuer only with --delete', async () => {
  const server = await mount(start, change);
  expect(await json(server, back)).toMatchObject({
    phase: 'started',
    new: { issuerName: `replaces-${oldId}` },
  });
  expect(server.byDefault).toBe(oldId);
  expect(references(server)).toMatchObject({ named: '2026', 'by-id': '2026', other: 'other' });
  expect(await json(server, `${back} --delete`)).toMatchObject({ phase: 'none', new: null });
  expect(server.issuers.has(newId)).toBe(false);
});

test('sends nothing in a dry run', async () => {
  const server = await mount(start);
  for (const line of [change, `${back} --delete`])
    expect((await run(server, `${line} --dry-run`)).stdout).toContain('Dry run: nothing was sent.');
  expect(server.writes).toEqual([]);
});

test('ssh trust installs all issuers of a mount, and says what it cannot list without a token', async () => {
  const server = await mount(start);
  const keys = [...server.issuers.values()].map(({ publicKey }) => publicKey);
  const [oldKey = '', otherKey = '', newKey = ''] = keys;
  quietOutputOf(await run(server, `ssh trust --users ${at.file('all')}`));
  expect(at.read('all')).toBe(`${oldKey}${otherKey}${newKey}`);

  const anonymous = { env: { LANYARD_SECRETS_TOKEN: '' } };
  const partial = await run(server, `ssh trust --users ${at.file('one')}`, anonymous);
  expect(partial.code).toBe(0);
  expect(partial.stderr).toContain('warning: incomplete: cannot read the other issuers of ssh/: ');
  expect(at.read('one')).toBe(oldKey);
  const named = `ssh trust --users ${at.file('two')} --issuer ${oldId} --issuer replaces-${oldId}`;
  quietOutputOf(await run(server, named, anonymous));
  expect(at.read('two')).toBe(`${oldKey}${newKey}`);
  expectFailure(
    await run(server, 'ssh trust --issuer nope', anonymous),
    3,
    'issuer "nope" not found in ssh/',
  );
  const { commands } = await json(server, 'ssh ca rotate trust');
  expect(commands[0].lines).toEqual([
    `lanyard ssh trust --mount ssh --issuer ${oldId} --issuer ${newId} --users /etc/ssh/trusted-user-ca-keys.pem`,
  ]);
});
