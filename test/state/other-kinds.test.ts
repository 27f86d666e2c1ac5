import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Identity, JsonObject, Kind, Live, Services } from '../../src/state/kind.ts';
import { accountsAccount } from '../../src/state/kinds/accounts-account.ts';
import { accountsAuthMethod } from '../../src/state/kinds/accounts-auth-method.ts';
import { boxBox } from '../../src/state/kinds/box-box.ts';
import { boxProvider } from '../../src/state/kinds/box-provider.ts';
import { boxRelease } from '../../src/state/kinds/box-release.ts';
import { boxVersion } from '../../src/state/kinds/box-version.ts';
import { schedulerNamespace } from '../../src/state/kinds/scheduler-namespace.ts';
import { schedulerVariable } from '../../src/state/kinds/scheduler-variable.ts';
import { homeForAll, servicesForAll, words } from '../support/command-tests.ts';
import { readExisting } from './bench.ts';
import { clientsOf } from './clients.ts';

const at = homeForAll();
const running = servicesForAll(at);
let clients: Services;
beforeAll(async () => {
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  clients = clientsOf(at);
});

const resolvePath = (path: string): string => at.file(path);
const create = (kind: Kind, identity: Identity, spec: JsonObject = {}) =>
  kind.create(clients, { identity, spec, live: undefined, resolvePath });
const update = (kind: Kind, identity: Identity, live: Live, spec: JsonObject) =>
  kind.update(clients, { identity, spec, live, resolvePath });
const read = (kind: Kind, identity: Identity) => readExisting(clients, kind, identity);
const conflict = { kind: 'conflict' };

describe('the scheduler', () => {
  const scheduler = async (path: string, body: object, token = '') => {
    const response = await fetch(`${running.addresses.scheduler}/v1/${path}`, {
      method: 'POST',
      headers: { 'X-Nomad-Token': token },
      body: JSON.stringify(body),
    });
    return (await response.json().catch(() => ({}))) as { SecretID: string };
  };

  test('lists are complete with a management token, and are an error with another token', async () => {
    const inDefault = { scope: { namespace: 'default' }, key: 'st/hidden' };
    await create(schedulerVariable, inDefault, { Items: { a: 'b' } });
    const { SecretID: management } = await scheduler('acl/bootstrap', {});
    const rules = 'namespace "default" { variables { path "visible/*" { capabilities = ["list"] } } }';
    await scheduler('acl/policy/st-visible', { Name: 'st-visible', Rules: rules }, management);
    const client = { Name: 'st', Type: 'client', Policies: ['st-visible'] };
    const { SecretID: limited } = await scheduler('acl/token', client, management);
    for (const token of [limited, '']) {
      const limitedClients = clientsOf({ ...at, env: { ...at.env, LANYARD_SCHEDULER_TOKEN: token } });
      for (const kind of [schedulerVariable, schedulerNamespace])
        await expect(kind.list(limitedClients)).rejects.toMatchObject({ kind: 'forbidden' });
    }
    const managed = clientsOf({ ...at, env: { ...at.env, LANYARD_SCHEDULER_TOKEN: management } });
    expect(await schedulerVariable.list(managed)).toContainEqual(inDefault);
    expect(await schedulerNamespace.list(managed)).toContainEqual({ scope: {}, key: 'default' });
    clients = managed;
  });

  test('a namespace with variables is not deleted', async () => {
    const team = { scope: {}, key: 'st-full' };
    await create(schedulerNamespace, team);
    await expect(create(schedulerNamespace, team)).rejects.toMatchObject(conflict);
    await create(schedulerVariable, { scope: { namespace: 'st-full' }, key: 'a' }, { Items: { a: 'b' } });
    const live = await read(schedulerNamespace, team);
    await expect(schedulerNamespace.remove(clients, team, live)).rejects.toMatchObject(conflict);
    expect(await read(schedulerNamespace, team)).toEqual(live);
  });

  test('a stale deletion of a variable is a conflict', async () => {
    const path = { scope: { namespace: 'default' }, key: 'st/stale' };
    await create(schedulerVariable, path, { Items: { a: 'b' } });
    const live = await read(schedulerVariable, path);
    await update(schedulerVariable, path, live, { Items: { a: 'c' } });
    await expect(schedulerVariable.remove(clients, path, live)).rejects.toMatchObject(conflict);
    expect((await read(schedulerVariable, path)).spec).toEqual({ Items: { a: 'c' } });
  });
});

describe('the box registry', () => {
  const box = { scope: { owner: 'dev' }, key: 'st-kinds' };
  const version = { scope: { owner: 'dev', box: 'st-kinds' }, key: '1.0.0' };
  const providerNamed = (key: string, architecture = 'unknown'): Identity => ({
    scope: { owner: 'dev', box: 'st-kinds', version: '1.0.0', architecture },
    key,
  });
  const content = 'an image\n';
  const checksum = createHash('sha256').update(content).digest('hex');
  const other = createHash('sha256').update('another').digest('hex');
  beforeAll(async () => {
    at.write('kinds.box', content);
    await create(boxBox, box);
    await create(boxVersion, version);
  });

  test('a box is private unless the file says otherwise, also after an update', async () => {
    expect((await read(boxBox, box)).spec.is_private).toBe(true);
    await update(boxBox, box, await read(boxBox, box), { description: 'x', is_private: null });
    expect((await read(boxBox, box)).spec).toEqual({
      short_description: '',
      description: 'x',
      is_private: true,
    });
  });

  test('nothing is created if the file has another checksum', async () => {
    const identity = providerNamed('virtualbox');
    const spec = { file: 'kinds.box', checksum: other };
    await expect(create(boxProvider, identity, spec)).rejects.toMatchObject({
      kind: 'usage',
      details: [`sha256 of the file: ${checksum}`],
    });
    await expect(create(boxProvider, identity, { file: 'missing.box', checksum })).rejects.toMatchObject({
      kind: 'usage',
    });
    expect(await boxProvider.read(clients, identity)).toBeUndefined();
  });

  test('a provider without an image has no checksum, and its version is not released', async () => {
    const identity = providerNamed('libvirt');
    await create(boxProvider, identity, { checksum });
    expect((await read(boxProvider, identity)).spec.checksum).toBe('');
    await expect(create(boxRelease, version)).rejects.toMatchObject({
      kind: 'conflict',
      details: ['Provider libvirt has no image.'],
    });
    await update(boxProvider, identity, await read(boxProvider, identity), { file: 'kinds.box', checksum });
    expect((await read(boxProvider, identity)).spec.checksum).toBe(checksum);
  });

  test('providers of one name and several architectures are distinct', async () => {
    await create(boxProvider, providerNamed('qemu', 'arm64'), { url: 'https://example.com/arm64.box' });
    expect(await boxProvider.read(clients, providerNamed('qemu'))).toBeUndefined();
    await create(boxProvider, providerNamed('qemu'), { url: 'https://example.com/any.box' });
    await create(boxProvider, providerNamed('qemu', 'amd64'), { url: 'https://example.com/amd64.box' });
    const live = await read(boxProvider, providerNamed('qemu'));
    expect(live.spec.url).toBe('https://example.com/any.box');
    await update(boxProvider, providerNamed('qemu'), live, {
      ...live.spec,
      url: 'https://example.com/b.box',
    });
    const urls = ['arm64', 'unknown', 'amd64'].map(
      async (architecture) => (await read(boxProvider, providerNamed('qemu', architecture))).spec.url,
    );
    expect(await Promise.all(urls)).toEqual([
      'https://example.com/arm64.box',
      'https://example.com/b.box',
      'https://example.com/amd64.box',
    ]);
    expect((await boxProvider.list(clients)).filter(({ key }) => key === 'qemu')).toHaveLength(3);
    const unknown = await read(boxProvider, providerNamed('qemu'));
    await boxProvider.remove(clients, providerNamed('qemu'), unknown);
    expect(await boxProvider.read(clients, providerNamed('qemu'))).toBeUndefined();
    expect(await boxProvider.read(clients, providerNamed('qemu', 'arm64'))).toBeDefined();
  });

  test('a revoked version is not released again', async () => {
    await create(boxRelease, version);
    await expect(create(boxRelease, version)).rejects.toMatchObject(conflict);
    await boxRelease.remove(clients, version, await read(boxRelease, version));
    await expect(create(boxRelease, version)).rejects.toThrow(/the version is revoked/);
  });

  test('what contains other objects is not deleted', async () => {
    await expect(boxBox.remove(clients, box, await read(boxBox, box))).rejects.toMatchObject({
      kind: 'conflict',
      details: ['version 1.0.0'],
    });
    const live = await read(boxVersion, version);
    await expect(boxVersion.remove(clients, version, live)).rejects.toMatchObject(conflict);
  });

  test('boxes of the owners of known objects are listed too', async () => {
    const known = [{ scope: { owner: 'missing' }, key: 'web' }];
    expect(await boxBox.list(clients, known)).toContainEqual(box);
  });

  test.each([
    [{ file: 'a.box', url: 'https://example.com', checksum }, ['expected either "file" or "url"']],
    [{ file: 'a.box' }, [expect.stringContaining('missing field "checksum"')]],
    [{ checksum: 'abc' }, [expect.stringContaining('invalid checksum')]],
    [{ checksum, checksum_type: 'md5' }, ['invalid checksum: it has the length of sha256, not of md5']],
    [{ file: 'a.box', checksum, checksum_type: 'sha256' }, []],
    [{ checksum: 5, file: null, url: ['x'] }, expect.anything()],
  ])('the fields of a provider are checked together: %j', (spec, problems) => {
    expect(boxProvider.check?.(providerNamed('virtualbox'), spec)).toEqual(problems);
  });
});

describe('the account service', () => {
  const named = (key: string): Identity => ({ scope: { scope: 'global', authMethod: 'password' }, key });
  const logIn = (name: string, password: string) =>
    at.run(words(`account login --login-name ${name} --password @${at.write('p', password)} --no-store`));

  test('the password is set at creation, and again by an update that has it', async () => {
    await create(accountsAccount, named('st-carol'), { attributes: { password: 'st-password-1' } });
    expect((await logIn('st-carol', 'st-password-1')).code).toBe(0);
    const live = await read(accountsAccount, named('st-carol'));
    expect(live.spec.attributes).toEqual({ login_name: 'st-carol' });
    const spec = { description: 'rotated', attributes: { password: 'st-password-2' } };
    await update(accountsAccount, named('st-carol'), live, spec);
    expect((await logIn('st-carol', 'st-password-1')).code).not.toBe(0);
    expect((await logIn('st-carol', 'st-password-2')).code).toBe(0);
    await expect(update(accountsAccount, named('st-carol'), live, spec)).rejects.toMatchObject(conflict);
    await accountsAccount.remove(clients, named('st-carol'), live);
    await expect(update(accountsAccount, named('st-carol'), live, spec)).rejects.toThrow(/it was deleted/);
  });

  test('a second account of the same name is a conflict', async () => {
    await create(accountsAccount, named('st-dan'), { name: 'Dan' });
    await expect(create(accountsAccount, named('st-dan'))).rejects.toMatchObject(conflict);
    await expect(create(accountsAccount, named('st-dave'), { name: 'Dan' })).rejects.toMatchObject(conflict);
  });

  test('a name with quotes is found by the same name', async () => {
    for (const key of ['"', 'a" or "1" == "1', '\\', "'", '`', '"`', '` or "1" == "1'])
      expect(await accountsAccount.read(clients, named(key))).toBeUndefined();
  });

  test('the administrator is built in; an auth method is named by its name', async () => {
    const live = await read(accountsAccount, named('admin'));
    expect(accountsAccount.isBuiltIn?.(named('admin'), live)).toBe(true);
    const byId = { scope: { scope: 'global', authMethod: 'ampw_1234567890' }, key: 'admin' };
    await expect(accountsAccount.read(clients, byId)).rejects.toThrow(/must be named by its name "password"/);
    const missing = { scope: { scope: 'global', authMethod: 'missing' }, key: 'admin' };
    await expect(accountsAccount.read(clients, missing)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('an auth method with accounts is not deleted; an ID is not a name', async () => {
    const method = { scope: { scope: 'global' }, key: 'st-methods' };
    await create(accountsAuthMethod, method, { type: 'password' });
    await expect(
      create(accountsAuthMethod, method, { type: 'ldap', attributes: { urls: ['ldap://a'] } }),
    ).rejects.toMatchObject(conflict);
    await create(accountsAccount, { scope: { scope: 'global', authMethod: 'st-methods' }, key: 'eve' });
    const live = await read(accountsAuthMethod, method);
    await expect(accountsAuthMethod.remove(clients, method, live)).rejects.toMatchObject(conflict);
    const byId = { scope: { scope: 'global' }, key: 'ampw_0000000000' };
    await expect(create(accountsAuthMethod, byId, { type: 'password' })).rejects.toMatchObject({
      kind: 'usage',
    });
    const builtIn = { scope: { scope: 'global' }, key: 'password' };
    expect(accountsAuthMethod.isBuiltIn?.(builtIn, await read(accountsAuthMethod, builtIn))).toBe(true);
  });

  test('attributes of another type of auth method are a problem', () => {
    const check = (type: string, attributes: JsonObject) =>
      accountsAuthMethod.check?.({ scope: { scope: 'global' }, key: 'x' }, { type, attributes });
    expect(check('password', { min_password_length: 9 })).toEqual([]);
    expect(check('password', { issuer: 'x' })).toEqual([
      'auth methods of type password have no attribute "issuer"',
    ]);
    expect(check('oidc', { state: 'active-public' })).toEqual([
      'the state of an OIDC auth method cannot be changed in a file',
    ]);
  });

  test('the attribute of the key agrees with the name', () => {
    const check = (attributes: JsonObject) => accountsAccount.check?.(named('bob'), { attributes });
    expect(check({ login_name: 'bob' })).toEqual([]);
    expect(check({ login_name: 'eve' })).toEqual(['"login_name" must be the same as metadata.name']);
  });
});
