import { type LanyardError, usage } from '../../errors.ts';
import { suggest } from '../../wire/suggest.ts';
import { guides } from './guides.ts';
import { childrenOf } from './help.ts';
import { topics } from './topics.ts';

/**
 * The error for `lanyard help WORDS` when no command, topic or guide has this name.
 *
 * @param words up to the first unknown one.
 * @param next the word after them, if any.
 */
export function unknownHelp(words: readonly string[], next: string | undefined): LanyardError {
  const [first = ''] = words;
  if (first === 'guides' && next !== undefined)
    return usage(`unknown guide "${next}"`, { hint: hintFor(next, Object.keys(guides), 'help guides') });
  const path = words.join(' ');
  const names = childrenOf('').map(([name]) => name);
  const all = [...names, ...Object.keys(topics), ...Object.keys(guides)];
  const known = words.length > 1 ? [] : all;
  return usage(`unknown command or topic "${path}"`, { hint: hintFor(path, known, '--help') });
}

function hintFor(name: string, known: readonly string[], list: 'help guides' | '--help'): string {
  const meant = suggest(name, known);
  if (meant !== undefined) return `Use \`lanyard help ${meant}\`.`;
  return list === '--help'
    ? 'Run `lanyard --help` for the list of commands and topics.'
    : 'Run `lanyard help guides` for the list of guides.';
}
