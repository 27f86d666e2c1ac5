import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('each known vulnerability in docs/security.md names a test that exists', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter((line) => line.startsWith('| CVE-'));
  expect(rows.length).toBeGreaterThanOrEqual(19);
  for (const row of rows) {
    const [, file = '', title = ''] = /`(test\/[\w/.-]+)`: (.+?) *\|$/.exec(row) ?? [];
    expect(file, row).not.toBe('');
    expect(read(file), row).toContain(title);
  }
  for (const cve of [
    '2024-7594',
    '2020-24359',
    '2021-38698',
    '2022-29153',
    '2023-1296',
    '2025-11374',
    '2025-6203',
  ])
    expect(
      rows.some((row) => row.includes(`CVE-${cve}`)),
      cve,
    ).toBe(true);
  for (const cve of ['2021-25743', '2025-5999', '2023-0690'])
    expect(
      rows.some((row) => row.includes(`CVE-${cve}`)),
      cve,
    ).toBe(true);
});
