import { expect, test } from 'vitest';
import { embeddedForAll, expectFailure, quietOutputOf, runnerOf } from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at } = embeddedForAll();
const namespace = runnerOf(at, 'secrets namespace');

test('creates, lists and deletes namespaces', async () => {
  expect((await namespace('list')).stdout).toBe('');
  expect(await namespace('create shop --custom-metadata owner=web --custom-metadata tier=1')).toEqual({
    code: 0,
    stdout: 'Created namespace shop/.\n',
    stderr: '',
  });
  expect((await namespace('create frontend -n shop')).stdout).toBe('Created namespace shop/frontend/.\n');
  expect((await namespace('list')).stdout).toMatch(/^shop\/\t\w+\towner=web, tier=1\n$/);
  expect(JSON.parse((await namespace('list -n shop -o json')).stdout)).toMatchObject([
    { path: 'shop/frontend/', custom_metadata: {} },
  ]);
  const parent = await namespace('delete shop --yes');
  expectFailure(parent, 6, 'error: cannot delete namespace "shop/": it has namespaces below it\n');
  expect(parent.stderr).toContain('hint: Delete those first: `lanyard secrets namespace list -n shop`.\n');
  const prompted = await namespace('delete frontend -n shop');
  expectFailure(prompted, 2, 'Delete namespace "shop/frontend/" with its secrets engines');
  expect((await namespace('delete frontend -n shop --yes')).stdout).toBe(
    'Deleted namespace shop/frontend/.\n',
  );
  expect((await namespace('delete shop/ --yes')).code).toBe(0);
  expect((await namespace('delete shop --yes')).code).toBe(3);
});

test.each([
  ['create a/b', 'Select the parent namespace with -n: `b -n a`.'],
  ['delete a/b --yes', 'Select the parent namespace with -n: `b -n a`.'],
])('rejects: %s', async (line, hint) => {
  expectFailure(await namespace(line), 2, `hint: ${hint}\n`);
});

test('create does not replace an existing one, and a dry run creates none', async () => {
  expect((await namespace('create dry --dry-run')).stdout).toContain('/v1/sys/namespaces/dry');
  await namespace('create once');
  const twice = await namespace('create once --custom-metadata a=b');
  expect(twice).toMatchObject({ code: 6, stderr: 'error: namespace "once" already exists\n' });
  expect((await namespace('list')).stdout).not.toContain('dry/');
});

test('shows one, lists all below, and updates keys of the metadata', async () => {
  await namespace('create all --custom-metadata owner=web --custom-metadata tier=1');
  await namespace('create mid -n all');
  await namespace('create leaf -n all/mid');
  const below = quietOutputOf(await namespace('list -n all --recursive --select [].path'));
  expect(JSON.parse(below)).toEqual(['all/mid/', 'all/mid/leaf/']);
  expect(quietOutputOf(await namespace('get mid -n all'))).toMatch(/^path\s+all\/mid\/\n/);
  expectFailure(await namespace('get mid'), 3, 'error: namespace "mid" not found\n');
  expectFailure(await namespace('update all'), 2, 'error: nothing to update');
  const both = 'update all --custom-metadata tier=2 --remove-custom-metadata tier';
  expectFailure(await namespace(both), 2, 'error: metadata "tier" cannot be set and removed\n');
  const dry = await namespace('update all --custom-metadata tier=2 --dry-run');
  expect(dry.stdout).toContain('PATCH');
  const change = 'update all --custom-metadata tier=2 --custom-metadata a=b --remove-custom-metadata owner';
  expect(quietOutputOf(await namespace(change))).toMatch(/^Updated namespace all\/\.\n/);
  const metadata = quietOutputOf(await namespace('get all --field custom_metadata'));
  expect(JSON.parse(metadata)).toEqual({ tier: '2', a: 'b' });
  expectFailure(
    await namespace('update gone --custom-metadata a=b'),
    3,
    'error: namespace "gone" not found\n',
  );
});

test('delete waits for the end of the deletion', async () => {
  let reads = 0;
  const server = await serve((seen, response) => {
    if (seen.method === 'DELETE') return json(response, { data: { status: 'in-progress' }, warnings: null });
    reads++;
    if (reads > 3) json(response, { errors: [] }, 404);
    else json(response, { data: { path: 'slow/', id: 'a1' } });
  });
  const ran = await namespace('delete slow --yes', { env: { LANYARD_SECRETS_ADDR: server.url } });
  expect(ran).toEqual({ code: 0, stdout: 'Deleted namespace slow/.\n', stderr: '' });
  expect(reads).toBe(4);
  reads = Number.NEGATIVE_INFINITY;
  const slow = await namespace('delete slow --yes -o json', { env: { LANYARD_SECRETS_ADDR: server.url } });
  expect(JSON.parse(slow.stdout)).toEqual({ path: 'slow/', status: 'in-progress' });
});

test('reads back after a lost response', async () => {
  let exists = false;
  const server = await serve((seen, response) => {
    if (seen.method === 'GET')
      return exists
        ? json(response, { data: { path: 'lost/', custom_metadata: { a: 'b' } } })
        : json(response, { errors: [] }, 404);
    exists = seen.method === 'POST';
    response.destroy();
  });
  const env = { LANYARD_SECRETS_ADDR: server.url };
  expect(await namespace('create lost --custom-metadata a=b', { env })).toEqual({
    code: 0,
    stdout: 'Created namespace lost/.\n',
    stderr: 'warning: the response was lost, but the namespace was created\n',
  });
  expect((await namespace('delete lost --yes', { env })).code).toBe(0);
});
