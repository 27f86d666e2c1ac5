import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Page } from './pages.ts';

/** What a link of a document becomes in the site. */
export type Target =
  /** An address of the site, without the base, or elsewhere. `title` is that of the page. */
  | { readonly kind: 'link'; readonly href: string; readonly title?: string }
  /** A file of the repository that is no page: its path is shown instead of a link. */
  | { readonly kind: 'file'; readonly path: string };

/**
 * Resolves links of documents as a code host does, relative to the file.
 *
 * @param pages all pages
 * @param root folder of the repository
 * @returns for the path of a document and the target of a link: what it becomes
 * @throws Error (from the returned function): the target does not exist
 */
export function linkResolver(
  pages: readonly Page[],
  root: string,
): (source: string, target: string) => Target {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const links = new Set(pages.map(({ link }) => link));
  return (source, target) => {
    const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(target) || path === '') return { kind: 'link', href: target };
    const dead = () => new Error(`${source}: the target of the link "${target}" does not exist`);
    if (path.startsWith('/')) {
      if (!links.has(path)) throw dead();
      return { kind: 'link', href: target };
    }
    const file = posix.join(posix.dirname(source), decodeURIComponent(path)).replace(/\/$/, '');
    const page = bySource.get(file) ?? bySource.get(posix.join(file, 'README.md'));
    if (page) return { kind: 'link', href: `${page.link}${suffix}`, title: page.title };
    if (file.startsWith('..') || !existsSync(join(root, file))) throw dead();
    return { kind: 'file', path: statSync(join(root, file)).isDirectory() ? `${file}/` : file };
  };
}
