import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../../src/io/files.ts';
import { type ListFile, readListFile } from '../../../src/io/list-file.ts';
import { folderForAll } from '../../support/folders.ts';
import { errorOf } from '../api/support.ts';

const folder = folderForAll();

function read(text: string | Uint8Array, name = '-'): Promise<ListFile> {
  const file = name === '-' ? '-' : join(folder, name);
  if (name !== '-') writeFileSync(file, text);
  return readListFile(file, { io: { readStdin: async () => Buffer.from(text) }, readText });
}

const both = [
  { value: { a: 1 }, line: 1 },
  { value: { a: 2 }, line: 3 },
];

describe('a list is read with the line of each entry', () => {
  test.each([
    ['json', '[{"a": 1},\n\n{"a": 2}]'],
    ['jsonl', '{"a": 1}\n\n{"a": 2}\n'],
    ['yaml', '- a: 1\n# more\n- a: 2\n'],
  ])('%s, by its first character', async (format, text) => {
    expect(await read(text)).toMatchObject({ name: 'standard input', format, entries: both });
    expect(await read(`\uFEFF${text}`)).toMatchObject({ format, entries: both });
    expect(await read(text, 'list')).toMatchObject({ format, entries: both });
  });

  test.each([
    ['list.json', 'json', '[{"a": 1},\n\n{"a": 2}]'],
    ['list.jsonl', 'jsonl', '{"a": 1}\n\n{"a": 2}'],
    ['list.ndjson', 'jsonl', '{"a": 1}\r\n\r\n{"a": 2}\r\n'],
    ['list.yml', 'yaml', '[{a: 1},\n\n{a: 2}]'],
    ['list.YAML', 'yaml', '- {a: 1}\n\n- {a: 2}'],
  ])('%s is %s by its name', async (name, format, text) => {
    expect(await read(text, name)).toMatchObject({ name: join(folder, name), format, entries: both });
  });

  test('of YAML with aliases, blocks and comments', async () => {
    const { entries } = await read('# c\n- &x\n  a: |\n    1\n    2\n- *x\n-\n  a: yes\n', 'list.yaml');
    expect(entries).toEqual([
      { value: { a: '1\n2\n' }, line: 3 },
      { value: { a: '1\n2\n' }, line: 6 },
      { value: { a: 'yes' }, line: 8 },
    ]);
  });

  test('of several YAML documents, each a list or one entry', async () => {
    const { entries } = await read('---\n- a: 1\n- a: 2\n---\n# one\na: 3\n---\n---\n- a: 4\n', 'list.yaml');
    expect(entries).toEqual([
      { value: { a: 1 }, line: 2 },
      { value: { a: 2 }, line: 3 },
      { value: { a: 3 }, line: 6 },
      { value: { a: 4 }, line: 9 },
    ]);
  });

  test.each([
    ['json', '[18446744073709551615, 7, {"__proto__": 1}]'],
    ['yaml', '- 18446744073709551615\n- 7\n- __proto__: 1'],
  ])('%s keeps integers exact and every name', async (_format, text) => {
    const [large, small, object] = (await read(text)).entries.map(({ value }) => value);
    expect([large, small]).toEqual([18446744073709551615n, 7]);
    expect(Object.entries(object ?? {})).toEqual([['__proto__', 1]]);
  });
});

test('a path in a file starts where the file is', async () => {
  const { resolvePath: beside } = await read('[]', 'list.json');
  expect(beside('values/a.txt')).toBe(join(folder, 'values/a.txt'));
  expect(beside('/etc/a.txt')).toBe('/etc/a.txt');
  expect((await read('[]')).resolvePath('values/a.txt')).toBe('values/a.txt');
});

describe('a text that is not a list is rejected, and its content is not shown:', () => {
  test.each([
    ['list.json', '', / is empty$/],
    ['list.yaml', ' \n\n', / is empty$/],
    ['list.json', '["hunter22"\n', /list\.json is not valid JSON/],
    ['list.json', '{"a": "hunter22"}', /list\.json is not a list: expected a JSON array$/],
    [
      'list.json',
      '[{"a": 1},\n{"b": "hunter22", "b": 3}]',
      /list\.json, line 2: duplicate field in an object/,
    ],
    ['list.jsonl', '{"a": 1}\n{"b": hunter22}', /list\.jsonl, line 2 is not valid JSON$/],
    ['list.jsonl', '{"a": 1, "a": "hunter22"}', /list\.jsonl, line 1: duplicate field in an object/],
    ['list.yaml', 'a: hunter22', /list\.yaml is not a list: expected a YAML sequence$/],
    ['list.yaml', '- a: 1\n  a: hunter22', /duplicate key \(line 2 column 3\)$/],
    ['list.yaml', '- a: *hunter22', /list\.yaml is not valid YAML/],
    ['list.yaml', '- a: !!binary hunter22', /list\.yaml is not valid YAML/],
    ['list.yaml', '- a: "hunter22', /list\.yaml is not valid YAML: missing char/],
    ['list.yaml', '- a\n---\n- b: [hunter22', /list\.yaml is not valid YAML: .* \(line 3 column \d+\)$/],
  ])('%s: %j', async (name, text, message) => {
    const error = await errorOf(read(text, name));
    expect(error.kind).toBe('usage');
    expect(error.message).toMatch(message);
    expect(`${error.message} ${error.hint} ${error.details}`).not.toContain('hunter22');
  });

  test('bytes that are not text', async () => {
    expect((await errorOf(read(new Uint8Array([0x5b, 0xff, 0x5d])))).message).toBe(
      'standard input is not UTF-8 text',
    );
  });

  test('a small file of aliases that would fill the memory', async () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? '- &l0 [x, x, x]'
        : `- &l${i} [${Array(9)
            .fill(`*l${i - 1}`)
            .join(', ')}]`,
    );
    const error = await errorOf(read(levels.join('\n'), 'list.yaml'));
    expect(error.message).toMatch(/too many aliases$/);
  });
});
