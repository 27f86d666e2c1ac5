import { describe, expect, test } from 'vitest';
import { expectFailure, expectOutput, homeForAll, words } from '../../support/command-tests.ts';
import { runAt, shelf } from '../scheduler-shelf.ts';

const at = homeForAll();
const run = runAt(at);

describe('namespace', () => {
  test('list and get print the stored namespaces', async () => {
    const server = await shelf();
    expectOutput(await run(server, 'namespace list'), 'default\tDefault shared namespace\t-\n');
    expect(JSON.parse((await run(server, 'namespace list -o json --prefix d')).stdout)).toMatchObject([
      { Name: 'default' },
    ]);
    expect(server.seen.at(-1)?.url).toBe('/v1/namespaces?prefix=d');
    expect((await run(server, 'namespace get default --field Description')).stdout).toBe(
      'Default shared namespace\n',
    );
    expect(await run(server, 'namespace get none')).toMatchObject({ code: 3, stdout: '' });
  });

  test('put creates, changes the given fields and keeps the others', async () => {
    const server = await shelf();
    const made = await run(server, [
      ...words('namespace put team-a --description'),
      'the shop',
      ...words('--meta owner=a=b'),
    ]);
    expect(made).toEqual({ code: 0, stdout: 'Created namespace team-a.\n', stderr: '' });
    expect(server.bodies()).toEqual([{ Name: 'team-a', Description: 'the shop', Meta: { owner: 'a=b' } }]);
    expect(await run(server, 'namespace put team-a --quota small --description')).toMatchObject({ code: 2 });
    const quota = await run(server, 'namespace put team-a --quota small');
    expect(quota.stdout).toBe('Updated namespace team-a.\nQuota\t(none)\t"small"\n');
    expect(server.bodies()[1]).toEqual({
      Name: 'team-a',
      Description: 'the shop',
      Meta: { owner: 'a=b' },
      Quota: 'small',
    });
    expect((await run(server, 'namespace put team-a --quota small')).stdout).toBe(
      'Namespace team-a is unchanged.\n',
    );
    expect((await run(server, ['namespace', 'put', 'team-a', '--description', ''])).code).toBe(0);
    expect(server.bodies()[2]).toEqual({ Name: 'team-a', Meta: { owner: 'a=b' }, Quota: 'small' });
    expect(server.writes()).toHaveLength(3);
  });

  test('put without fields creates, and changes nothing the second time', async () => {
    const server = await shelf();
    const lines = [0, 1].map(() => 'namespace put team');
    const ran = [];
    for (const line of lines) ran.push((await run(server, line)).stdout);
    expect(ran).toEqual(['Created namespace team.\n', 'Namespace team is unchanged.\n']);
    expect(server.writes()).toHaveLength(1);
  });

  test('put prints the stored fields, not the sent ones', async () => {
    const server = await shelf({
      change: ({ method, body }, response) => {
        if (method !== 'POST') return;
        const { Name, Description } = JSON.parse(body);
        server.namespaces.set(Name, { Name, Description });
        response.end();
      },
    });
    await run(server, 'namespace put team');
    at.write('known.yaml', 'Description: d\nVaultConfiguration: {Default: other}\n');
    const ran = await run(server, 'namespace put team --in known.yaml -o json');
    expect(JSON.parse(ran.stdout).changes.map(({ path }: { path: string[] }) => path)).toEqual([
      ['Description'],
    ]);
    expect((await run(server, 'namespace put team --in known.yaml')).stdout).toBe(
      'Namespace team is unchanged.\n',
    );
  });

  test('put reads a file and sends its other fields unchanged', async () => {
    const server = await shelf();
    at.write('team.yaml', 'Name: team-b\nDescription: d\nCapabilities:\n  EnabledTaskDrivers: [docker]\n');
    expect((await run(server, 'namespace put team-b --in team.yaml --meta a=1')).code).toBe(0);
    expect(server.bodies()).toEqual([
      {
        Name: 'team-b',
        Description: 'd',
        Capabilities: { EnabledTaskDrivers: ['docker'] },
        Meta: { a: '1' },
      },
    ]);
  });

  test('put reads a specification in HCL', async () => {
    const server = await shelf();
    at.write(
      'spec.hcl',
      'name = "a"\ndescription = "d"\ncapabilities {\n  enabled_task_drivers = ["docker"]\n}\nmeta {\n  team_name = "1"\n}\nnode_pool_config {\n  default = "p"\n}\n',
    );
    const ran = await run(server, 'namespace put --in spec.hcl');
    expect(ran).toMatchObject({ code: 0, stdout: 'Created namespace a.\n' });
    expect(server.bodies()).toMatchObject([
      {
        Name: 'a',
        Description: 'd',
        Capabilities: { EnabledTaskDrivers: ['docker'] },
        Meta: { team_name: '1' },
        NodePoolConfiguration: { Default: 'p' },
      },
    ]);
  });

  test.each([
    ['namespace put a_b', 'invalid namespace name'],
    ['namespace get a/b', 'invalid namespace name'],
    [`namespace put ${'a'.repeat(129)}`, 'invalid namespace name'],
    [`namespace put a --description ${'é'.repeat(129)}`, 'at most 256 bytes'],
    ['namespace put a --in other.json', 'its Name is not "a"'],
    ['namespace put --in bad.json', 'no namespace specified'],
    ['namespace put --description x', 'no namespace specified'],
    ['namespace put a --in bad.json', 'Meta must be an object with string values'],
    ['namespace put a --in list.json', 'expected one object'],
    ['namespace put b --in spec.hcl', 'invalid namespace in spec.hcl: its Name is not "b"'],
    ['namespace put a --in open.hcl', 'open.hcl, line 1, column 8: expected a value'],
    ['namespace delete default --yes', 'cannot delete namespace "default"'],
    ['namespace delete a', 'Use --yes'],
  ])('%s is rejected, and nothing is sent', async (line, message) => {
    at.write('other.json', '{"Name": "b"}');
    at.write('bad.json', '{"Meta": {"a": 1}}');
    at.write('list.json', '[1, 2]');
    at.write('spec.hcl', 'name = "a"\ndescription = "d"\n');
    at.write('open.hcl', 'name = }');
    const server = await shelf();
    expectFailure(await run(server, line), 2, message);
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['{"Descripton": "d"}', 'unknown field "Descripton"\nhint: Did you mean "Description"?'],
    ['{"Owner": "d"}', 'unknown field "Owner"\nhint: Valid fields: Name, Description'],
  ])('put rejects an unknown field: %s', async (text, message) => {
    const server = await shelf();
    for (const name of ['default', 'new']) {
      const ran = await run(server, ['namespace', 'put', name, '--in', at.write('typo.json', text)]);
      expectFailure(ran, 2, message);
    }
    expect(server.writes()).toEqual([]);
  });

  test('put accepts the output of get: extra claims, null, and fields of a newer service', async () => {
    // As Nomad 2.0.6 has it, and one field more.
    const stored = {
      Capabilities: { DisabledTaskDrivers: null, EnabledTaskDrivers: ['exec'] },
      ConsulConfiguration: null,
      NodePoolConfiguration: null,
      VaultConfiguration: null,
      Name: 'team',
      Description: 'x',
      Hash: 'SPDokm9r',
      Quota: '',
      CreateIndex: 43,
      ModifyIndex: 43,
      Meta: { z: '1', b: '' },
      OptionalExtraClaims: { x: 'y' },
      RequiredExtraClaims: null,
      NewerField: { on: true },
    };
    const server = await shelf();
    server.namespaces.set('team', stored);
    const got = await run(server, 'namespace get team -o json');
    expect(Object.keys(JSON.parse(got.stdout).Meta)).toEqual(['b', 'z']);
    at.write('team.json', got.stdout);
    expect((await run(server, 'namespace put team --in team.json')).stdout).toBe(
      'Namespace team is unchanged.\n',
    );
    at.write('drivers.json', '{"Capabilities": {"EnabledTaskDrivers": ["exec"]}}');
    expect((await run(server, 'namespace put team --in drivers.json')).stdout).toBe(
      'Namespace team is unchanged.\n',
    );
    expect(server.writes()).toEqual([]);
    at.write('more.json', '{"RequiredExtraClaims": {"a": "b"}, "NewerField": {"on": false}}');
    expect((await run(server, 'namespace put team --in more.json')).code).toBe(0);
    expect(server.bodies()).toEqual([
      {
        Name: 'team',
        Description: 'x',
        Meta: { z: '1', b: '' },
        OptionalExtraClaims: { x: 'y' },
        Capabilities: { EnabledTaskDrivers: ['exec'] },
        RequiredExtraClaims: { a: 'b' },
        NewerField: { on: false },
      },
    ]);
  });

  test('delete prompts for confirmation, and explains the error of the service', async () => {
    const server = await shelf();
    await run(server, 'namespace put team');
    server.put('app/db', { a: '1' }, 'team');
    const full = await run(server, 'namespace delete team --yes');
    expectFailure(full, 6, 'cannot delete namespace "team": not empty', 'has variables associated with it');
    server.variables.clear();
    expect((await run(server, 'namespace delete team', { typed: 'n\n', columns: 80 })).code).toBe(1);
    expect((await run(server, 'namespace delete team --yes')).stdout).toBe('Deleted namespace team.\n');
    expect(await run(server, 'namespace delete team --yes')).toMatchObject({ code: 3, stdout: '' });
  });

  test('verifies the result by a read if the response is lost', async () => {
    const server = await shelf({
      change: ({ method, body }, response) => {
        if (method !== 'POST') return;
        server.namespaces.set('new', JSON.parse(body));
        response.socket?.destroy();
      },
    });
    expect((await run(server, 'namespace put new --description d')).stdout).toBe('Created namespace new.\n');
    expect(server.writes()).toHaveLength(1);
  });
});
