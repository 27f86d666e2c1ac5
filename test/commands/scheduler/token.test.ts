import { statSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  expectOutput,
  outputOf,
  runnerOf,
} from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { losingWrites } from '../losing-proxy.ts';

const { at, running, run } = embeddedForEach();
const token = runnerOf(at, 'scheduler acl token');
const role = runnerOf(at, 'scheduler acl role');
const missingId = '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11';
const secret = '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f';

beforeEach(async () => {
  at.env.LANYARD_SCHEDULER_TOKEN = (await run('scheduler acl bootstrap --field SecretID')).stdout.trim();
  at.write('rules.hcl', 'agent { policy = "read" }');
  for (const name of ['deploy', 'logs']) await run(`scheduler acl policy put ${name} --rules @rules.hcl`);
});

interface Shown {
  readonly AccessorID: string;
  readonly SecretID: string;
}

const created = async (flags: string): Promise<Shown> =>
  JSON.parse(outputOf(await token(`create ${flags} -o json`)));
const shown = async (given: string) => JSON.parse(outputOf(await token(`get ${given} -o json`)));

describe('scheduler acl token create', () => {
  test('prints the secret once, in text and JSON', async () => {
    const ran = await token('create --name ci --policy deploy --policy logs --ttl 8h');
    expect(outputOf(ran)).toMatch(
      /^secret\t[0-9a-f-]{36}\naccessor\t[0-9a-f-]{36}\nname\tci\ngrants\tpolicies deploy, logs\nscope\tregion\nexpires\t20\d\d-.* UTC\n$/,
    );
    const { SecretID, AccessorID } = await created('--policy deploy');
    expect(
      outputOf(await token('self --field AccessorID', { env: { LANYARD_SCHEDULER_TOKEN: SecretID } })),
    ).toBe(`${AccessorID}\n`);
    expect(outputOf(await token('list -o json'))).not.toContain(SecretID);
    expect(await shown(AccessorID)).toMatchObject({ SecretID: '<redacted>', Global: false });
    expect(outputOf(await token(`get ${AccessorID} --show-secret --field SecretID`))).toBe(`${SecretID}\n`);
  });

  test('masks the secret in a CI service', async () => {
    const { stdout, stderr } = await token('create --policy deploy --field SecretID', {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(stderr).toBe(`::add-mask::${stdout}`);
  });

  test('writes the secret to a file of mode 0600', async () => {
    expectExit(await token('create --policy deploy --field SecretID --out ci.txt'), 0);
    expect(at.read('ci.txt')).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(statSync(at.file('ci.txt')).mode & 0o777).toBe(0o600);
  });

  test('creates a management token with all permissions, valid in all regions', async () => {
    const { AccessorID } = await created('--type management --global');
    expect(await shown(AccessorID)).toMatchObject({ Type: 'management', Global: true, Policies: null });
  });

  test.each([
    ['', 'a client token needs a policy or role'],
    ['--type management --policy deploy', 'a management token cannot have policies or roles'],
    ['--policy deploy --accessor x --secret env://SECRET', 'invalid --accessor "x": expected a UUID'],
    [`--policy deploy --accessor ${missingId}`, '--accessor and --secret must be given together'],
    [`--type management --accessor ${missingId} --secret env://SECRET`, 'are for client tokens'],
    [`--policy deploy --accessor ${missingId} --secret env://BAD`, 'invalid secret: expected a UUID'],
  ])('rejects "%s" before any request', async (flags, message) => {
    const ran = await token(`create ${flags}`, { env: { SECRET: secret, BAD: 'no-uuid' } });
    expectFailure(ran, 2, message);
    expect(ran.stderr).not.toContain('no-uuid');
    expect(outputOf(await token('list --type client'))).toBe('');
  });

  test.each([
    ['30s', 'expiration time cannot be less than 1m0s'],
    ['25h', 'expiration time cannot be more than 24h0m0s'],
  ])('reports the limits of the scheduler for a lifetime of %s', async (ttl, message) => {
    expectFailure(await token(`create --policy deploy --ttl ${ttl}`), 1, message);
  });

  test('warns of a policy that does not exist, and rejects a role that does not', async () => {
    const ran = await token('create --policy later');
    expectExit(ran, 0, 'policy "later" does not exist: it grants nothing until it is created');
    expectFailure(await token('create --role none'), 3, 'role "none" not found; nothing was written');
  });

  test('with --dry-run shows the request without the secret, and writes nothing', async () => {
    const ran = await token(
      `create --policy deploy --accessor ${missingId} --secret env://SECRET --dry-run`,
      {
        env: { SECRET: secret },
      },
    );
    expect(outputOf(ran)).toContain(`PUT ${running.addresses.scheduler}/v1/acl/token`);
    expect(ran.stdout).not.toContain(secret);
    expectExit(await token(`get ${missingId}`), 3);
  });

  test('is verified after a lost response if its IDs are given, and else unknown', async () => {
    const { address } = await losingWrites(running.addresses.scheduler);
    const given = `--accessor ${missingId} --secret env://SECRET --address ${address}`;
    const ran = await token(`create --policy deploy ${given} --field SecretID`, { env: { SECRET: secret } });
    expect(ran).toMatchObject({ code: 0, stdout: `${secret}\n` });
    expect(ran.stderr).toContain('the response was lost, but the token was created');
    const unknown = await token(`create --policy deploy --address ${address}`);
    expectFailure(unknown, 9, 'Run `lanyard scheduler acl token list --address');
  });
});

describe('a token', () => {
  test('is found by its accessor ID, a prefix of it, and its name', async () => {
    const { AccessorID } = await created('--name ci-deploy --policy deploy');
    for (const given of [AccessorID, AccessorID.toUpperCase(), AccessorID.slice(0, 9), 'ci-deploy'])
      expect((await shown(given)).AccessorID).toBe(AccessorID);
    expectFailure(await token('get nobody'), 3, 'token "nobody" not found');
    expectFailure(await token(`get ${missingId}`), 3, `token "${missingId}" not found`);
  });

  test('is not chosen among several with its name', async () => {
    const one = await created('--name ci --policy deploy');
    const other = await created('--name ci --policy logs');
    const ran = await token('delete ci --yes');
    expectFailure(ran, 2, '2 tokens match "ci"', one.AccessorID, other.AccessorID);
    expect(outputOf(await token('list --type client -o json --select length(@)'))).toBe('2\n');
  });

  test('whose name is the start of the ID of another one is not mistaken for it', async () => {
    const { AccessorID } = await created('--name first --policy deploy');
    const prefix = AccessorID.slice(0, 8);
    await created(`--name ${prefix} --policy deploy`);
    expectFailure(await token(`delete ${prefix} --yes`), 2, `2 tokens match "${prefix}"`);
  });

  test('reads itself without further permissions, and no other', async () => {
    const { SecretID, AccessorID } = await created('--policy deploy');
    const other = await created('--policy deploy');
    const env = { env: { LANYARD_SCHEDULER_TOKEN: SecretID } };
    expectExit(await token(`get ${AccessorID}`, env), 0);
    expectFailure(await token(`get ${other.AccessorID}`, env), 5, 'permission denied (403)');
    expectFailure(await token('list', env), 5, 'permission denied (403)');
    expectFailure(await token('create --policy deploy', env), 5, 'permission denied (403)');
  });

  test('is deleted after a prompt, which says what it may do', async () => {
    const { AccessorID } = await created('--name ci --policy deploy');
    const asked = await token('delete ci', {
      columns: 200,
      answers: (said) => (said.endsWith('[y/N] ') ? 'n\n' : undefined),
    });
    expect(asked.stdout + asked.stderr).toContain(`Delete token ${AccessorID} (ci), with policy deploy?`);
    expectOutput(await token('delete ci --yes'), `Deleted token ${AccessorID}.\n`);
    expectFailure(await token(`delete ${AccessorID} --yes`), 3, 'not found');
  });
});

describe('scheduler acl token update', () => {
  const update = (argv: readonly string[]): Promise<Ran> =>
    at.run(['scheduler', 'acl', 'token', 'update', ...argv]);

  test('changes the given fields, keeps the others, and shows what changed', async () => {
    const { AccessorID } = await created('--name ci --policy deploy --ttl 8h --global');
    const before = await shown(AccessorID);
    const ran = await update(['ci', '--name', 'cd', '--add-policy', 'logs', '-o', 'json']);
    expect(JSON.parse(outputOf(ran))).toEqual({
      AccessorID,
      changes: [
        { path: ['Name'], before: 'ci', after: 'cd' },
        { path: ['Policies'], before: ['deploy'], after: ['deploy', 'logs'] },
      ],
    });
    const { ExpirationTTL, ExpirationTime, Global } = before;
    expect(await shown(AccessorID)).toMatchObject({ ExpirationTTL, ExpirationTime, Global, Name: 'cd' });
    outputOf(await update([AccessorID, '--remove-policy', 'deploy']));
    expect(await shown(AccessorID)).toMatchObject({ Policies: ['logs'] });
    expectOutput(await update([AccessorID, '--policy', 'logs']), `Token ${AccessorID} is unchanged.\n`);
    outputOf(await update([AccessorID, '--unset', 'name']));
    expect(await shown(AccessorID)).toMatchObject({ Name: '' });
  });

  test('adds and removes roles by name and ID', async () => {
    const ID = outputOf(await role('put ops --policy deploy --field ID')).trim();
    outputOf(await role('put dev --policy logs'));
    const { AccessorID } = await created('--role ops');
    expectOutput(await update([AccessorID, '--add-role', ID]), `Token ${AccessorID} is unchanged.\n`);
    outputOf(await update([AccessorID, '--add-role', 'dev', '--remove-role', ID]));
    expect((await shown(AccessorID)).Roles).toMatchObject([{ Name: 'dev' }]);
    expectFailure(await update([AccessorID, '--add-role', 'none']), 3, 'role "none" not found');
  });

  test('rejects a change that leaves no policy, and one of nothing', async () => {
    const { AccessorID } = await created('--policy deploy');
    expectFailure(await update([AccessorID, '--remove-policy', 'deploy']), 2, 'needs a policy or role');
    expectFailure(await update([AccessorID]), 2, 'nothing to change');
    expectFailure(await update([AccessorID, '--type', 'management']), 2, 'unknown flag "--type"');
    expectFailure(await update([missingId, '--name', 'x']), 3, 'not found');
    expectFailure(
      await update([AccessorID, '--policy', 'logs', '--unset', 'policy']),
      2,
      'cannot be combined',
    );
    expect(await shown(AccessorID)).toMatchObject({ Policies: ['deploy'] });
  });

  test('is settled after a lost response', async () => {
    const { AccessorID } = await created('--policy deploy');
    const { address } = await losingWrites(running.addresses.scheduler);
    expectExit(await update([AccessorID, '--name', 'cd', '--address', address]), 0);
    expect(await shown(AccessorID)).toMatchObject({ Name: 'cd' });
  });
});

describe('scheduler acl token list', () => {
  test('filters by policy, role and type, in the order of creation', async () => {
    outputOf(await role('put ops --policy deploy'));
    await created('--name a --policy deploy');
    await created('--name b --policy logs --role ops');
    const names = async (flags: string) =>
      JSON.parse(outputOf(await token(`list ${flags} -o json --select [].Name`)));
    expect(await names('')).toEqual(['Bootstrap Token', 'a', 'b']);
    expect(await names('--policy deploy')).toEqual(['a']);
    expect(await names('--role ops')).toEqual(['b']);
    expect(await names('--type management')).toEqual(['Bootstrap Token']);
  });
});

describe('scheduler acl token self', () => {
  test('warns of a missing token', async () => {
    const ran = await token('self', { env: { LANYARD_SCHEDULER_TOKEN: '' } });
    expectExit(ran, 0, 'warning: no token was sent');
    expect(ran.stdout).toContain('accessor\tanonymous\n');
  });

  test('reports an invalid token', async () => {
    expectExit(await token('self', { env: { LANYARD_SCHEDULER_TOKEN: missingId } }), 4);
  });
});
