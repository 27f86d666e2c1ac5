import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, quietOutputOf } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { setTokens } from '../../support/services.ts';

const { at, running } = embeddedForEach();
const registry = (line: string, options?: RunOptions): Promise<Ran> =>
  at.run(
    ['registry', ...[...line.matchAll(/'([^']*)'|[^ ']+/g)].map(([word, quoted]) => quoted ?? word)],
    options,
  );
const done = async (line: string, options?: RunOptions): Promise<string> =>
  quietOutputOf(await registry(line, options));
const data = async (line: string) => JSON.parse(await done(`${line} -o json`));
const passing = async () =>
  (await data('service get web --passing')).map(({ Service }: { Service: { ID: string } }) => Service.ID);

beforeEach(async () => {
  await done('service register web --port 8080');
  await done('service register web --id web-2 --port 8081');
});

describe('registry maintenance', () => {
  test('takes a service out of health queries and back', async () => {
    expect(await done(`maintenance enable --service web-2 --reason 'deploy 42'`)).toBe(
      'Enabled maintenance of service web-2.\n',
    );
    expect(await passing()).toEqual(['web']);
    expect(await done('maintenance get')).toBe('lanyard\tweb-2\tdeploy 42\n');
    expect(await data('maintenance get')).toEqual([
      { Node: 'lanyard', ServiceID: 'web-2', Service: 'web', Reason: 'deploy 42' },
    ]);
    expect(await done('maintenance disable --service web-2')).toBe(
      'Disabled maintenance of service web-2.\n',
    );
    expect(await passing()).toEqual(['web', 'web-2']);
    expect(await done('maintenance get')).toBe('');
  });

  test('takes the node with all its services out of health queries', async () => {
    expect(await done('maintenance enable')).toBe('Enabled maintenance of the node of the agent.\n');
    expect(await passing()).toEqual([]);
    expect(await data('maintenance get --service web')).toEqual([
      { Node: 'lanyard', Reason: expect.stringMatching(/^Maintenance mode is enabled/) },
    ]);
    expect(await done('service get web')).toContain('\tmaintenance\t');
    expect(await done('maintenance disable')).toBe('Disabled maintenance of the node of the agent.\n');
    expect(await passing()).toEqual(['web', 'web-2']);
  });

  test('leaves what is in the requested state unchanged', async () => {
    expect(await data('maintenance enable --reason one')).toEqual({
      ServiceID: null,
      Enabled: true,
      Reason: 'one',
      Changed: true,
    });
    expect(await registry('maintenance enable --reason two')).toMatchObject({
      code: 0,
      stdout: 'The node of the agent is already in maintenance.\n',
      stderr: expect.stringContaining('the reason is still "one"'),
    });
    expect(await data('maintenance enable --reason one')).toMatchObject({ Changed: false, Reason: 'one' });
    await done('maintenance disable');
    expect(await done('maintenance disable')).toBe('The node of the agent is not in maintenance.\n');
  });

  test.each(['enable', 'disable', 'get'])(
    '%s rejects the ID of a service that the agent does not have',
    async (verb) => {
      expectFailure(
        await registry(`maintenance ${verb} --service other`),
        3,
        'the agent has no service with ID "other"',
      );
    },
  );

  test('sends nothing in a dry run', async () => {
    expect(await done('maintenance enable --service web --reason x --dry-run')).toContain(
      '/v1/agent/service/maintenance/web?enable=true&reason=x',
    );
    expect(await done('maintenance get')).toBe('');
  });

  test('requires write permission for the node or the service', async () => {
    await setTokens(at, running);
    const rules = 'node_prefix "" { policy = "read" } service "web" { policy = "write" }';
    quietOutputOf(await at.run(['acl', 'policy', 'put', 'web', '--rules', rules]));
    const token = JSON.parse(
      quietOutputOf(await at.run(['acl', 'token', 'create', '--policy', 'web', '-o', 'json'])),
    ).SecretID;
    const env = { LANYARD_REGISTRY_TOKEN: token };
    expect((await registry('maintenance enable', { env })).code).toBe(5);
    expect((await registry('maintenance enable --service web', { env })).code).toBe(0);
    expect(
      (await registry('maintenance enable --service web', { env: { LANYARD_REGISTRY_TOKEN: '' } })).code,
    ).toBe(4);
  });
});

describe('registry member list', () => {
  test('lists the server with its state and version', async () => {
    expect(await done('member list')).toBe('lanyard\t127.0.0.1:8301\talive\tserver\t0.0.0-test\tdc1\n');
    expect(await data('member list --wan')).toMatchObject([
      { Name: 'lanyard.dc1', Port: 8302, Status: 1, State: 'alive', Tags: { role: 'consul', dc: 'dc1' } },
    ]);
    expect(await done('member list --state failed')).toBe('');
    expect(await done(`member list --filter 'Tags["dc"] == "dc2"'`)).toBe('');
  });

  test('rejects --segment together with --wan', async () => {
    expectFailure(await registry('member list --wan --segment a'), 2, '--wan and --segment cannot be used');
  });

  test('says that members were left out for a token without permission', async () => {
    await setTokens(at, running);
    const ran = await registry('member list', { env: { LANYARD_REGISTRY_TOKEN: '' } });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).not.toBe('');
  });
});

test('lists datacenters', async () => {
  expect(await done('datacenter list')).toBe('dc1\n');
  expect(await data('datacenter list')).toEqual(['dc1']);
});
