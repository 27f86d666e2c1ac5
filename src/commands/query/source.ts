import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Definition } from '../../io/definitions.ts';
import { type Members, writable } from './members.ts';
import { formOf } from './shared.ts';

/** The name that an argument and a flag give. @throws LanyardError usage: two names. */
export function nameGiven(argument: string | undefined, flag: string | undefined): string | undefined {
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw usage(`two names are given: "${argument}" and "${flag}"`);
  return flag ?? argument;
}

/** The one query that a file describes, of the right form, as it may be written; and where it stands. */
export async function oneFrom(
  file: string,
  ctx: Pick<Context, 'definitions'>,
): Promise<{ readonly name: string; readonly query: Members; readonly definitions: readonly Definition[] }> {
  const { name, definitions } = await ctx.definitions(file);
  const [query, ...others] = formOf(name, definitions);
  if (!query || others.length > 0)
    throw usage(`${name} describes ${definitions.length} queries; one is needed`, {
      hint: '"lanyard query put --file" takes several.',
    });
  return { name, query: writable(query), definitions };
}
