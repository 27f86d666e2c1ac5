import { describe, expect, test } from 'vitest';
import { readPath, splitPath } from '../../../../../src/services/core/http/path.ts';

const pathOf = (target: string, keysBelow?: readonly string[]) => readPath(target, keysBelow).path;
const rejection = (message: string) => expect.objectContaining({ status: 400, message });

describe('the path of a request', () => {
  test('is split at slashes, then decoded', () => {
    expect(pathOf('/')).toEqual({ segments: [], hasTrailingSlash: false });
    expect(pathOf('/a')).toEqual({ segments: ['a'], hasTrailingSlash: false });
    expect(pathOf('/a/')).toEqual({ segments: ['a'], hasTrailingSlash: true });
    expect(pathOf('/v1/a%20b/%C3%BC/%25%32%66')).toEqual({
      segments: ['v1', 'a b', 'ü', '%2f'],
      hasTrailingSlash: false,
    });
    expect(pathOf('/...')).toEqual({ segments: ['...'], hasTrailingSlash: false });
    expect(pathOf('/.a/..b/c..')).toEqual({ segments: ['.a', '..b', 'c..'], hasTrailingSlash: false });
  });

  test('ends at the first question mark', () => {
    const { path, query } = readPath('/a/?b=/c?d&e=%2F..%00');
    expect(path).toEqual({ segments: ['a'], hasTrailingSlash: true });
    expect([...query]).toEqual([
      ['b', '/c?d'],
      ['e', '/..\0'],
    ]);
    expect([...readPath('/a').query]).toEqual([]);
    expect([...readPath('/a?').query]).toEqual([]);
  });

  test('is made of printable ASCII characters without "#"', () => {
    for (let code = 0; code < 0x180; code++) {
      const character = String.fromCharCode(code);
      // "%" and "?" have their own meaning.
      if (character === '%' || character === '?') continue;
      const target = `/a${character}b`;
      if (/[!-~]/.test(character) && character !== '#') expect(() => readPath(target), target).not.toThrow();
      else expect(() => readPath(target), target).toThrow(rejection('malformed path'));
    }
  });

  test.for([
    ['', 'malformed path'],
    ['*', 'malformed path'],
    ['a', 'malformed path'],
    ['?a', 'malformed path'],
    ['http://127.0.0.1/a', 'malformed path'],
    ['//', 'empty segment in path'],
    ['//a', 'empty segment in path'],
    ['/a//b', 'empty segment in path'],
    ['/a//', 'empty segment in path'],
    ['/.', 'relative segment in path'],
    ['/..', 'relative segment in path'],
    ['/a/./b', 'relative segment in path'],
    ['/a/../b', 'relative segment in path'],
    ['/%2e', 'relative segment in path'],
    ['/.%2E/a', 'relative segment in path'],
    ['/a%2fb', 'encoded slash in path'],
    ['/%2F', 'encoded slash in path'],
    ['/a%00', 'control character in path'],
    ['/%0ab', 'control character in path'],
    ['/%1f', 'control character in path'],
    ['/%7f', 'control character in path'],
    ['/%c2%80', 'control character in path'],
    ['/%c2%9f', 'control character in path'],
    ['/%', 'malformed percent-encoding in path'],
    ['/%zz', 'malformed percent-encoding in path'],
    ['/%c3', 'malformed percent-encoding in path'],
    ['/%c0%ae', 'malformed percent-encoding in path'],
    ['/%ff', 'malformed percent-encoding in path'],
  ] as const)('%j is rejected: %s', ([target, message]) => {
    expect(() => readPath(target)).toThrow(rejection(message));
  });

  test('may contain what only looks like control characters', () => {
    expect(pathOf('/%20/%7e/%c2%a0')).toEqual({ segments: [' ', '~', '\u00a0'], hasTrailingSlash: false });
  });
});

describe('the segments of a path', () => {
  const longest = Array.from({ length: 256 }, (_none, at) => `s${at}`);
  const tooMany = rejection('more than 256 segments in path');

  test('number at most 256, except for a trailing slash', () => {
    expect(pathOf(`/${longest.join('/')}`)).toEqual({ segments: longest, hasTrailingSlash: false });
    expect(pathOf(`/${longest.join('/')}/`)).toEqual({ segments: longest, hasTrailingSlash: true });
    for (const rest of ['/x', '/x/', '//', '//x', '/x/y', '/x'.repeat(1000), '/'.repeat(1000)])
      expect(() => readPath(`/${longest.join('/')}${rest}`), rest).toThrow(tooMany);
  });

  test('are counted wherever a path is split', () => {
    expect(splitPath(longest.join('/'))).toEqual(longest);
    expect(splitPath(`${longest.join('/')}/`)).toEqual([...longest, '']);
    expect(splitPath('a')).toEqual(['a']);
    expect(() => splitPath(`${longest.join('/')}/x`)).toThrow(tooMany);
  });
});

describe('a path below which the rest is one key', () => {
  const keys = ['v1/var', 'v1/kv'];

  test('keeps slashes, dots and control characters in the key', () => {
    const { path, query } = readPath('/v1/kv/a//b/../%2Fc%00/?raw=1', keys);
    expect(path).toEqual({ segments: ['v1', 'kv', 'a//b/..//c\0/'], hasTrailingSlash: false });
    expect([...query]).toEqual([['raw', '1']]);
    expect(pathOf(`/v1/kv/${'a/'.repeat(1000)}`, keys).segments[2]).toBe('a/'.repeat(1000));
    expect(pathOf('/v1/kv//', keys)).toEqual({ segments: ['v1', 'kv', '/'], hasTrailingSlash: false });
  });

  test('is an ordinary path without a key', () => {
    expect(pathOf('/v1/kv/', keys)).toEqual({ segments: ['v1', 'kv'], hasTrailingSlash: true });
    expect(pathOf('/v1/kv', keys)).toEqual({ segments: ['v1', 'kv'], hasTrailingSlash: false });
  });

  test('does not affect other paths', () => {
    expect(pathOf('/v1/kvs/a/', keys)).toEqual({ segments: ['v1', 'kvs', 'a'], hasTrailingSlash: true });
    expect(() => readPath('/v1/txn//a', keys)).toThrow(rejection('empty segment in path'));
    expect(() => readPath('/x/v1/kv/a//b', keys)).toThrow(rejection('empty segment in path'));
  });

  test('rejects a key with invalid encoding', () => {
    expect(() => readPath('/v1/kv/%ff', keys)).toThrow(rejection('malformed percent-encoding in path'));
    expect(() => readPath('/v1/kv/a b', keys)).toThrow(rejection('malformed path'));
  });
});
