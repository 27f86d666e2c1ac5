import type { Host } from '../../command/host.ts';
import { usage } from '../../errors.ts';
import { showManPage } from '../../io/man-viewer.ts';
import { terminalWidth } from '../../io/stdout.ts';
import { maxHelpWidth } from './help-text.ts';
import { manPages } from './man-pages.ts';
import { manText } from './man-text.ts';

/** Of a terminal in which a man page is readable. */
const minWidth = 40;

/**
 * `lanyard help --man [AREA]`: shows a man page on a terminal.
 *
 * @param argv what follows `help`; a command means the page of its area.
 * @returns what is to be printed: the source, for a pipe; the page as text, for a terminal without a program that
 * shows it; nothing, if it was shown.
 * @throws LanyardError usage: there is no such page.
 */
export async function manPage(argv: readonly string[], host: Host): Promise<string> {
  const page = await pageOf(argv.filter((word) => !word.startsWith('-')));
  const { default: source } = await page();
  if (host.stdout.isTTY !== true) return source;
  if (await showManPage(source, host)) return '';
  return manText(source, Math.min(terminalWidth(host.stdout, minWidth), maxHelpWidth));
}

async function pageOf(words: readonly string[]): Promise<() => Promise<{ readonly default: string }>> {
  const [area, ...others] = words;
  const name = area === undefined ? 'lanyard' : `lanyard-${area}`;
  const page = Object.hasOwn(manPages, name) ? manPages[name] : undefined;
  const path = words.join(' ');
  if (page && (others.length === 0 || (await isCommand(path)))) return page;
  const { topicNamed } = await import('./topics.ts');
  if (topicNamed(path)) {
    throw usage(`no man page for topic "${path}"`, {
      hint: `Run \`lanyard help ${path}\` to show it, or \`lanyard help --man\` for the page of the program.`,
    });
  }
  throw usage(`no man page for "${path}"`, {
    hint: `Pages: ${Object.keys(manPages)
      .map((each) => each.replace('lanyard-', ''))
      .filter((each) => each !== 'lanyard')
      .join(', ')}.`,
  });
}

async function isCommand(path: string): Promise<boolean> {
  const { findEntry, isGroup } = await import('./usage-hints.ts');
  return findEntry(path) !== undefined || isGroup(path);
}
