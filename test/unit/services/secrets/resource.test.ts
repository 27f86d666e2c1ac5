import { expect, test } from 'vitest';
import { SecretsError } from '../../../../src/services/secrets/engine.ts';
import { Routes } from '../../../../src/services/secrets/resource.ts';

const resource = { summary: 'Show a thing.', read: () => undefined };
const routes = new Routes()
  .on('things/:name', resource)
  .onUnauthenticated('public/:name', { ...resource, write: () => undefined });

test('a handler of an unauthenticated path requires a token at another path', () => {
  const paths = ['public/a', 'things/a', 'public', 'public/a/b', 'other'];
  expect(paths.filter((path) => routes.isUnauthenticated('read', path))).toEqual(['public/a']);
});

test('an unauthenticated write creates and updates; other operations are rejected without a token too', () => {
  const operations = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;
  expect(operations.every((operation) => routes.isUnauthenticated(operation, 'public/a'))).toBe(true);
  const served = ['read', 'create', 'update'];
  for (const operation of operations.filter((each) => !served.includes(each)))
    expect(() => routes.find('public/a', operation), operation).toThrow('unsupported operation');
});

test('other operations of a path with a handler that requires a token require one', () => {
  const mixed = new Routes()
    .on('a', resource)
    .onUnauthenticated('a', { summary: '', write: () => undefined });
  expect(mixed.isUnauthenticated('update', 'a')).toBe(true);
  expect(mixed.isUnauthenticated('delete', 'a')).toBe(false);
  expect(routes.isUnauthenticated('delete', 'things/a')).toBe(false);
});

test('finds the handler of a path, describes it, and rejects an operation without a handler', () => {
  expect(routes.find('things/a', 'read')).toBeTypeOf('function');
  expect(routes.find('other', 'read')).toBeUndefined();
  expect(() => routes.find('things/a', 'update')).toThrow(SecretsError);
  expect(routes.descriptions).toEqual([
    { path: 'things/:name', summary: 'Show a thing.', operations: ['read'], fields: {} },
    { path: 'public/:name', summary: 'Show a thing.', operations: ['read', 'create', 'update'], fields: {} },
  ]);
});
