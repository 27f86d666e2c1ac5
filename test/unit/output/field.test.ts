import { describe, expect, test } from 'vitest';
import { checkSelectionFlags } from '../../../src/output/render.ts';
import { parseJson } from '../../../src/wire/json.ts';
import { failure, rendered } from './support.ts';

const data = parseJson(
  '{"request_id":"r","data":{"keys":["web","db"],"a.b":{"c d":"deep"},"serial":9223372036854775807,"none":null,"on":true,"text":"a\\n","__proto__":{"own":"yes"}}}',
) as { data: unknown };
const at = (field: string, terminal = false) =>
  rendered({ data, payload: data.data }, { field, terminal, format: 'json' });

describe('--field', () => {
  test.each([
    ['request_id', 'r\n'],
    ['data.keys.1', 'db\n'],
    ['keys.0', 'web\n'],
    ['keys[0]', 'web\n'],
    ['["a.b"]["c d"]', 'deep\n'],
    ['data["a.b"]["c d"]', 'deep\n'],
    ['serial', '9223372036854775807\n'],
    ['none', 'null\n'],
    ['on', 'true\n'],
    ['keys', '["web","db"]\n'],
    ['["a.b"]', '{"c d":"deep"}\n'],
    ['__proto__.own', 'yes\n'],
  ])('%s is written raw', async (path, written) => {
    expect(await at(path)).toBe(written);
  });

  test('adds no newline to text that ends in one', async () => {
    expect(await at('text')).toBe('a\n');
  });

  test('prefers the complete response to its main part', async () => {
    expect(await rendered({ data: { id: 'outer' }, payload: { id: 'inner' } }, { field: 'id' })).toBe(
      'outer\n',
    );
  });

  test('is byte-faithful in a pipe and escaped on a terminal', async () => {
    const answer = { data: { key: 'a\x1b\x9b', more: ['\x9b'] } };
    expect(await rendered(answer, { field: 'key' })).toBe('a\x1b\x9b\n');
    expect(await rendered(answer, { field: 'key', terminal: true })).toBe('a\\x1b\\x9b\n');
    expect(await rendered(answer, { field: 'more', terminal: true })).toBe('["\\u009b"]\n');
  });

  test('names the existing fields when a field is missing, and no value', async () => {
    const message = await failure(at('data.a'), 'not_found');
    expect(message).toContain('no field "a" in "data"');
    expect(message).toContain('fields of "data": keys, ["a.b"], serial, none, on, text, __proto__');
    expect(message).not.toContain('web');
  });

  test('names the fields of the closest match when nothing of the path exists', async () => {
    const message = await failure(at('key'), 'not_found');
    expect(message).toContain('no field "key" in the response');
    expect(message).toContain('keys, ["a.b"]');
  });

  test('reports the length of a list', async () => {
    expect(await failure(at('keys.2'), 'not_found')).toContain('a list of 2; the first is 0, the last is 1');
    expect(await failure(at('keys.web'), 'not_found')).toContain('no field "web" in "keys"');
  });

  test('reports that a plain value has no fields, without showing it', async () => {
    const message = await failure(at('keys.0.x'), 'not_found');
    expect(message).toContain('"keys.0" is a string and has no fields');
    expect(message).not.toContain('web');
  });

  test('names the first thirty fields only', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]));
    expect(await failure(rendered({ data: many }, { field: 'x' }), 'not_found')).toContain(
      'k29, and 70 more',
    );
  });

  test.each([
    'toString',
    'constructor',
    'data.hasOwnProperty',
    'keys.length',
    'keys.map',
    'request_id.length',
  ])('%s is no one’s own field', async (path) => {
    await failure(at(path), 'not_found');
  });

  test('does not find fields that an object only inherits', async () => {
    await failure(rendered({ data: { a: 1 } }, { field: '__proto__' }), 'not_found');
  });

  test.each([
    ['', 1],
    ['.a', 1],
    ['a..b', 2],
    ['a.', 2],
    ['a[b]', 2],
    ['a["b"', 2],
    ['a["\\x"]', 2],
    ['a"b', 2],
  ])('%j is rejected at character %i', async (path, character) => {
    expect(await failure(checkSelectionFlags({ field: path }), 'usage')).toContain(
      `at character ${character}`,
    );
  });
});
