import { describe, expect, test } from 'vitest';
import { expandWords, leadingWords, parseExpansion } from '../../../src/wire/alias.ts';

const expand = (expansion: string, ...args: string[]) => {
  const words = parseExpansion(expansion);
  return typeof words === 'string' ? words : expandWords(words, args);
};

describe('the words of an expansion', () => {
  test.each([
    ['kv get', ['kv', 'get']],
    ['  kv\t get \n', ['kv', 'get']],
    [`kv get 'my app' "a b"`, ['kv', 'get', 'my app', 'a b']],
    [`kv get my\\ app \\$1`, ['kv', 'get', 'my app', '$1']],
    [`kv get "a\\"b\\$1\\\\c\\d"`, ['kv', 'get', 'a"b$1\\c\\d']],
    [`kv get '$1' '' ""`, ['kv', 'get', '$1', '', '']],
    [`kv get --select 'a | b' "x;y"`, ['kv', 'get', '--select', 'a | b', 'x;y']],
    ['kv get a#b #c $HOME $0', ['kv', 'get', 'a#b', '#c', '$HOME', '$0']],
    [`kv get pre'mid'"dle"post`, ['kv', 'get', 'premiddlepost']],
  ])('%s', (text, words) => {
    expect(expand(text)).toEqual(words);
  });

  test.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    [`kv get 'a`, "it has an unclosed '"],
    ['kv get "a', 'it has an unclosed "'],
    ['kv get a\\', 'it ends with a backslash'],
    ['kv get a | grep b', 'it contains an unquoted "|"'],
    ['kv get a;b', 'it contains an unquoted ";"'],
    ['kv get `id`', 'it contains an unquoted "`"'],
    ['kv get $(id)', 'it contains an unquoted "("'],
    ['kv get > out', 'it contains an unquoted ">"'],
  ])('rejects %j: %s', (text, problem) => {
    expect(parseExpansion(text)).toBe(problem);
  });
});

describe('the arguments of an alias', () => {
  test('replace placeholders, and are appended otherwise', () => {
    expect(expand('kv get', 'a', '--field', 'b')).toEqual(['kv', 'get', 'a', '--field', 'b']);
    expect(expand('kv get $1 --field "$2"', 'a', 'b')).toEqual(['kv', 'get', 'a', '--field', 'b']);
    expect(expand('kv get app/$1/$1', 'a', 'b', 'c')).toEqual(['kv', 'get', 'app/a/a', 'b', 'c']);
    expect(expand('kv get $2', 'a', 'b')).toEqual(['kv', 'get', 'b', 'a']);
    expect(expand('kv get $12', 'a')).toEqual(['kv', 'get', 'a2']);
  });

  test('stay one word each, whatever they contain', () => {
    const odd = [`a b`, `'"`, '$1', '; rm', '', '\\', '*'];
    for (const each of odd) expect(expand('kv get $1', each)).toEqual(['kv', 'get', each]);
    expect(expand('kv get', ...odd)).toEqual(['kv', 'get', ...odd]);
  });

  test('are counted: the first missing one is the result', () => {
    expect(expand('kv get $3 $1')).toBe(1);
    expect(expand('kv get $3 $1', 'a')).toBe(3);
    expect(expand('kv get $3 $1', 'a', 'b')).toBe(3);
  });
});

test('the leading words end at the first placeholder', () => {
  expect(leadingWords(parseExpansion(`kv 'get' a$1 b`) as never)).toEqual(['kv', 'get']);
  expect(leadingWords(parseExpansion('$1 get') as never)).toEqual([]);
});
