import { globSync, readFileSync } from 'node:fs';
import { root } from './sources.ts';

/** A Markdown document that people write; generated ones are left out. */
export interface Document {
  /** From the package's folder: `docs/adr/README.md`. */
  readonly path: string;
  readonly text: string;
}

const generated = /^docs\/(commands(\/.*)?|compatibility|library\/.*)\.md$/;

/** The hand-written documents of the repository. */
export function documents(): Document[] {
  return globSync(['*.md', 'docs/**/*.md', 'site/*.md', 'test/conformance/*.md'], { cwd: root })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((path) => !generated.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
}

/** The text without fenced code blocks. */
export const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, '');

/** The anchors of a document, as GitHub makes them from its headings. */
export function anchors(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const base = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let count = 1; found.has(anchor); count++) anchor = `${base}-${count}`;
    found.add(anchor);
  }
  return found;
}
