import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';
import { lanyard } from '../../support/process.ts';

const { at } = embeddedForAll();

beforeAll(async () => {
  const ran = await at.run(['txn', 'apply', '-'], {
    stdin: [
      '- Node: {Verb: set, Node: {Node: n1, Address: 10.0.0.1, Meta: {rack: a}}}',
      '- Node: {Verb: set, Node: {Node: n2, Address: "2001:db8::2"}}',
      '- Service: {Verb: set, Node: n1, Service: {ID: db-1, Service: db, Port: 5432, Tags: [primary], Meta: {v: "1"}}}',
      '- Service: {Verb: set, Node: n2, Service: {ID: db-2, Service: db, Port: 5433, Tags: [replica], Address: 192.0.2.2}}',
      '- Check: {Verb: set, Check: {Node: n2, CheckID: c, Name: c, Status: warning, ServiceID: db-2}}',
    ].join('\n'),
  });
  if (ran.code !== 0) throw new Error(ran.stderr);
});

const query = (...argv: string[]) => at.run(['query', ...argv]);
const jsonOf = async (...argv: string[]) => JSON.parse((await query(...argv, '-o', 'json')).stdout);

describe('prepared queries of the embedded registry', () => {
  test('are created, read by name and ID, changed, executed and deleted', async () => {
    const made = await jsonOf(
      'create',
      'db-any',
      '--service',
      'db',
      '--node-meta',
      'rack=a',
      '--dns-ttl',
      '10s',
    );
    expect(made.ID).toMatch(/^[\da-f-]{36}$/);
    const [byName, byId] = [await jsonOf('get', 'db-any'), await jsonOf('get', made.ID)];
    expect(byName).toEqual(byId);
    expect(byName).toMatchObject({
      Name: 'db-any',
      Service: { Service: 'db', NodeMeta: { rack: 'a' } },
      DNS: { TTL: '10s' },
    });
    expect((await query('exec', 'db-any', '--format', 'addr')).stdout).toBe('10.0.0.1:5432\n');

    const updated = await query(
      'update',
      'db-any',
      '--unset',
      'node-meta',
      '--tag',
      '!primary',
      '--near',
      'n1',
    );
    expect(updated).toMatchObject({ code: 0, stderr: '' });
    expect(await jsonOf('get', 'db-any')).toMatchObject({
      DNS: { TTL: '10s' },
      Service: { Tags: ['!primary'], Near: 'n1' },
    });
    expect((await query('exec', 'db-any')).stdout).toBe('n2\t192.0.2.2\t5433\treplica\twarning\tdc1\n');
    expect((await query('list')).stdout).toContain(`db-any\tquery\tdb\t-\t${made.ID}\n`);

    expect(await query('delete', 'db-any', '--yes')).toMatchObject({ code: 0 });
    expect(await query('get', 'db-any')).toMatchObject({ code: 3, stdout: '' });
    expect(await query('get', made.ID)).toMatchObject({ code: 3, stdout: '' });
    expect(await query('exec', 'db-any')).toMatchObject({ code: 3, stdout: '' });
    expect(await query('delete', made.ID, '--yes')).toMatchObject({ code: 3, stdout: '' });
  });

  test('templates are explained and executed by name', async () => {
    const made = await jsonOf(
      ...['create', 'find-', '--template', 'name_prefix_match', '--regexp', '^find-(\\w+)-(\\w*)$'],
      ...['--service', `\${match(1)}`, '--tag', `\${match(2)}`, '--remove-empty-tags'],
    );
    expect((await query('explain', 'find-db-primary')).stdout).toMatch(/^service\tdb\ntags\tprimary$/m);
    expect((await query('exec', 'find-db-primary', '--format', 'hosts')).stdout).toBe('10.0.0.1 n1\n');
    const all = await query('exec', 'find-db-', '--near', 'n2', '--limit', '1', '--format', 'hosts');
    expect(all.stdout).toBe('2001:db8::2 n2\n');
    const none = await query('exec', 'find-nothing-x');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toBe('dc1 returned no instances of nothing.\n');
    expect(await query('exec', made.ID)).toMatchObject({ stdout: '' });
    expect((await query('exec', made.ID)).code).not.toBe(0);
    await query('delete', 'find-', '--yes');
  });

  test('put from a file is idempotent', async () => {
    at.write(
      'queries.yaml',
      [
        'Name: one\nService:\n  Service: db\n  Failover: {NearestN: 2, Datacenters: [dc2]}\n',
        `Name: ""\nTemplate: {Type: name_prefix_match, RemoveEmptyTags: true}\nService: {Service: "\${name.full}", Tags: ["", primary]}\n`,
        'Name: three\nService: {Service: db, NodeMeta: {a: ""}, OnlyPassing: true}\nDNS: {TTL: 1m}\n',
      ].join('---\n'),
    );
    const actions = async () =>
      (await jsonOf('put', '--file', 'queries.yaml')).map(({ action }: { action: string }) => action);
    expect(await actions()).toEqual(['create', 'create', 'create']);
    expect(await actions()).toEqual(['unchanged', 'unchanged', 'unchanged']);
    // What the service shows of them is theirs as well.
    const listed = await query('list', '-o', 'json');
    const again = await at.run(['query', 'put', '--file', '-', '-o', 'json'], { stdin: listed.stdout });
    expect(again).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout).every(({ action }: { action: string }) => action === 'unchanged')).toBe(
      true,
    );
    expect((await query('exec', 'db', '--format', 'addr')).stdout).toBe('10.0.0.1:5432\n');
    for (const { ID } of JSON.parse(listed.stdout)) await query('delete', ID, '--yes');
    expect((await query('list')).stdout).toBe('');
  });

  test('a duplicate name is a conflict in update and edit', async () => {
    for (const name of ['mine', 'theirs'])
      expect((await query('create', name, '--service', 'db')).code).toBe(0);
    const renamed = await query('update', 'mine', '--name', 'theirs');
    expectFailure(renamed, 6, 'a prepared query with this name already exists', 'Choose another name');
    const env = { EDITOR: `sed -i 's/^Name: mine/Name: theirs/'` };
    expect((await at.run(['query', 'edit', 'mine'], { env })).code).toBe(6);
    expect((await query('get', 'mine')).code).toBe(0);
    for (const name of ['mine', 'theirs']) await query('delete', name, '--yes');
  });

  test('edits in a real editor; a concurrent change is a conflict', async () => {
    await query('create', 'edited', '--service', 'db');
    const edit = (EDITOR: string) => at.run(['query', 'edit', 'edited'], { env: { EDITOR } });
    expect((await edit(`sed -i 's/OnlyPassing: false/OnlyPassing: true/'`)).stdout).toBe(
      'Updated query edited.\nService.OnlyPassing\t(none)\ttrue\n',
    );
    expect(await jsonOf('get', 'edited')).toMatchObject({ Service: { OnlyPassing: true } });

    const { ID } = await jsonOf('get', 'edited');
    const put = `${lanyard} query update ${ID} --near theirs > '${at.file('put')}'`;
    at.write('race.sh', `${put}; sed -i 's/Near: ""/Near: mine/' "$1"\n`);
    const conflict = await edit(`sh '${at.file('race.sh')}'`);
    expectFailure(conflict, 6, 'Service.Near (both changed it): (none) → yours "mine", theirs "theirs"');
    expect(await jsonOf('get', 'edited')).toMatchObject({ Service: { Near: 'theirs' } });
    const line = /`lanyard (query update .*)` to write it/.exec(conflict.stderr)?.[1] ?? '';
    expect((await at.run(line.split(' '))).code).toBe(0);
    expect(await jsonOf('get', 'edited')).toMatchObject({ Service: { Near: 'mine', OnlyPassing: true } });
    await query('delete', 'edited', '--yes');
  });

  test('keep a token that is hidden from the caller', async () => {
    const env = { T: 'b1gs33cr3t-t0k3n' };
    const made = await at.run(['query', 'create', 'kept', '--service', 'db', '--token', 'env://T'], { env });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const got = await query('get', 'kept', '-o', 'yaml');
    expect(got.stdout).toContain('Token: <hidden>\n');
    const equal = await at.run(['query', 'put', '--file', '-'], { stdin: got.stdout });
    expect(equal).toMatchObject({ code: 0, stdout: 'Query kept is unchanged.\n' });
    for (const argv of [
      ['update', 'kept', '--near', 'n1'],
      ['put', 'kept', '--service', 'other'],
    ])
      expect(await query(...argv)).toMatchObject({ code: 5, stdout: '' });
    expect(await query('update', 'kept', '--near', 'n1', '--unset', 'token')).toMatchObject({ code: 0 });
    expect(await jsonOf('get', 'kept')).toMatchObject({ Token: '', Service: { Near: 'n1' } });
    await query('delete', 'kept', '--yes');
  });

  test.each([
    [['create', 'a', '--service', 'db', '--session', 'none'], /invalid session/],
    [['create', 'b', '--template', 'name_prefix_match', '--service', 'x', '--regexp', '('], /Bad Regexp/],
  ])('are rejected with the message of the service: %j', async (argv, words) => {
    expectFailure(await query(...argv), 1, words);
  });

  test('names are unique', async () => {
    await query('create', 'twice', '--service', 'db');
    const ran = await query('create', 'twice', '--service', 'db');
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: cannot write the query: a prepared query with this name already exists\n.*twice/,
    );
  });
});
