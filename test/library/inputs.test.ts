import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { accounts, box, LanyardError, registry, scheduler, secrets } from '../../src/library/index.ts';
import { methodName } from '../../src/library/method-names.ts';
import { requiredFields } from '../../src/library/required-fields.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { listening } from '../support/ports.ts';

// Every method of every client with every required field missing or of another type.

const tables: Readonly<Record<string, Readonly<Record<string, { readonly path: string }>>>> = {
  secrets: secretsOperations,
  registry: registryOperations,
  box: boxOperations,
  scheduler: schedulerOperations,
  accounts: accountsOperations,
};

const clients = { secrets, registry, box, scheduler, accounts };

type Client = Readonly<Record<string, (input?: unknown) => Promise<unknown>>>;

let requests = 0;
const server = createServer((_request, response) => {
  requests++;
  response.setHeader('Content-Type', 'application/json').end('{}');
});
let address: string;
beforeAll(async () => {
  ({ address } = await listening(server));
});
afterAll(() => void server.close());

/** Valid values of a field, by its mark. */
const valid: Readonly<Record<string, readonly unknown[]>> = {
  '': ['text'],
  '?': ['text', null],
  '#': [1],
  '!': [true],
  '[]': [['a']],
  '{}': [{ a: '1' }],
  '*': ['text', new Uint8Array([1])],
};
const values: readonly unknown[] = [undefined, null, 5, Number.NaN, ['a'], { a: '1' }, true, 'text'];
const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === typeof b && Array.isArray(a) === Array.isArray(b) && a !== null && !Number.isNaN(a));

const methods = serviceNames.flatMap((service) =>
  requiredFields[service].split(' ').map((text) => {
    const [operation = '', fields = ''] = text.split(/[()]/);
    const required = fields.split(',').flatMap((field) => {
      const [, name, mark = ''] = /^(\w+)(.*)$/.exec(field) ?? [];
      return name === undefined ? [] : [{ name, mark }];
    });
    return { service, operation, path: tables[service]?.[operation]?.path ?? '', required };
  }),
);

test.each(serviceNames)(
  '%s: nothing is sent without a required field, or with one of another type',
  async (service) => {
    const client = clients[service]({ env: {}, profile: false, address, token: 'token', maxRetries: 0 });
    const sent: string[] = [];
    let tried = 0;
    for (const { operation, path, required } of methods.filter((each) => each.service === service)) {
      const complete = Object.fromEntries(required.map(({ name, mark }) => [name, valid[mark]?.[0]]));
      const fields = required.flatMap(({ name, mark }) => {
        const inPath = new RegExp(String.raw`\{\+?${name}\}`).test(path);
        const wrong = values.filter((value) => !valid[mark]?.some((each) => isSame(value, each)));
        return [...wrong, ...(inPath ? [''] : [])].map((value) => ({ ...complete, [name]: value }));
      });
      for (const input of [
        ...fields,
        null,
        'text',
        ['text'],
        ...(required.length > 0 ? [undefined, {}] : []),
      ]) {
        tried++;
        const before = requests;
        const error = await (client as unknown as Client)[methodName(operation)]?.(input).then(
          () => undefined,
          (each: unknown) => each,
        );
        const isUsage = error instanceof LanyardError && error.kind === 'usage';
        if (requests > before || !isUsage) sent.push(`${operation} ${inspect(input)}: ${error}`);
      }
    }
    expect(sent).toEqual([]);
    expect(tried).toBeGreaterThan(80);
  },
);

describe.each(serviceNames)('a client of %s', (service) => {
  test('can be logged, serialized, compared, converted and awaited without a request', async () => {
    const client = clients[service]({ env: {}, profile: false, address, token: 'hvs.secret-token' });
    const before = requests;
    expect(JSON.stringify({ user: 1, client })).toBe('{"user":1,"client":{}}');
    expect(`${client}`).toBe(`[object ${service} client]`);
    expect(Number(client)).toBeNaN();
    expect(inspect(client)).toBe(`Object [${service} client] {}`);
    expect(inspect(client, { depth: null, showHidden: true, getters: true })).not.toContain('secret-token');
    expect(structuredClone({ ...client })).toEqual({});
    // Methods cannot be cloned, and the client is cloned without them.
    expect(structuredClone(client)).toEqual({});
    expect(Object.entries(client)).toEqual([]);
    expect(await client).toBe(client);
    expect(client).toEqual(client);
    expect(requests).toBe(before);
  });
});
