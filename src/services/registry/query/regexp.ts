import { HttpError } from '../../core/http/http-service.ts';
import type { Template } from '../model/queries.ts';

/** The texts of a match: the complete match and its groups; empty without a match. */
export type MatchGroups = (name: string) => readonly string[];

/** Limits that keep compiling and matching an expression to a few milliseconds. */
const limits = { characters: 256, size: 1_000 } as const;

const cache = new WeakMap<Template, MatchGroups>();

/**
 * The expression of a template, compiled once and cached by the template; the engine takes time linear in the name.
 *
 * @throws HttpError 500: not RE2 syntax, or too large
 */
export async function compileTemplate(template: Template): Promise<MatchGroups> {
  const matchGroups = cache.get(template) ?? (await compile(template.Regexp));
  cache.set(template, matchGroups);
  return matchGroups;
}

async function compile(source: string): Promise<MatchGroups> {
  if (source === '') return () => [];
  if (source.length > limits.characters || sizeOf(source) > limits.size) {
    throw new HttpError(500, 'Bad Regexp: the expression is too large');
  }
  const { RE2JS } = await import('re2js');
  let expression: ReturnType<typeof RE2JS.compile>;
  try {
    expression = RE2JS.compile(source);
  } catch (error) {
    throw new HttpError(500, `Bad Regexp: ${error instanceof Error ? error.message : String(error)}`);
  }
  return (name) => {
    const matcher = expression.matcher(name);
    if (!matcher.find()) return [];
    return Array.from({ length: matcher.groupCount() + 1 }, (_each, group) => matcher.group(group) ?? '');
  };
}

/** An upper bound of the elements of an expression after expanding counted repetitions. */
function sizeOf(source: string): number {
  let size = source.length;
  let copies = 1;
  for (const [, group, min = '', max = ''] of source.matchAll(/(\))?\{(\d+)(?:,(\d*))?\}/g)) {
    const count = Math.max(Number(min), Number(max), 1);
    if (group) copies *= count;
    else size += count;
  }
  return size * copies;
}
