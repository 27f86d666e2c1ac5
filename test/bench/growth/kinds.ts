import { Connection, encoded } from '../load.ts';
import type { Services } from '../services.ts';

/** Objects of a page. The API of keys has no pages: a folder of keys has this number of them. */
export const pageSize = 100;

/** What is done with one object or one page. */
export const operationNames = ['read', 'write', 'first page', 'middle page'] as const;
export type OperationName = (typeof operationNames)[number];

/** A kind of objects that a service holds many of. */
export interface Kind {
  /** Plural. */
  readonly name: string;
  /** Title in the report: the objects, and what counts as a page of them. */
  readonly title: string;
  /** Objects of factor 1. */
  readonly count: number;
  readonly address: (services: Services) => string;
  /** Requests that create the objects from the `from`-th up to the `to`-th, without it; each act has its own. */
  readonly creation: (services: Services, from: number, to: number) => Creation;
  /** The requests of each operation, by turn, when there are `count` objects. */
  readonly operations: (
    services: Services,
    count: number,
  ) => Promise<Readonly<Record<OperationName, (turn: number) => Buffer>>>;
}

/** Acts, each a request or several that follow each other. */
export interface Creation {
  readonly acts: number;
  readonly requests: (act: number) => readonly Buffer[];
}

const digits = (number: number, length: number): string => String(number).padStart(length, '0');
const middleOf = (count: number): number => Math.floor(count / pageSize / 2) * pageSize;
/** Steps through all objects, far from one to the next. */
const scattered = (turn: number, count: number): number => (turn * 7919) % count;

const folderOf = (at: number): string => `growth/${digits(Math.floor(at / pageSize), 6)}`;
/** In folders of a page each. */
const pathOf = (at: number): string => `${folderOf(at)}/${digits(at % pageSize, 2)}`;
/** New objects, between the ones that exist. */
const newPathOf = (turn: number, count: number): string => `${pathOf(scattered(turn, count))}-${turn}`;

const one = (from: number, to: number, request: (at: number) => Buffer): Creation => ({
  acts: to - from,
  requests: (act) => [request(from + act)],
});

/** Operations of one transaction: as many as it may have. */
const width = 64;
const value = 'a value of sixty-four characters, as long as a password or a key';

const keys: Kind = {
  name: 'keys',
  title: 'Registry: keys with values of 64 bytes; a page is a folder of 100 keys',
  count: 1_000_000,
  address: ({ registry }) => registry,
  creation: (_services, from, to) => ({
    acts: Math.ceil((to - from) / width),
    requests(act) {
      const begin = from + act * width;
      const operations = Array.from({ length: Math.min(width, to - begin) }, (_, at) => ({
        KV: { Verb: 'set', Key: pathOf(begin + at), Value: Buffer.from(value).toString('base64') },
      }));
      return [encoded('PUT', '/v1/txn', '', operations)];
    },
  }),
  operations: async (_services, count) => ({
    read: (turn) => encoded('GET', `/v1/kv/${pathOf(scattered(turn, count))}`, ''),
    write: (turn) => encoded('PUT', `/v1/kv/${newPathOf(turn, count)}`, '', { value }),
    'first page': () => encoded('GET', `/v1/kv/${folderOf(0)}/?keys`, ''),
    'middle page': () => encoded('GET', `/v1/kv/${folderOf(middleOf(count))}/?keys`, ''),
  }),
};

const variable = (path: string): Buffer =>
  encoded('PUT', `/v1/var/${path}`, '', { Items: { user: 'bench', password: value } });
const variablePage = (token: string): Buffer =>
  encoded('GET', `/v1/vars?prefix=growth/&per_page=${pageSize}${token}`, '');

const variables: Kind = {
  name: 'variables',
  title: 'Scheduler: variables with two items, encrypted; a page is per_page=100',
  count: 100_000,
  address: ({ scheduler }) => scheduler,
  creation: (_services, from, to) => one(from, to, (at) => variable(pathOf(at))),
  operations: async (_services, count) => ({
    read: (turn) => encoded('GET', `/v1/var/${pathOf(scattered(turn, count))}`, ''),
    write: (turn) => variable(newPathOf(turn, count)),
    'first page': () => variablePage(''),
    'middle page': () => variablePage(`&next_token=default.${pathOf(middleOf(count))}`),
  }),
};

const roleOf = (at: number): string => `growth-${digits(at, 7)}`;
const role = ({ token }: Services, name: string): Buffer =>
  encoded('POST', `/v1/ssh/roles/${name}`, token, {
    key_type: 'ca',
    allow_user_certificates: true,
    allowed_users: 'deploy',
    ttl: '30m',
  });

const roles: Kind = {
  name: 'roles',
  title: 'Secrets: SSH roles, encrypted; a page is limit=100',
  count: 100_000,
  address: ({ secrets }) => secrets,
  creation: (services, from, to) => one(from, to, (at) => role(services, roleOf(at))),
  operations: async (services, count) => ({
    read: (turn) => encoded('GET', `/v1/ssh/roles/${roleOf(scattered(turn, count))}`, services.token),
    write: (turn) => role(services, `${roleOf(scattered(turn, count))}-${turn}`),
    'first page': () => encoded('LIST', `/v1/ssh/roles?limit=${pageSize}`, services.token),
    'middle page': () =>
      encoded('LIST', `/v1/ssh/roles?limit=${pageSize}&after=${roleOf(middleOf(count) - 1)}`, services.token),
  }),
};

const boxRequest = ({ boxToken }: Services, method: string, path: string, body?: object): Buffer =>
  encoded(method, `/api/v2${path}`, `Bearer ${boxToken}`, body, 'Authorization');
const box = (services: Services, name: string): Buffer =>
  boxRequest(services, 'POST', '/boxes', { box: { username: 'dev', name, is_private: false } });
const boxOf = (at: number): string => `growth-${digits(at, 7)}`;
const versionNumbers = ['1.0.0', '1.1.0'];

const boxes: Kind = {
  name: 'boxes',
  title: 'Box registry: boxes with two released versions; a page is a search with limit=100',
  count: 10_000,
  address: ({ box }) => box,
  creation: (services, from, to) => ({
    acts: to - from,
    requests(act) {
      const name = boxOf(from + act);
      const send = (method: string, path: string, body?: object) =>
        boxRequest(services, method, `/box/dev/${name}${path}`, body);
      const provider = { name: 'virtualbox', url: 'https://example.com/growth.box', architecture: 'amd64' };
      return [
        box(services, name),
        ...versionNumbers.flatMap((version) => [
          send('POST', '/versions', { version: { version } }),
          send('POST', `/version/${version}/providers`, { provider }),
          send('PUT', `/version/${version}/release`),
        ]),
      ];
    },
  }),
  operations: async (services, count) => ({
    read: (turn) => boxRequest(services, 'GET', `/box/dev/${boxOf(scattered(turn, count))}`),
    write: (turn) => box(services, `${boxOf(scattered(turn, count))}-${turn}`),
    'first page': () => boxRequest(services, 'GET', `/search?limit=${pageSize}`),
    'middle page': () =>
      boxRequest(services, 'GET', `/search?limit=${pageSize}&page=${middleOf(count) / pageSize}`),
  }),
};

const method = 'ampw_1234567890';
/** Of one response. */
const maxPageSize = 1000;

const accountRequest = ({ accountsToken }: Services, verb: string, path: string, body?: object): Buffer =>
  encoded(verb, `/v1/accounts${path}`, `Bearer ${accountsToken}`, body, 'Authorization');
const account = (services: Services, login_name: string): Buffer =>
  accountRequest(services, 'POST', '', { auth_method_id: method, attributes: { login_name } });
const accountPage = (services: Services, size: number, token: string): Buffer =>
  accountRequest(
    services,
    'GET',
    `?auth_method_id=${method}&page_size=${size}${token === '' ? '' : `&list_token=${token}`}`,
  );

interface AccountList {
  readonly items: readonly { readonly id: string }[];
  readonly list_token: string;
}

const accounts: Kind = {
  name: 'accounts',
  title: 'Accounts: password accounts without a password; a page is page_size=100',
  count: 100_000,
  address: ({ accounts }) => accounts,
  creation: (services, from, to) => one(from, to, (at) => account(services, `growth-${digits(at, 7)}`)),
  async operations(services, count) {
    const connection = await Connection.open(services.accounts);
    const ids: string[] = [];
    let token = '';
    // Tokens come with the pages: the one of the middle is found there.
    while (ids.length < count / 2) {
      const { body } = await connection.send(accountPage(services, Math.min(maxPageSize, count / 2), token));
      const page = JSON.parse(body) as AccountList;
      ids.push(...page.items.map(({ id }) => id));
      token = page.list_token;
    }
    connection.close();
    const begun = Date.now().toString(36);
    return {
      read: (turn) => accountRequest(services, 'GET', `/${ids[scattered(turn, ids.length)]}`),
      write: (turn) => account(services, `new-${begun}-${turn}`),
      'first page': () => accountPage(services, pageSize, ''),
      'middle page': () => accountPage(services, pageSize, token),
    };
  },
};

export const kinds: readonly Kind[] = [keys, variables, roles, boxes, accounts];
