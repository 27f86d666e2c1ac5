import { expect, test } from 'vitest';
import { SecretsError } from '../../../../src/services/secrets/errors.ts';
import { Routes } from '../../../../src/services/secrets/resource.ts';

const resource = { summary: 'Show a thing.', read: () => undefined };
const routes = new Routes()
  .on('things/:name', resource)
  .onUnauthenticated('public/:name', { ...resource, write: () => undefined });

test('a handler of an unauthenticated path requires a token at another path', () => {
  const paths = ['public/a', 'things/a', 'public', 'public/a/b', 'other'];
  expect(paths.filter((path) => routes.access('read', path) === 'none')).toEqual(['public/a']);
});

test('an unauthenticated write creates and updates, and other operations require a token', () => {
  const operations = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;
  expect(operations.filter((operation) => routes.access(operation, 'public/a') === 'none')).toEqual([
    ...['read', 'create', 'update'],
  ]);
});

test('finds the handler of a path, describes it, and rejects an operation without a handler', () => {
  expect(routes.find('things/a', 'read')).toBeTypeOf('function');
  expect(routes.find('other', 'read')).toBeUndefined();
  expect(() => routes.find('things/a', 'update')).toThrow(SecretsError);
  expect(routes.descriptions).toMatchObject([
    { path: 'things/:name', summary: 'Show a thing.', operations: ['read'], fields: {} },
    { path: 'public/:name', summary: 'Show a thing.', operations: ['read', 'create', 'update'], fields: {} },
  ]);
});
