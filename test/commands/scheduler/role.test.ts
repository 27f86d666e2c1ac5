import { beforeEach, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  expectOutput,
  outputOf,
  runnerOf,
} from '../../support/command-tests.ts';
import { losingWrites } from '../losing-proxy.ts';

const { at, running, run } = embeddedForEach();
const role = runnerOf(at, 'scheduler acl role');

beforeEach(async () => {
  at.env.LANYARD_SCHEDULER_TOKEN = (await run('scheduler acl bootstrap --field SecretID')).stdout.trim();
  at.write('rules.hcl', 'agent { policy = "read" }');
  for (const name of ['deploy', 'logs']) await run(`scheduler acl policy put ${name} --rules @rules.hcl`);
});

test('a role is created, updated by name and ID, renamed and deleted', async () => {
  expectOutput(await role('put ops --policy deploy --policy logs'), 'Created role ops.\n');
  const id = outputOf(await role('get ops --field ID')).trim();
  const changed = JSON.parse(outputOf(await role('put ops --description x -o json')));
  expect(changed).toEqual({
    ID: id,
    Name: 'ops',
    created: false,
    changes: [{ path: ['Description'], after: 'x' }],
  });
  expectOutput(await role('put ops --description x'), 'Role ops is unchanged.\n');
  expectExit(await role(`put ${id} --name dev --policy logs`), 0);
  expect(outputOf(await role('get dev'))).toBe(`name\tdev\nID\t${id}\ndescription\tx\npolicies\tlogs\n`);
  expectOutput(await role('list'), `dev\tlogs\tx\t${id}\n`);
  expectOutput(await role('delete dev --yes'), 'Deleted role dev.\n');
  expectFailure(await role('get dev'), 3, 'role "dev" not found');
});

test('a new role needs a policy that exists', async () => {
  expectFailure(await role('put ops --description x'), 2, '--policy is required: a role needs a policy');
  expectFailure(await role('put ops --policy none'), 3, 'policy "none" not found; nothing was written');
  expectFailure(await role('put a_b --policy deploy'), 2, 'invalid role name "a_b"');
  expectExit(await role('get ops'), 3);
});

test('a role cannot take the name of another one', async () => {
  outputOf(await role('put ops --policy deploy'));
  outputOf(await role('put dev --policy deploy'));
  expectFailure(await role('put dev --name ops'), 6, 'a role with this name already exists');
});

test('an ID that does not exist is not created', async () => {
  const id = '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11';
  expectFailure(await role(`put ${id} --policy deploy`), 3, `role "${id}" not found`);
});

test('with --dry-run shows the request, and writes nothing', async () => {
  const ran = await role('put ops --policy deploy --dry-run');
  expect(outputOf(ran)).toContain(`PUT ${running.addresses.scheduler}/v1/acl/role`);
  expectExit(await role('get ops'), 3);
});

test('is settled after a lost response', async () => {
  const { address } = await losingWrites(running.addresses.scheduler);
  expectExit(await role(`put ops --policy deploy --address ${address}`), 0);
  expectExit(await role('get ops'), 0);
});
