import { describe, expect, test } from 'vitest';
import { candidateLines, withoutQuotes } from '../../../src/cli/completion/candidates.ts';

describe('a word without its quotes', () => {
  test.each([
    ['plain', 'plain'],
    ['my\\ app', 'my app'],
    ['"my app"', 'my app'],
    ['"my app', 'my app'],
    ["'a\\b'", 'a\\b'],
    ['"a\\b\\$c\\`d"', 'a\\b$c`d'],
    ['a"b c"\'d e\'f', 'ab cd ef'],
    ["it\\'s", "it's"],
    ["'it'\\''s'", "it's"],
    ['trailing\\', 'trailing'],
  ])('of bash: %s', (word, text) => {
    expect(withoutQuotes(word, 'bash')).toBe(text);
  });

  test.each([
    ['my\\ app', 'my app'],
    ["'it\\'s \\\\ \\n'", "it's \\ \\n"],
    ['"\\$x \\`y"', '$x \\`y'],
  ])('of fish: %s', (word, text) => {
    expect(withoutQuotes(word, 'fish')).toBe(text);
  });
});

describe('candidates as lines', () => {
  const all = [
    { value: 'a', description: 'first\tone' },
    { value: '-b' },
    { value: '' },
    { value: 'c\u0007' },
  ];

  test('have descriptions where the shell shows them', () => {
    const options = { prefix: 'x,', isOperand: false };
    expect(candidateLines(all, 'fish', options)).toBe('x,a\tfirst one\nx,-b\n');
    expect(candidateLines(all, 'bash', options)).toBe('x,a\nx,-b\n');
  });

  test('have no value that would be read as a flag', () => {
    expect(candidateLines(all, 'bash', { prefix: '', isOperand: true })).toBe('a\n');
  });

  test('are at most 1000', () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({ value: `n${index}` }));
    expect(candidateLines(many, 'zsh', { prefix: '', isOperand: true }).split('\n')).toHaveLength(1001);
  });
});
