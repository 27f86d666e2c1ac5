import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectFailure,
  linesOf,
  outputOf,
  runnerOf,
  words,
} from '../../support/command-tests.ts';
import { losingWrites } from '../losing-proxy.ts';

const { at, running } = embeddedForEach();
let own: string;
const token = runnerOf(at, 'acl token');
const created = async (flags: string): Promise<{ AccessorID: string; SecretID: string }> =>
  JSON.parse((await token(`create ${flags} -o json`)).stdout);
const read = async (id: string) => JSON.parse((await token(`get ${id} -o json`)).stdout);
const missingId = '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11';

beforeEach(async () => {
  const { SecretID, AccessorID } = JSON.parse((await at.run(['acl', 'bootstrap', '-o', 'json'])).stdout);
  at.env.LANYARD_REGISTRY_TOKEN = SecretID;
  own = AccessorID;
  for (const name of ['deploy', 'test'])
    await at.run(['acl', 'policy', 'put', name, '--rules', `key_prefix "${name}/" { policy = "write" }`]);
  await at.run(['acl', 'role', 'put', 'ops', '--policy', 'test']);
});

describe('acl token create', () => {
  test('prints the secret with what the token has', async () => {
    const ran = await token('create --policy deploy --role ops --service-identity web:dc1 --ttl 1h');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^secret\t[\da-f-]{36}\naccessor\t[\da-f-]{36}\ngrants\tpolicy deploy, role ops, service identity web:dc1\nexpires\t\d{4}-.* UTC\n$/,
    );
  });

  test('takes every field', async () => {
    const id = '6a1253d2-1785-24fd-91c2-f8e78c745511';
    const secret = '45a3bd52-07c7-47a4-52fd-0745e0cfe967';
    const ran = await token(
      `create --policy deploy,test --node-identity n1:dc1 --local --description x --accessor ${id} --secret - --expires-at 2999-01-01T12:00:00+01:00 -o json`,
      { stdin: secret },
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      AccessorID: id,
      SecretID: secret,
      Policies: [{ Name: 'deploy' }, { Name: 'test' }],
      NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
      Local: true,
      Description: 'x',
      ExpirationTime: expect.stringContaining('2999-01-01T11:00:00'),
    });
  });

  test('warns about a token without permissions', async () => {
    expect((await token('create')).stderr).toContain('warning: the token has no permissions');
  });

  test.each([
    ['--ttl 1h --expires-at 2999-01-01T00:00:00Z', '--ttl cannot be combined with --expires-at'],
    ['--expires-at tomorrow', 'invalid --expires-at "tomorrow"'],
    ['--ttl soon', 'invalid --ttl "soon"'],
    ['--accessor x', 'invalid --accessor "x": expected a UUID'],
    ['--service-identity a:b:c', 'invalid --service-identity "a:b:c": expected NAME or NAME:DC,DC'],
    ['--node-identity n1', 'invalid --node-identity "n1": expected NAME:DC'],
    ['--templated-policy ,', 'invalid --templated-policy ","'],
  ])('rejects "%s" without sending anything', async (flags, message) => {
    expectFailure(await token(`create ${flags} --address http://127.0.0.1:9`), 2, message);
  });

  test('rejects a secret that is not a UUID without repeating it', async () => {
    const ran = await token('create --secret -', { stdin: 'hunter2' });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).not.toContain('hunter2');
  });

  test('reports a policy or role that does not exist', async () => {
    const policy = await token('create --policy nope');
    expectFailure(policy, 3, 'error: policy "nope" not found; nothing was written');
    expect((await token('create --role nope')).stderr).toContain('error: role "nope" not found');
  });

  test('reports an unknown outcome, or reads the token back if its ID was given', async () => {
    const lossy = await losingWrites(running.addresses.registry);
    const lost = await token(`create --policy deploy --address ${lossy.address}`);
    expectFailure(lost, 9, /Run `lanyard acl token list --address \S+` to see whether the token was created/);
    const id = '6a1253d2-1785-24fd-91c2-f8e78c745511';
    const found = await token(`create --policy deploy --accessor ${id} --address ${lossy.address}`);
    expect(found.code, found.stderr).toBe(0);
    expect(found.stdout).toContain(`accessor\t${id}`);
    expect(found.stderr).toContain('the response was lost, but the token was created');
  });
});

describe('acl token get, list and self', () => {
  test('redacts the secret unless it is to be shown', async () => {
    const { AccessorID, SecretID } = await created('--policy deploy');
    expect(await read(AccessorID)).toMatchObject({ SecretID: '<redacted>', Policies: [{ Name: 'deploy' }] });
    expect((await token('list -o json')).stdout).not.toContain(SecretID);
    expect((await token(`get ${AccessorID} --show-secret --field SecretID`)).stdout.trim()).toBe(SecretID);
    const self = await token('self', { env: { LANYARD_REGISTRY_TOKEN: SecretID } });
    expect(self.stdout).toContain(`accessor\t${AccessorID}\nsecret\t<redacted>\n`);
    const shown = await token('self --show-secret --field SecretID', {
      env: { LANYARD_REGISTRY_TOKEN: SecretID },
    });
    expect(shown.stdout.trim()).toBe(SecretID);
  });

  test('finds a token by a unique prefix of its ID', async () => {
    const one = '6a1253d2-1785-24fd-91c2-f8e78c745511';
    const other = '6a1253d3-1785-24fd-91c2-f8e78c745511';
    for (const id of [one, other]) await created(`--policy deploy --accessor ${id}`);
    expect((await read('6A1253D2')).AccessorID).toBe(one);
    expectFailure(await token('get 6a1253d'), 2, '2 tokens begin with "6a1253d"', other);
    expect((await token('get anonymous')).stdout).toContain('00000000-0000-0000-0000-000000000002');
  });

  test.each([
    ['6a1', 2, 'expected an accessor ID, or at least 4 characters of it'],
    ['deploy', 2, 'invalid token "deploy"'],
    ['ffffffff', 3, 'token "ffffffff" not found'],
    [missingId, 3, `token "${missingId}" not found`],
  ])('rejects "%s"', async (given, code, message) => {
    expectFailure(await token(`get ${given}`), code, message);
  });

  test('lists the tokens of a policy, a role or an auth method', async () => {
    const { AccessorID } = await created('--policy deploy --description first');
    const { AccessorID: other } = await created('--role ops');
    const ids = async (flags: string) =>
      linesOf((await token(`list ${flags}`.trim())).stdout).map((line) => line.split('\t')[0]);
    expect(await ids('')).toEqual(expect.arrayContaining([AccessorID, other, own]));
    expect(await ids('--policy deploy')).toEqual([AccessorID]);
    expect(await ids('--role ops')).toEqual([other]);
    expect(await ids('--auth-method none')).toEqual(['']);
    expect((await token('list --policy nope')).code).toBe(3);
    expect((await token('list --policy deploy --role ops')).stderr).toContain('cannot be combined');
  });

  test('reports a missing permission, and a token that the registry does not know', async () => {
    const { AccessorID, SecretID } = await created('--policy deploy');
    const env = { LANYARD_REGISTRY_TOKEN: SecretID };
    expect((await token(`get ${AccessorID}`, { env })).code).toBe(5);
    expect((await token('list', { env })).code).toBe(5);
    const unknown = await token('self', { env: { LANYARD_REGISTRY_TOKEN: missingId } });
    expectFailure(unknown, 4, 'cannot read own token');
  });
});

describe('acl token update', () => {
  test('keeps fields that are not given, and adds, removes and replaces links', async () => {
    const { AccessorID: id } = await created('--policy deploy --service-identity web:dc1 --description x');
    await token(`update ${id} --add-policy test --add-service-identity api`);
    expect(await read(id)).toMatchObject({
      Description: 'x',
      Policies: [{ Name: 'deploy' }, { Name: 'test' }],
      ServiceIdentities: [{ ServiceName: 'web', Datacenters: ['dc1'] }, { ServiceName: 'api' }],
    });
    const ran = await token(`update ${id} --remove-policy deploy --add-service-identity web:dc2 -o json`);
    expect(
      JSON.parse(ran.stdout)
        .changes.map(({ path }: { path: string[] }) => path.join('.'))
        .toSorted(),
    ).toEqual(['Policies', 'ServiceIdentities']);
    const after = await read(id);
    expect(after.Policies).toMatchObject([{ Name: 'test' }]);
    expect(after.ServiceIdentities).toContainEqual({ ServiceName: 'web', Datacenters: ['dc2'] });
    await token(`update ${id} --policy deploy --role ops --service-identity db`);
    expect(await read(id)).toMatchObject({
      Policies: [{ Name: 'deploy' }],
      Roles: [{ Name: 'ops' }],
      ServiceIdentities: [{ ServiceName: 'db' }],
    });
    expect((await token(`update ${id} --policy deploy`)).stdout).toBe(`Token ${id} is unchanged.\n`);
    await at.run([
      ...words('acl token update'),
      id,
      '--policy',
      '',
      '--service-identity',
      '',
      '--description',
      '',
    ]);
    const emptied = await read(id);
    expect(emptied.Policies ?? []).toEqual([]);
    expect(emptied).not.toHaveProperty('ServiceIdentities');
    expect(emptied).toMatchObject({ Description: '', Roles: [{ Name: 'ops' }] });
  });

  test('warns about a link to remove that does not exist', async () => {
    const { AccessorID: id } = await created('--policy deploy');
    const ran = await token(`update ${id} --remove-policy test`);
    expect(ran.stderr).toContain('no policy "test" to remove');
    expect(ran.stdout).toContain('is unchanged');
  });

  test.each([
    ['', 2, 'nothing to change'],
    ['--add-policy nope', 3, 'policy "nope" not found'],
  ])('rejects the flags "%s"', async (flags, code, message) => {
    const { AccessorID: id } = await created('--policy deploy');
    expectFailure(await token(`update ${id} ${flags}`.trim()), code, message);
  });

  test('a dry run shows the complete token that would be written', async () => {
    const { AccessorID: id } = await created('--policy deploy --local');
    const ran = await token(`update ${id} --description new --dry-run`);
    expect(ran.stdout).toContain(`PUT ${running.addresses.registry}/v1/acl/token/${id}`);
    expect(ran.stdout).toContain('"Local": true');
    expect((await read(id)).Description).toBe('');
  });
});

describe('acl token clone and delete', () => {
  test('clones a token', async () => {
    const { AccessorID, SecretID } = await created('--policy deploy');
    const ran = await token(`clone ${AccessorID.slice(0, 8)} --description second -o json`);
    const clone = JSON.parse(ran.stdout);
    expect(clone).toMatchObject({ Description: 'second', Policies: [{ Name: 'deploy' }] });
    expect(clone.SecretID).not.toBe(SecretID);
    expect((await token(`clone ${missingId}`)).code).toBe(3);
  });

  test('deletes a token after a confirmation', async () => {
    const { AccessorID: id, SecretID } = await created('--policy deploy --description job');
    expect((await token(`delete ${id}`)).stderr).toContain(`Delete token ${id} (job), with policy deploy?`);
    expect(outputOf(await token(`delete ${id} --yes -o json`))).not.toContain(SecretID);
    expect((await token(`delete ${id} --yes`)).code).toBe(3);
  });

  test('cannot delete the anonymous token', async () => {
    expectFailure(await token('delete anonymous --yes'), 1, 'not permitted');
  });
});
