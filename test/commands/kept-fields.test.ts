import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { diff } from '../../src/output/diff.ts';
import { openApiOf } from '../../src/services/openapi.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { factsAbout } from '../facts/facts.ts';
import type { Kept } from '../facts/row.ts';
import { embeddedForAll, expectExit, outputOf } from '../support/command-tests.ts';
import { listening } from '../support/ports.ts';
import { issuer } from '../unit/services/registry/auth/support.ts';

/** Commands that do not change the fields of an object that may exist, by the last word: why. */
const verbs: Readonly<Record<string, string>> = {
  'create enable init bootstrap clone': 'fail if the object exists',
  'delete disable destroy undelete revoke deregister logout tidy': 'remove or restore, as named',
  'move release recover seal unseal renew': 'change a state, without fields',
  'sign issue creds verify connect unwrap login callback auth-url request-code lock': 'issue something',
  'export config trust': 'write files or outputs',
};

// Every command that changes an object changes what it is told to, shows that, and changes nothing else.

const serverManaged =
  /^(ModifyIndex|ModifyTime|CreateIndex|Hash|updated_time|updated_at|version|RaftIndex|versions|current_version)$/;

/** The object that a command shows. */
async function read(line: string): Promise<unknown> {
  const stdout = outputOf(await run(`${line} -o json`));
  const object = JSON.parse(stdout);
  return Array.isArray(object) ? object[0] : object;
}

let authMethod: string;
/** The IDs of the objects that were created. */
const idsByCommand = new Map<string, string>();
const { at, running, run } = embeddedForAll({ accounts: { password: 'admin-password' } });
beforeAll(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken ?? '';
  at.write('patch.json', '{"data":{"a":"3"}}');
  at.write('entry.yaml', 'kind: service-defaults\nname: whole\nprotocol: grpc\n');
  at.write('other.hcl', 'path "b" { capabilities = ["read"] }');
  at.write('third.hcl', 'path "c" { capabilities = ["read"] }');
  at.write('password.txt', 'battery-staple');
  at.write('current.txt', 'correct-horse');
  at.env.LANYARD_SCHEDULER_TOKEN = (await run('scheduler acl bootstrap --field SecretID')).stdout.trim();
  at.env.LANYARD_REGISTRY_TOKEN = JSON.parse((await run('acl bootstrap -o json')).stdout).SecretID;
  authMethod = JSON.parse((await run('account auth-method list -o json')).stdout).items[0].id;
});

const everyCase = factsAbout('keeps').flatMap(([command, keeps]) =>
  typeof keeps === 'string' ? [] : [[command, keeps] as const],
);

test('every command that may change an existing object has `keeps` in its facts, and no other', async () => {
  const known = factsAbout('keeps').map(([command]) => command);
  const others = Object.keys(verbs).flatMap((each) => each.split(' '));
  const local = /^(profile|alias) /;
  const found: string[] = [];
  for (const { path, load } of tree) {
    const isWrite = (await load()).default.writes || (local.test(path) && !/ (list|get)$/.test(path));
    if (isWrite && !others.includes(path.split(' ').at(-1) ?? '')) found.push(path);
  }
  expect(found.sort()).toEqual(known.sort());
});

/** The fields that the body of a request may have, by the description of the service. */
async function declaredFields(
  service: ServiceName,
  method: string,
  path: string,
): Promise<readonly string[]> {
  const { paths, components } = (await openApiOf(service, '1')) as unknown as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  };
  const url = `/${path.startsWith('api/') ? '' : 'v1/'}${path.replace(/\?.*/, '').replace(/^settings\//, 'secret/')}`;
  const [, operations] =
    Object.entries(paths)
      .sort(([one], [other]) => other.replace(/\{.*?\}/g, '').length - one.replace(/\{.*?\}/g, '').length)
      .find(([each]) => new RegExp(`^${each.replace(/\{.*?\}/g, '.+')}$`).test(url)) ?? [];
  const [content] = Object.values(operations?.[method.toLowerCase()]?.requestBody?.content ?? {});
  return fieldsIn(content?.schema, components.schemas);
}
type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
};
function fieldsIn(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const { $ref, anyOf, properties = {} } = schema ?? {};
  if ($ref !== undefined) return fieldsIn(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  return [...Object.keys(properties), ...(anyOf ?? []).flatMap((each) => fieldsIn(each, schemas))];
}

const { pem } = issuer();
/** A body with the values of this run. */
const filled = (body: object): string =>
  JSON.stringify(body).replace('{method}', authMethod).replace('"{pem}"', JSON.stringify(pem));

async function create({ create: requests }: Kept): Promise<string> {
  let id = '';
  for (const [line, body] of requests) {
    const stdin = filled(body);
    const stdout = outputOf(await run(`api ${line} --data - -o json`, { stdin }));
    const { AccessorID, ID, id: own } = JSON.parse(stdout || '{}') ?? {};
    id = AccessorID ?? ID ?? own ?? '';
  }
  return id;
}

describe('keeps every field that is not given, and shows what changed', () => {
  test.each(everyCase)('%s', async (command, each) => {
    const id = await create(each);
    idsByCommand.set(command, id);
    const [line = '', body] = each.create.at(-1) ?? [];
    const [service, method, path] = line.split(' ') as [ServiceName, string, string];
    const [outer] = Object.values(body ?? {});
    const given = service === 'box' ? { ...body, ...outer } : { ...body };
    const declared = await declaredFields(service, method, path);
    expect(declared.filter((name) => !(name in given) && !(name in (each.without ?? {})))).toEqual([]);

    const change = `${command} ${each.change.replace('{id}', id)}`;
    const options = each.editor === undefined ? {} : { env: { EDITOR: `sed -i '${each.editor}'` } };
    const reading = each.read.replace('{id}', id);
    const before = await read(reading);
    if (each.editor === undefined) {
      expectExit(await run(`${change} --dry-run`), 0);
      expect(await read(reading)).toEqual(before);
    }

    const stdout = outputOf(await run(change, options));
    const after = await read(reading);
    const paths = diff(before, after)
      .map(({ path: names }) => names)
      .filter((names) => !names.some((name) => serverManaged.test(name)));
    expect(paths.map((names) => names.join('.')).sort()).toEqual(each.changed);
    const [, ...table] = stdout.trimEnd().split('\n');
    const shown = table.map((row) => row.split('\t')[0]?.split('.').at(-1));
    if (showsFields(command))
      for (const name of each.changed)
        if (!/_html$|download_url/.test(name)) expect(shown, stdout).toContain(name.split('.').at(-1));
  });
});

/** `secrets patch` shows the response of any path, and passwords are not fields. */
const showsFields = (command: string): boolean => !/^secrets patch$|password$/.test(command);

describe('reports an unchanged object', () => {
  test.each(everyCase.filter(([command, { editor }]) => editor === undefined && showsFields(command)))(
    '%s',
    async (command, each) => {
      const { change } = each;
      const id = change.includes('{id}') ? idsByCommand.get(command) : '';
      const stdout = outputOf(await run(`${command} ${change.replace('{id}', id ?? '')}`));
      expect(stdout).toMatch(/ is unchanged\.$|^No value has changed\.$/m);
    },
  );
});

test('every command with --unset has a case of it', async () => {
  const found: string[] = [];
  for (const { path, load } of tree) if ('unset' in (await load()).default.flags) found.push(path);
  expect(
    everyCase
      .filter(([, { unset }]) => unset)
      .map(([command]) => command)
      .sort(),
  ).toEqual(found.sort());
});

describe('--unset resets fields, and no others', () => {
  test.each(everyCase.filter(([, { unset }]) => unset))('%s', async (command, each) => {
    const id = idsByCommand.get(command) ?? '';
    const [target = ''] = each.change.replace('{id}', id).split(/ --/);
    const [flags, fields] = each.unset ?? ['', []];
    const reading = each.read.replace('{id}', id);
    const before = await read(reading);
    expectExit(await run(`${command} ${target} --unset ${flags}`), 0);
    const paths = diff(before, await read(reading))
      .map(({ path }) => path)
      .filter((names) => !names.some((name) => serverManaged.test(name)));
    expect(paths.map((names) => names.join('.')).sort()).toEqual(fields);
    expect(outputOf(await run(`${command} ${target} --unset ${flags}`))).toMatch(/ is unchanged\.$/m);
    const [first = ''] = flags.split(',');
    expectExit(await run(`${command} ${target} --unset ${first} --${first} 1`), 2);
  });
});

interface Changes {
  /** Changes the text of a response with status 200. */
  readonly response?: (text: string, url: string) => string;
  /** Is awaited before a request is forwarded. */
  readonly beforeRequest?: (method: string, url: string) => Promise<void>;
}

/** Forwards to a service. */
async function proxyOf(behind: string, { response: changed, beforeRequest }: Changes) {
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    await beforeRequest?.(method, url);
    const sent = request(`${behind}${url}`, { method, headers }, async (received) => {
      const text = Buffer.concat(await received.toArray()).toString();
      const body = received.statusCode === 200 && changed ? changed(text, url) : text;
      const { 'content-length': _, ...others } = received.headers;
      response.writeHead(received.statusCode ?? 500, others).end(body);
    });
    incoming.pipe(sent);
  });
  const { address } = await listening(server);
  return {
    address,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Adds a field that Lanyard does not know to each object in a response. */
function addUnknown(text: string, url: string): string {
  const add = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(add);
    if (typeof value !== 'object' || value === null) return value;
    const { data } = value as { data?: object };
    return data ? { ...value, data: { ...data, Newer: 'kept' } } : { ...value, Newer: 'kept' };
  };
  return /^[[{]/.test(text) && !url.includes('/agent/') ? JSON.stringify(add(JSON.parse(text))) : text;
}

test('registry kv put keeps flags that another process sets between its read and its write', async () => {
  await run('registry kv put raced one --flags 42');
  const writes: string[] = [];
  const proxy = await proxyOf(running.addresses.registry, {
    async beforeRequest(method, url) {
      if (method !== 'PUT' || writes.push(url) > 1) return;
      await run('registry kv put raced two --flags 7');
    },
  });
  const ran = await run('registry kv put raced three', { env: { LANYARD_REGISTRY_ADDR: proxy.address } });
  proxy.close();
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(await read('registry kv get raced')).toMatchObject({ Value: 'three', Flags: 7 });
  expect(writes).toHaveLength(2);
});

test('kv put with a token without read permission replaces the keys, and reports that the changes are unknown', async () => {
  at.write('blind.hcl', 'path "secret/data/blind" { capabilities = ["create", "update"] }');
  await run('secrets policy put blind @blind.hcl');
  await run('kv put secret/blind a=1 b=2');
  const made = await run('secrets token create --policy blind --field client_token');
  const env = { LANYARD_SECRETS_TOKEN: made.stdout.trim() };
  expect(await run('kv put secret/blind a=3', { env })).toEqual({
    code: 0,
    stdout:
      'Wrote version 2 of secret/blind.\nIts changes are unknown: the current values could not be read before.\n',
    stderr: '',
  });
  const { stdout } = await run('kv put secret/blind a=3 -o json', { env });
  expect(JSON.parse(stdout)).toMatchObject({ changes: null, data: { version: 3 } });
});

describe('keeps a field that it does not know', () => {
  const proxies = new Map<ServiceName, Awaited<ReturnType<typeof proxyOf>>>();
  beforeAll(async () => {
    for (const service of serviceNames)
      proxies.set(service, await proxyOf(running.addresses[service], { response: addUnknown }));
  });
  afterAll(() => {
    for (const { close } of proxies.values()) close();
  });

  test.each(everyCase.filter(([, { merges }]) => merges))('%s', async (command, each) => {
    const [service] = (each.create.at(-1)?.[0] ?? '').split(' ') as [ServiceName];
    const id = idsByCommand.get(command) ?? '';
    const change = each.change
      .replace('{id}', id)
      .replace(/other$|ubuntu|n2/, 'n3')
      .replace('other.hcl', 'third.hcl')
      .replace('audience b', 'audience c')
      .replace('entry.yaml', 'third.yaml');
    at.write('third.yaml', 'kind: service-defaults\nname: whole\nprotocol: http2\n');
    const env = { [`LANYARD_${service.toUpperCase()}_ADDR`]: proxies.get(service)?.address ?? '' };
    const stdout = outputOf(await run(`${command} ${change} --curl`, { env, inventedResponses: true }));
    expect(stdout).toContain('"Newer"');
  });
});
