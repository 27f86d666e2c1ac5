import { loadResultSchemas, resultNames, schemaName } from '../../commands/schema/lib/result-schemas.ts';
import { groups, tree } from '../../commands/tree.ts';
import type { Candidate } from './candidates.ts';

/** The next words of the commands that have a result, after the words before the cursor. */
export async function resultWords(words: readonly string[]): Promise<readonly Candidate[]> {
  const names = new Set(resultNames(await loadResultSchemas()));
  const commands = tree.filter(({ path }) => names.has(schemaName(path)));
  const begin = words.map((word) => `${word} `).join('');
  const next = commands
    .filter(({ path }) => path.startsWith(begin))
    .map(({ path }) => path.slice(begin.length).split(' ')[0] ?? '');
  const common = words.length === 0 ? ['error', 'dry-run'] : [];
  return [...new Set([...next, ...common])].map((value) => {
    const path = `${begin}${value}`;
    return { value, description: groups[path] ?? tree.find((entry) => entry.path === path)?.summary };
  });
}
