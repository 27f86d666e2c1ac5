import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Definition } from '../../io/definitions.ts';
import { type Members, writable } from './members.ts';
import { formOf } from './shared.ts';

/** The name from the argument or the flag. @throws LanyardError usage: they differ. */
export function nameGiven(argument: string | undefined, flag: string | undefined): string | undefined {
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw usage(`NAME "${argument}" differs from --name "${flag}"`);
  return flag ?? argument;
}

/** The only query of a file, with a valid structure and without read-only fields, and its location. */
export async function oneFrom(
  file: string,
  ctx: Pick<Context, 'definitions'>,
): Promise<{ readonly name: string; readonly query: Members; readonly definitions: readonly Definition[] }> {
  const { name, definitions } = await ctx.definitions(file);
  const [query, ...others] = formOf(name, definitions);
  if (!query || others.length > 0)
    throw usage(`invalid query in ${name}: expected one query, found ${definitions.length}`, {
      hint: 'Run `lanyard query put --file` to write several queries.',
    });
  return { name, query: writable(query), definitions };
}
