import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { anchors, documents, withoutBlocks } from '../support/documents.ts';
import { root } from '../support/sources.ts';

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const code = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], { cwd: root })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((path) => path !== 'test/unit/protocol-references.test.ts')
  .map((path) => ({ path, text: read(path) }));

const exists = (file: string, anchor: string | undefined): boolean =>
  existsSync(`${root}/${file}`) && (anchor === undefined || anchors(read(file)).has(anchor));

test('each reference to docs/protocol in the code resolves to a file and a heading', () => {
  let references = 0;
  for (const { path, text } of code) {
    for (const [reference, file = '', anchor] of text.matchAll(
      /(docs\/protocol\/[\w-]+\.md)(?:#([\w-]+))?/g,
    )) {
      references++;
      expect(exists(file, anchor), `${path}: ${reference}`).toBe(true);
    }
  }
  expect(references).toBeGreaterThan(150);
});

test('each reference to an ADR in the code resolves', () => {
  const numbers = globSync('docs/adr/0*.md', { cwd: root }).map((name) => posix.basename(name).slice(0, 4));
  for (const { path, text } of [...code, ...documents()]) {
    for (const [reference, number = ''] of text.matchAll(/(?:\bADR |docs\/adr\/)(\d{4})/g))
      expect(numbers, `${path}: ${reference}`).toContain(number);
  }
});

test('each link between documents resolves to a file and a heading', () => {
  for (const { path, text } of documents()) {
    const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
    for (const [link, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [name = '', anchor] = target.split('#');
      const file = name === '' ? path : posix.join(posix.dirname(path), name);
      expect(exists(file, anchor), `${path}: ${link}`).toBe(true);
    }
  }
});

test('no file refers to the specification pages of old names', () => {
  const old = /wire-facts|box-scheduler-accounts|(?<![\w/-])(?:secrets|registry)\.md/;
  for (const { path, text } of code) expect(old.exec(text)?.[0], path).toBeUndefined();
});
