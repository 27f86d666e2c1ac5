import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure } from '../../support/command-tests.ts';
import { losingProxy } from '../losing-proxy.ts';

const { running, run, done } = embeddedForEach();
const create = async (flags: string): Promise<string> =>
  (await done(`registry session create ${flags} --field ID`)).trim();
const missing = '00000000-0000-4000-8000-000000000000';

describe('registry session', () => {
  test('creates, shows and lists sessions', async () => {
    const id = await create('--name backup --ttl 1h --lock-delay 2s --behavior delete');
    expect(await done(`registry session get ${id}`)).toMatch(
      new RegExp(
        `^ID\t${id}\nname\tbackup\nnode\t\\S+\nTTL\t1h\nlock delay\t2s\nbehavior\tdelete\nchecks\tserfHealth\n$`,
      ),
    );
    expect(JSON.parse(await done(`registry session get ${id} -o json`))).toMatchObject({
      ID: id,
      Name: 'backup',
      TTL: '1h',
      LockDelay: 2_000_000_000,
      Behavior: 'delete',
    });
    const other = await create('--node-check serfHealth');
    const list = await done('registry session list');
    expect(list).toContain(`${id}\tbackup\t`);
    expect(list).toMatch(new RegExp(`^${other}\t-\t\\S+\t-\t15s\trelease$`, 'm'));
    const node = JSON.parse(await done(`registry session get ${id} -o json`)).Node;
    expect(JSON.parse(await done(`registry session list --node ${node} -o json`))).toHaveLength(2);
    expect(await done('registry session list --node none')).toBe('');
  });

  test('delete asks, and releases the locks', async () => {
    const id = await create('--name backup --lock-delay 0s');
    await done(`registry kv put app/leader x --acquire ${id}`);
    const declined = await run(`registry session delete ${id}`, { columns: 100, typed: 'n\n' });
    expect(declined.stderr).toContain(`Delete session ${id} (backup)? Its locks are released.`);
    expect(await done(`registry session delete ${id} --yes`)).toBe(`Deleted session ${id}.\n`);
    expect(JSON.parse(await done('registry kv get app/leader -o json'))).not.toHaveProperty('Session');
    const deleting = await create('--behavior delete --lock-delay 0s');
    await done(`registry kv put app/own x --acquire ${deleting}`);
    const prompted = await run(`registry session delete ${deleting}`, { columns: 100, typed: 'y\n' });
    expect(prompted.stderr).toContain('Its keys are deleted.');
    expect((await run('registry kv get app/own')).code).toBe(3);
  });

  test.each([
    [`get ${missing}`, 3, `session "${missing}" not found`],
    [`delete ${missing} --yes`, 3, `session "${missing}" not found`],
    ['create --ttl 1s', 2, 'invalid --ttl 1s: expected 10s to 24h'],
    ['create --lock-delay 2m', 2, 'invalid --lock-delay 2m: expected at most 60s'],
    ['create --node none', 1, 'Missing node registration'],
    ['get a/b', 2, 'must not contain "/"'],
  ])('reports %s', async (line, code, problem) => {
    expectFailure(await run(`registry session ${line}`), code, problem);
  });

  test('a lost response to delete is settled by reading', async () => {
    const id = await create('--ttl 1h');
    const lossy = await losingProxy(running.addresses.registry, /destroy/);
    expect(await done(`registry session delete ${id} --yes --address ${lossy.address}`)).toContain(
      'Deleted session',
    );
    expect(lossy.lost).toHaveLength(1);
  });

  test('a lost response to create is an unknown outcome', async () => {
    const lossy = await losingProxy(running.addresses.registry, /create/);
    const ran = await run(`registry session create --address ${lossy.address}`);
    expect(ran).toMatchObject({ code: 9, stdout: '' });
    expect(ran.stderr).toContain(
      `Run \`lanyard registry session list --address ${lossy.address}\` to find a session that was created.`,
    );
  });
});
