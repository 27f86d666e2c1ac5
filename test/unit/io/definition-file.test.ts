import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDefinitions } from '../../../src/io/definition-file.ts';
import { readText } from '../../../src/io/files.ts';
import { folderForAll } from '../../support/folders.ts';
import { errorOf } from '../api/support.ts';

const folder = folderForAll();

function read(text: string, name = '-') {
  const file = name === '-' ? '-' : join(folder, name);
  if (name !== '-') writeFileSync(file, text);
  return readDefinitions(file, { io: { readStdin: async () => Buffer.from(text) }, readText });
}

describe('what a file describes', () => {
  test.each([
    ['one JSON object', '{"a": 1}', 1],
    ['an array of JSON objects', '\uFEFF[{"a": 1}, {"a": 1}]', 2],
    ['one YAML document', 'a: 1\n', 1],
    ['YAML documents, empty ones aside', '---\na: 1\n---\n# nothing\n---\na: 1\n...\n', 2],
    ['a YAML sequence', '- a: 1\n- {a: 1}\n', 2],
  ])('%s', async (_what, text, count) => {
    const { name, definitions } = await read(text);
    expect(name).toBe('standard input');
    expect(definitions.map(({ value }) => value)).toEqual(Array.from({ length: count }, () => ({ a: 1 })));
  });

  test('keeps integers beyond 2^53 exact, in both', async () => {
    for (const text of ['{"a": 18446744073709551615}', 'a: 18446744073709551615\n'])
      expect((await read(text)).definitions[0]?.value).toEqual({ a: 18446744073709551615n });
  });

  test.each([
    ['x.json', '[\n{"a": {\n\t"b": [1,\n2]}},\n{"c":\n\t3}]', [[2, 3, 4], [5]]],
    ['x.yaml', '- a:\n    b:\n      - 1\n      - 2\n\n- c: 3\n', [[1, 2, 4], [6]]],
    ['y.yaml', '---\na:\n  b: [1,\n    2]\n---\nc: 3\n', [[2, 3, 4], [6]]],
  ])('has lines (%s)', async (name, text, lines) => {
    const { definitions } = await read(text, name);
    const [one, two] = definitions;
    expect([
      [one?.lineOf(['a']), one?.lineOf(['a', 'b']), one?.lineOf(['a', 'b', 1])],
      [two?.lineOf(['c', 'not', 'there'])],
    ]).toEqual(lines);
  });

  test.each([
    ['', '-', 'standard input contains no definitions'],
    ['[]', '-', 'standard input contains no definitions'],
    ['# only\n---\n', '-', 'standard input contains no definitions'],
    ['{"a": 1', '-', /^standard input is not valid JSON/],
    ['{"a": 1,\n"a": 2}', '-', 'standard input, line 2: duplicate field in an object'],
    ['a: 1\na: s3cret\n', '-', /not valid YAML: duplicate key \(line 2 column 1\)$/],
    ['a: !!binary AAAA\n', '-', /not valid YAML/],
  ])('is rejected without showing its content: %j', async (text, name, message) => {
    const error = await errorOf(read(text, name));
    expect(error.kind).toBe('usage');
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('s3cret');
  });
});
