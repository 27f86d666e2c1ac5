import type { Context } from '../../../cli/context.ts';
import { usage } from '../../../errors.ts';
import type { Definition } from '../../../io/definition-file.ts';
import { queryFields } from './find-query.ts';
import { type QueryObject, writableFields } from './query-object.ts';

/** The name from the argument or the flag. @throws LanyardError usage: they differ. */
export function resolveName(argument: string | undefined, flag: string | undefined): string | undefined {
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw usage(`NAME "${argument}" differs from --name "${flag}"`);
  return flag ?? argument;
}

/** The only query of a file, with a valid structure and without read-only fields, and its location. */
export async function readSingleQuery(
  file: string,
  ctx: Context,
): Promise<{
  readonly name: string;
  readonly query: QueryObject;
  readonly definitions: readonly Definition[];
}> {
  const { name, definitions } = await ctx.input.readDefinitions(file);
  const [query, ...others] = queryFields(name, definitions);
  if (!query || others.length > 0)
    throw usage(`invalid query in ${name}: expected one query, found ${definitions.length}`, {
      hint: 'Run `lanyard query put --file` to write several queries.',
    });
  return { name, query: writableFields(query), definitions };
}
