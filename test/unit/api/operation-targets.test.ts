import { describe, expect, test } from 'vitest';
import { accountsOperations } from '../../../src/api/accounts.ts';
import { boxOperations } from '../../../src/api/box.ts';
import { blockingMs, type Operation, target } from '../../../src/api/operation.ts';
import { registryOperations } from '../../../src/api/registry.ts';
import { schedulerOperations } from '../../../src/api/scheduler.ts';
import { secretsOperations } from '../../../src/api/secrets.ts';
import { LanyardError } from '../../../src/errors.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { asIs } from './support.ts';

interface Input {
  readonly [member: string]: unknown;
}

const targetOf = (row: Partial<Operation<Input, unknown>>, input: Input) =>
  target<Input, unknown>(
    {
      name: 'do the thing',
      service: 'secrets',
      method: 'POST',
      path: '/v1/thing',
      accepts: [200],
      retry: 'write',
      decode: asIs,
      ...row,
    },
    input,
  );

describe('the request of an operation', () => {
  test('has the method, the path and nothing else if nothing else is declared', () => {
    expect(targetOf({ method: 'GET' }, { a: 1, content: 'text' })).toEqual({
      method: 'GET',
      path: '/v1/thing',
      from: 'address',
      prefixed: {},
      body: undefined,
      contentType: undefined,
    });
  });

  test('has one segment for {name}, and several for {+name}', () => {
    const input = { name: 'a/b c', path: 'a/b c/%', ttl: 1 };
    const { path, body } = targetOf({ path: '/v1/{name}/x/{+path}', body: 'json' }, input);
    expect(path).toBe('/v1/a%2Fb%20c/x/a/b%20c/%25');
    expect(body).toBe('{"ttl":1}');
  });

  test('has in its JSON body the fields that are declared nowhere else, without undefined ones', () => {
    const row = {
      path: '/v1/{name}',
      query: ['region', 'absent'],
      headers: { 'Snapshot-Id': 'snapshot', Other: 'other' },
      search: 'search',
      body: 'json',
    } as const;
    const input = { name: 'n', region: 'eu', snapshot: 's', search: 'c=1', left: true, unset: undefined };
    expect(targetOf(row, input)).toEqual({
      method: 'POST',
      path: '/v1/n?region=eu&c=1',
      from: 'address',
      prefixed: { 'Snapshot-Id': 's' },
      body: '{"left":true}',
      contentType: 'application/json',
    });
  });

  test('has the query in the order: fixed, by name, as text', () => {
    const row = {
      fixedQuery: [
        ['list', 'true'],
        ['list', 'x&y'],
      ],
      query: ['b', 'a'],
      search: 'search',
    } as const;
    const input = { a: 0, b: 'b c', search: 'list=last&=&z' };
    expect(targetOf(row, input).path).toBe('/v1/thing?list=true&list=x%26y&b=b+c&a=0&list=last&=&z=');
    expect(targetOf({ fixedQuery: [['list', 'true']] }, {}).path).toBe('/v1/thing?list=true');
    expect(targetOf({ search: 'search' }, { search: 'c=1' }).path).toBe('/v1/thing?c=1');
    expect(targetOf({ search: 'search' }, {}).path).toBe('/v1/thing');
    expect(targetOf({ query: ['a'] }, { a: undefined }).path).toBe('/v1/thing');
  });

  test('has the content as its body, as text or bytes, only where that is declared', () => {
    const bytes = Uint8Array.of(0, 255);
    expect(targetOf({ body: 'content' }, { content: bytes }).body).toBe(bytes);
    expect(targetOf({ body: 'content' }, { content: 'text' }).body).toBe('text');
    expect(targetOf({ body: 'content' }, { content: 'text' }).contentType).toBeUndefined();
    expect(targetOf({ body: 'json' }, { content: 'text' }).body).toBe('{"content":"text"}');
  });

  test('has the declared content type instead of the type of JSON', () => {
    const contentType = 'application/merge-patch+json';
    expect(targetOf({ body: 'json', contentType }, {}).contentType).toBe(contentType);
    expect(targetOf({ body: 'content', contentType: 'text/plain' }, { content: '' }).contentType).toBe(
      'text/plain',
    );
  });
});

describe('a field that is missing or of another type is rejected before anything is sent', () => {
  const operations: readonly Operation<Input, unknown>[] = [
    ...[secretsOperations, registryOperations, boxOperations, schedulerOperations, accountsOperations],
  ].flatMap((table) => Object.values(table) as never[]);
  const messageOf = (operation: Operation<Input, unknown>, input: Input): string => {
    try {
      target(operation, input);
    } catch (error) {
      if (error instanceof LanyardError && error.kind === 'usage') return error.message;
      throw error;
    }
    return 'accepted';
  };
  /** The values that a field must have. */
  const requiredOf = ({ path, body }: Operation<Input, unknown>): Input => ({
    ...Object.fromEntries(Array.from(path.matchAll(/\{[+*]?([^}]+)\}/g), ([, name]) => [name, 'a'])),
    ...(body === 'content' && { content: 'a' }),
  });

  test('in the path and the content of every operation', () => {
    const checked = operations.flatMap((operation) =>
      Object.keys(requiredOf(operation)).map((field) => ({ operation, field })),
    );
    expect(checked.length).toBeGreaterThan(150);
    for (const { operation, field } of checked) {
      const { [field]: _, ...others } = requiredOf(operation);
      for (const missing of [others, { ...others, [field]: undefined }, { ...others, [field]: null }])
        expect(messageOf(operation, missing)).toBe(`cannot ${operation.name}: missing ${field}`);
      const expected = field === 'content' ? 'a string or Uint8Array' : 'a string';
      for (const value of [['a'], { a: 1 }, 5, () => 'a'])
        expect(messageOf(operation, { ...others, [field]: value })).toBe(
          `cannot ${operation.name}: invalid ${field}: expected ${expected}`,
        );
    }
  });

  test('in the query and the headers of every operation', () => {
    const checked = operations.flatMap((operation) =>
      [...(operation.query ?? []), ...Object.values(operation.headers ?? {})].map((field) => ({
        operation,
        field,
      })),
    );
    expect(checked.length).toBeGreaterThan(100);
    for (const { operation, field } of checked)
      for (const value of [null, ['a'], { a: 1 }])
        expect(messageOf(operation, { ...requiredOf(operation), [field]: value })).toBe(
          `cannot ${operation.name}: invalid ${field}: expected a string, number or boolean`,
        );
  });

  test('but an empty prefix, if it is given, selects all keys', () => {
    expect(target(registryOperations.deleteKeys, { prefix: '' }).path).toBe('/v1/kv/?recurse=');
  });
});

describe('a URL returned by a service', () => {
  const row = { handedOut: 'callback', body: 'json', query: ['a'] } as const;

  test('gives path and query of the request, at the origin, and is not in the body', () => {
    const callback = 'https://elsewhere.example.com/api/confirm/a%2Fb?key=1#part';
    expect(targetOf(row, { callback, a: 2, left: 1 })).toMatchObject({
      path: '/api/confirm/a%2Fb?key=1',
      from: 'origin',
      body: '{"left":1}',
    });
  });

  test.each(['nowhere', '', undefined, ['https://elsewhere.example.com/a']])(
    'is rejected before anything is sent if it is invalid (%j)',
    (callback) => {
      expect(() => targetOf(row, { callback })).toThrow(
        expect.objectContaining({
          kind: 'usage',
          message: 'cannot do the thing: invalid callback: expected a URL',
        }),
      );
    },
  );
});

describe('a name that would reach another route is rejected before it is sent', () => {
  const rejected = (service: ServiceName, value: unknown, path = '/v1/{role_name}'): LanyardError => {
    try {
      targetOf({ service, path }, { role_name: value });
    } catch (error) {
      if (error instanceof LanyardError) return error;
      throw error;
    }
    throw new Error('it was accepted');
  };
  const hint = 'Nothing was sent. Such a name would lead to another route of the service.';

  test.each([
    ['', 'contains an empty path segment'],
    ['a//b', 'contains an empty path segment'],
    ['/a', 'contains an empty path segment'],
    ['a/', 'contains an empty path segment'],
    ['.', 'must not contain "." as a path segment'],
    ['..', 'must not contain ".." as a path segment'],
    ['a/../b', 'must not contain ".." as a path segment'],
    ['a/./b', 'must not contain "." as a path segment'],
    ['a\nb', 'contains a control character'],
    ['a\u0000', 'contains a control character'],
    ['a\u001fb', 'contains a control character'],
    ['a\u007f', 'contains a control character'],
    ['a\u009f', 'contains a control character'],
    ['a\ud800', 'contains an unpaired surrogate (invalid UTF-16)'],
    ['\udc00b', 'contains an unpaired surrogate (invalid UTF-16)'],
  ])('%j', (value, why) => {
    for (const service of ['secrets', 'box', 'scheduler', 'accounts'] as const) {
      for (const path of ['/v1/{role_name}', '/v1/{+role_name}']) {
        // Nomad keeps variables whose path ends in a slash, and its routes keep the slash.
        if (value === 'a/' && service === 'scheduler' && path === '/v1/{+role_name}') continue;
        expect(rejected(service, value, path)).toMatchObject({
          kind: 'usage',
          message: `cannot do the thing: role name ${why}`,
          hint,
        });
      }
    }
  });

  test('with a "/" in the registry, and nowhere else', () => {
    expect(rejected('registry', 'a/b').message).toBe('cannot do the thing: role name must not contain "/"');
    for (const service of ['secrets', 'box', 'scheduler', 'accounts'] as const)
      expect(targetOf({ service, path: '/{name}' }, { name: 'a/b' }).path).toBe('/a%2Fb');
    expect(targetOf({ service: 'registry', path: '/{+name}' }, { name: 'a/b' }).path).toBe('/a/b');
  });

  test('with a period at its end in the secrets service, and nowhere else', () => {
    expect(rejected('secrets', 'a.').message).toBe(
      'cannot do the thing: role name "a." must not end with a period',
    );
    for (const service of ['registry', 'box', 'scheduler', 'accounts'] as const)
      expect(targetOf({ service, path: '/{name}' }, { name: 'a.' }).path).toBe('/a.');
    expect(targetOf({ path: '/{name}' }, { name: '.a.b' }).path).toBe('/.a.b');
    expect(targetOf({ path: '/{name}' }, { name: '...a' }).path).toBe('/...a');
  });

  test('not with a space, "~" or a character of another language', () => {
    expect(targetOf({ path: '/{name}' }, { name: ' ~\u00a0é' }).path).toBe('/%20~%C2%A0%C3%A9');
  });
});

describe('a key of the registry', () => {
  const pathOf = (key: string, method = 'PUT', service: ServiceName = 'registry') =>
    targetOf({ service, method, path: '/v1/kv/{*key}' }, { key }).path;
  const emptySegment = 'cannot do the thing: key contains an empty path segment';
  const dots = (segment: string) =>
    `cannot do the thing: key must not contain "${segment}" as a path segment`;

  test.each([
    ['', '/v1/kv/'],
    ['a', '/v1/kv/a'],
    ['a/b c', '/v1/kv/a/b%20c'],
    ['a/', '/v1/kv/a/'],
    ['a/b/', '/v1/kv/a/b/'],
  ])('is a path without encoded slashes (%j)', (key, path) => {
    for (const service of ['registry', 'secrets'] as const) expect(pathOf(key, 'PUT', service)).toBe(path);
  });

  test.each([
    ['/a', '/v1/kv/%2Fa'],
    ['a//', '/v1/kv/a%2F%2F'],
    ['a//b c', '/v1/kv/a%2F%2Fb%20c'],
    ['a/./b', '/v1/kv/a%2F.%2Fb'],
    ['a/../b', '/v1/kv/a%2F..%2Fb'],
    ['a/b/..', '/v1/kv/a%2Fb%2F..'],
  ])('with segments that servers remove has encoded slashes (%j)', (key, path) => {
    for (const method of ['PUT', 'DELETE', 'GET']) expect(pathOf(key, method)).toBe(path);
    expect(() => pathOf(key, 'PUT', 'secrets')).toThrow(
      / as a path segment$| contains an empty path segment$/,
    );
  });

  test.each([
    ['/', '/v1/kv/%2F', emptySegment],
    ['./', '/v1/kv/.%2F', dots('.')],
    ['a/..', '/v1/kv/a%2F..', dots('..')],
  ])('that a server may clean to all keys is only read (%j)', (key, path, message) => {
    expect(pathOf(key, 'GET')).toBe(path);
    for (const method of ['PUT', 'DELETE']) expect(() => pathOf(key, method)).toThrow(message);
  });

  test.each([
    ['.', dots('.')],
    ['..', dots('..')],
    ['../a', dots('..')],
    ['../a/b', dots('..')],
    ['a/../../b/c', dots('..')],
  ])('that a server may clean to another route is rejected (%j)', (key, message) => {
    for (const method of ['PUT', 'DELETE', 'GET'])
      expect(() => pathOf(key, method)).toThrow(
        expect.objectContaining({
          message,
          hint: 'Nothing was sent. Such a name would lead to another route of the service. `lanyard txn apply` accepts any key.',
        }),
      );
  });

  test('has no encoded slashes where the path has other segments', () => {
    const row = { service: 'registry', path: '/v1/kv/{+key}' } as const;
    expect(() => targetOf(row, { key: 'a//b' })).toThrow(emptySegment);
  });

  test('and a prefix have a hint with the command that accepts them, other names have none', () => {
    const hintOf = (service: ServiceName, name: string) => {
      try {
        targetOf({ service, path: `/v1/{${name}}` }, { [name]: '..' });
      } catch (error) {
        if (error instanceof LanyardError) return error.hint;
      }
      return undefined;
    };
    const other = 'Nothing was sent. Such a name would lead to another route of the service.';
    expect(hintOf('registry', 'prefix')).toBe(`${other} \`lanyard txn apply\` accepts any key.`);
    expect(hintOf('registry', 'session')).toBe(other);
    expect(hintOf('secrets', 'key')).toBe(other);
  });
});

describe('a path of the scheduler', () => {
  const pathOf = (path: string) => targetOf({ service: 'scheduler', path: '/v1/var/{+path}' }, { path }).path;

  test('may end with "/"', () => {
    expect(pathOf('a/')).toBe('/v1/var/a/');
    expect(pathOf('a/b/')).toBe('/v1/var/a/b/');
  });

  test.each(['', '/', 'a//'])('has no empty segment before (%j)', (path) => {
    expect(() => pathOf(path)).toThrow('cannot do the thing: path contains an empty path segment');
  });
});

describe('the time by which a blocking query may be delayed', () => {
  const query = ['index', 'wait'];

  test.each([
    [{ index: '5', wait: '60s' }, 63_750],
    [{ index: '5', wait: '1m' }, 63_750],
    // Without an index, the response is not delayed.
    [{ wait: '60s' }, 0],
    [{ index: '5' }, 0],
  ])('%j: %i ms', (input, expected) => {
    expect(blockingMs({ query } as Pick<Operation<never, unknown>, 'query'>, input)).toBe(expected);
  });

  test('is 0 where `wait` is no parameter', () => {
    expect(blockingMs({}, { index: '5', wait: '60s' })).toBe(0);
    const withoutWait = { query: ['index'] } as Pick<Operation<never, unknown>, 'query'>;
    expect(blockingMs(withoutWait, { index: '5', wait: '60s' })).toBe(0);
  });
});
