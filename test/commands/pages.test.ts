import { createServer } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { embeddedForAll } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { listen } from '../unit/api/support.ts';

// Every list that a service returns page by page, where a page is lost, empty or repeated: it is complete, or an error.

/** The parameters that request another page. */
const pageParameters = ['list_token', 'next_token', 'page'];

const pagedOperations = Object.entries({
  accounts: accountsOperations,
  box: boxOperations,
  registry: registryOperations,
  scheduler: schedulerOperations,
  secrets: secretsOperations,
}).flatMap(([service, operations]) =>
  Object.entries(operations)
    .filter(([, { query }]) =>
      (query as readonly string[] | undefined)?.some((each) => pageParameters.includes(each)),
    )
    .map(([name]) => `${service}.${name}`),
);

interface PagedList {
  readonly service: ServiceName;
  /** The path of its requests. */
  readonly path: string;
  /** Commands that read all of it. */
  readonly lines: readonly string[];
}

const ofState = (kind: string): readonly string[] =>
  [
    'export {out} --kind KIND',
    'plan state --kind KIND -o json --exit-zero',
    'plan state -o json --exit-zero --adopt --prune --prune-max 100',
  ].map((line) => line.replace('KIND', kind));

const lists: Readonly<Record<string, PagedList>> = {
  'scheduler.listVariables': {
    service: 'scheduler',
    path: '/v1/vars',
    lines: [
      ...['var list --all', 'var list --all -o jsonl', 'var list --all -o json', 'var export {out}'],
      ...[
        'var diff --with files',
        'var diff --with-namespace other',
        'export {out} --kind scheduler.variable',
      ],
    ],
  },
  'accounts.listAccounts': {
    service: 'accounts',
    path: '/v1/accounts',
    lines: [
      'account list',
      'account list -o jsonl',
      'account list --page-size 1',
      ...ofState('accounts.account'),
    ],
  },
  'accounts.listAuthMethods': {
    service: 'accounts',
    path: '/v1/auth-methods',
    lines: ['account auth-method list', 'account auth-method list -o json'],
  },
  'accounts.findAuthMethods': {
    service: 'accounts',
    path: '/v1/auth-methods',
    lines: ['account list -o json'],
  },
  'accounts.listVisibleAuthMethods': {
    service: 'accounts',
    path: '/v1/auth-methods',
    lines: [...ofState('accounts.auth-method'), ...ofState('accounts.account')],
  },
  'accounts.lookUpAuthMethods': {
    service: 'accounts',
    path: '/v1/auth-methods',
    lines: ['account auth-method get method-b -o json'],
  },
  'accounts.findAccounts': {
    service: 'accounts',
    path: '/v1/accounts',
    lines: ['account get user-b -o json'],
  },
  ...Object.fromEntries(
    ['user', 'role', 'scope'].flatMap((noun) => {
      const plural = `${noun[0]?.toUpperCase()}${noun.slice(1)}s`;
      const list = { service: 'accounts', path: `/v1/${noun}s` } as const;
      const [all, one] = [`account ${noun} list`, `account ${noun} get ${noun}-b -o json`];
      const inState = ofState(`accounts.${noun}`);
      return [
        [`accounts.list${plural}`, { ...list, lines: [all, `${all} -o json`, ...inState] }],
        [`accounts.find${plural}`, { ...list, lines: [one, ...inState] }],
      ];
    }),
  ),
  'scheduler.listTokens': {
    service: 'scheduler',
    path: '/v1/acl/tokens',
    lines: ['scheduler acl token list', 'scheduler acl token list -o json'],
  },
  'accounts.listAuthTokens': {
    service: 'accounts',
    path: '/v1/auth-tokens',
    lines: ['account token list --all', 'account token list --all -o json'],
  },
  'accounts.listOwnTokens': {
    service: 'accounts',
    path: '/v1/auth-tokens',
    lines: ['account token list', 'account token list -o json'],
  },
  'box.searchBoxes': {
    service: 'box',
    path: '/api/v1/search',
    lines: [
      'box search --all --limit 1 --sort created',
      'box search --all --limit 1 --sort created -o jsonl',
    ],
  },
};

test('every operation that has pages has a list', () => {
  expect(Object.keys(lists).sort()).toEqual(pagedOperations.sort());
});

interface Page {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Requests the page of a token; with none, the first. Pages have one item. */
type ReadPage = (token: string | undefined) => Promise<Page>;

/** What is wrong with the pages of a list. @returns undefined: the connection ends. */
type Fault = (token: string | undefined, read: ReadPage, list: PagedList) => Promise<Page | undefined>;

const withToken = (page: Page, { service }: PagedList, token: string, isEmpty = false): Page => {
  const body = JSON.parse(page.text);
  if (service === 'scheduler')
    return {
      ...page,
      headers: { ...page.headers, 'x-nomad-nexttoken': token },
      text: isEmpty ? '[]' : page.text,
    };
  if (service === 'box') return page;
  const items = isEmpty ? undefined : body.items;
  return { ...page, text: JSON.stringify({ ...body, items, list_token: token, response_type: 'delta' }) };
};

const faults: Readonly<Record<string, Fault>> = {
  'pages as they are': (token, read) => read(token),
  'a later page is an error': async (token, read) =>
    token === undefined ? read(token) : { status: 500, headers: {}, text: 'failed' },
  'the connection of a later page ends': async (token, read) =>
    token === undefined ? read(token) : undefined,
  'an empty page with a token': async (token, read, list) => {
    if (token === undefined && list.service !== 'box')
      return withToken(await read(undefined), list, 'rest', true);
    return read(token === 'rest' ? undefined : token);
  },
  'the same page again and again': async (_token, read, list) =>
    withToken(await read(undefined), list, 'same'),
  'two pages in turn': async (token, read, list) =>
    list.service === 'box'
      ? read(token === undefined ? undefined : String(((Number(token) + 1) % 2) + 1))
      : withToken(await read(undefined), list, token === 'odd' ? 'even' : 'odd'),
};

const pageSize = { scheduler: 'per_page', accounts: 'page_size', box: 'limit' } as Readonly<
  Record<string, string>
>;
const tokenName = { scheduler: 'next_token', accounts: 'list_token', box: 'page' } as Readonly<
  Record<string, string>
>;

/** A service whose list has pages of one item, and this fault. */
async function faulty(address: string, list: PagedList, fault: Fault): Promise<string> {
  const size = pageSize[list.service] ?? '';
  const name = tokenName[list.service] ?? '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = 'GET', headers } = request;
    const send = async (url: URL): Promise<Page> => {
      const sent = Object.entries(headers).flatMap(([each, value]) =>
        ['host', 'connection', 'content-length', 'accept-encoding'].includes(each)
          ? []
          : [[each, String(value)]],
      );
      const received = await fetch(url, {
        method,
        headers: Object.fromEntries(sent),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const all = [...received.headers].filter(
        ([each]) => !/^(content-length|transfer-encoding|connection)$/.test(each),
      );
      return { status: received.status, headers: Object.fromEntries(all), text: await received.text() };
    };
    const url = new URL(`${address}${request.url}`);
    const readPage: ReadPage = (token) => {
      const page = new URL(url);
      page.searchParams.set(size, '1');
      if (token === undefined) page.searchParams.delete(name);
      else page.searchParams.set(name, token);
      return send(page);
    };
    const given = url.searchParams.get(name) ?? undefined;
    const token = list.service === 'box' && given === '1' ? undefined : given;
    const isPaged = method === 'GET' && url.pathname === list.path;
    const page = await (isPaged ? fault(token, readPage, list) : send(url));
    if (page === undefined) return void request.socket.destroy();
    response.writeHead(page.status, page.headers);
    response.end(page.status === 204 ? undefined : page.text);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** Runs a line; its output has the files that it writes, without tokens of pages. */
async function run(line: string, env: Record<string, string> = {}): Promise<Ran> {
  const { code, stdout, stderr } = await at.run(line.replace('{out}', 'out').split(' '), {
    env: { PASSWORD: 'password-1', ...env },
    random: (length) => new Uint8Array(length),
  });
  const files = line.includes('{out}') && code === 0 ? at.list('out') : [];
  const contents = files.map((name) => `${name}\n${at.read(name)}`);
  at.clear('out');
  return { code, stderr, stdout: [stdout, ...contents].join('').replace(/^ *"list_token": .*$/gm, '') };
}

const { at, running } = embeddedForAll({ accounts: { password: 'admin-password' } });
beforeAll(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken ?? '';
  for (const service of serviceNames) at.env[`LANYARD_${service.toUpperCase()}_MAX_RETRIES`] = '0';
  const must = async (line: string): Promise<void> => {
    const { code, stderr } = await run(line, { ADMIN: 'admin-password' });
    expect(code, `${line}: ${stderr}`).toBe(0);
  };
  const bootstrap = await run('scheduler acl bootstrap --field SecretID');
  at.env.LANYARD_SCHEDULER_TOKEN = bootstrap.stdout.trim();
  for (const name of ['a', 'b', 'c'])
    expect((await run(`scheduler acl token create --type management --name ${name}`)).code).toBe(0);
  await must('namespace put other');
  for (const name of ['a', 'b', 'c']) {
    await must(`var put app/${name} k=${name}`);
    at.write(`files/app/${name}.json`, '{"k":"b"}');
    await must(`account create --login-name user-${name} --password env://PASSWORD`);
    for (const noun of ['user', 'role', 'scope']) await must(`account ${noun} create ${noun}-${name}`);
    at.write('method.json', JSON.stringify({ scope_id: 'global', type: 'password', name: `method-${name}` }));
    await must('api accounts POST auth-methods --data @method.json');
    await must('account login --login-name admin --password env://ADMIN --no-store');
    await must(`box create dev/${name} --public`);
    await must(`box version create dev/${name} 1.0.0`);
    await must(`box provider create dev/${name} 1.0.0 virtualbox --url https://example.com/x.box`);
    await must(`box release dev/${name} 1.0.0`);
  }
  const set = { apiVersion: 'lanyard/v1', kind: 'Set', metadata: { name: 'pages', id: 'pages00000' } };
  at.write('state/set.json', JSON.stringify({ ...set, spec: { record: 'file:record.json' } }));
  for (const name of ['user-a', 'user-b', 'user-new'])
    at.write(
      `state/${name}.json`,
      JSON.stringify({
        apiVersion: 'lanyard/v1',
        kind: 'accounts.account',
        metadata: { authMethod: 'password', name },
        spec: { description: 'new' },
      }),
    );
  for (const noun of ['user', 'role', 'scope'])
    at.write(
      `state/${noun}.json`,
      JSON.stringify({
        apiVersion: 'lanyard/v1',
        kind: `accounts.${noun}`,
        metadata: { name: `${noun}-b` },
        spec: { description: 'new' },
      }),
    );
  at.write(
    'state/method.json',
    JSON.stringify({
      apiVersion: 'lanyard/v1',
      kind: 'accounts.auth-method',
      metadata: { name: 'method-b' },
      spec: { type: 'password', description: 'new' },
    }),
  );
}, 60_000);

describe.each(Object.entries(lists))('%s', (_operation, list) => {
  test.each(list.lines)('%s', async (line) => {
    const complete = await run(line);
    // 10: a difference.
    expect([0, 10], complete.stderr).toContain(complete.code);
    for (const [name, fault] of Object.entries(faults)) {
      const address = await faulty(running.addresses[list.service], list, fault);
      const found = await run(line, { [`LANYARD_${list.service.toUpperCase()}_ADDR`]: address });
      const isComplete = found.code === complete.code && found.stdout === complete.stdout;
      if (name === 'pages as they are') expect(found.stdout, name).toBe(complete.stdout);
      else if (!isComplete) {
        expect(found.code, name).not.toBe(0);
        expect(found.stderr, name).toMatch(/error"?: ?|the plan is incomplete/);
      }
    }
  });
});
