import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { accountsOperations } from '../../../src/api/accounts.ts';
import { boxOperations } from '../../../src/api/box.ts';
import { checked } from '../../../src/api/decode.ts';
import type { Body } from '../../../src/api/operation.ts';
import { registryOperations } from '../../../src/api/registry.ts';
import { schedulerOperations } from '../../../src/api/scheduler.ts';
import { secretsOperations } from '../../../src/api/secrets.ts';

const decode = checked(
  v.looseObject({ token: v.string(), of: v.optional(v.looseObject({ id: v.number() })) }),
);

describe('an invalid response', () => {
  test.for([
    [{ token: 12345 }, 'token: expected string, got a number'],
    [{ token: null }, 'token: expected string, got null'],
    [{ token: ['s3cret'] }, 'token: expected string, got an array'],
    [{ token: 'a', of: { id: 's3cret' } }, 'of.id: expected number, got a string'],
    [{ token: {} }, 'token: expected string, got an object'],
    [{}, 'token: missing'],
    ['s3cret', 'the body: expected Object, got a string'],
    [undefined, 'the body: missing'],
  ] as readonly [Body, string][])('%j is reported without its values', ([body, message]) => {
    expect(() => decode(body)).toThrow(message);
  });

  test('an invalid upload URL is as secret as a valid one', () => {
    expect(() => boxOperations.prepareUpload.decode({ upload_path: '/upload/s3cret' })).toThrow(
      'upload_path: expected url, got a string of another form',
    );
  });
});

/** A body, and its status. */
type Good = readonly [body: Body, status: number];

describe('the response to a write', () => {
  const { writeNamespace, deleteNamespace, writeVariable, deleteVariable } = schedulerOperations;
  const { applyTransaction, updateQuery, deleteQuery, logout } = registryOperations;
  const warned = { request_id: '1', data: null, warnings: ['a warning'] };
  const none: Good = [undefined, 204];
  const indexed: Good = [{ Index: 4 }, 200];
  const shapes: readonly (readonly [
    string,
    { readonly decode: (body: Body, status?: number) => unknown },
    readonly Good[],
  ])[] = [
    ['secrets write', secretsOperations.write, [none, [warned, 200], [{ sealed: false }, 200]]],
    ['secrets delete', secretsOperations.remove, [none, [warned, 200]]],
    ['kv delete', secretsOperations.deleteKv, [none, [warned, 200]]],
    ['ssh ca create', secretsOperations.createCa, [none, [{ data: { public_key: 'a' } }, 200]]],
    ['ssh tidy', secretsOperations.tidyKeys, [none, [{ data: { message: 'a' } }, 200]]],
    ['namespace put', writeNamespace, [none, [undefined, 200], indexed]],
    ['namespace delete', deleteNamespace, [none, [undefined, 200], indexed]],
    ['var put', writeVariable, [none, [{ Path: 'a' }, 200]]],
    ['var delete', deleteVariable, [none, indexed]],
    [
      'txn apply',
      applyTransaction,
      [
        [{ Results: null, Errors: null }, 200],
        [{ Results: [] }, 200],
      ],
    ],
    ['query put', updateQuery, [[undefined, 200]]],
    ['query delete', deleteQuery, [[undefined, 200]]],
    // The embedded registry sends nothing, Consul `true`.
    [
      'acl logout',
      logout,
      [
        [undefined, 200],
        [true, 200],
      ],
    ],
    ['account delete', accountsOperations.deleteAccount, [none]],
    ['box update', boxOperations.updateBox, [[{ tag: 'a/b' }, 200]]],
    ['box delete', boxOperations.deleteBox, [none, [{ tag: 'a/b' }, 200]]],
    ['box token delete', boxOperations.deleteToken, [none]],
  ];

  test.each(shapes)('of %s is taken as the products send it', (_name, operation, good) => {
    for (const [body, status] of good) expect(operation.decode(body, status)).toEqual(body);
  });

  test.each(shapes)('of %s is not done with another shape', (_name, operation) => {
    for (const body of [null, [], {}, 'done', 1]) expect(() => operation.decode(body, 200)).toThrow();
  });

  test.each([
    secretsOperations.write,
    secretsOperations.remove,
    secretsOperations.createCa,
    writeVariable,
    deleteVariable,
    accountsOperations.deleteAccount,
    boxOperations.deleteBox,
  ])('of $name is not done with 200 and no body', (operation) => {
    expect(() => operation.decode(undefined, 200)).toThrow('the body');
  });
});
