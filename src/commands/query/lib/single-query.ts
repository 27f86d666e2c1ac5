import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { Definition } from '../../../io/definition-file.ts';
import { queryFields } from './check-queries.ts';
import { type QueryObject, writableFields } from './query-object.ts';

/** The name from the argument or the flag. @throws LanyardError usage: they differ. */
export function resolveName(argument: string | undefined, flag: string | undefined): string | undefined {
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw usage(`NAME "${argument}" differs from --name "${flag}"`);
  return flag ?? argument;
}

/** The only query of a file, with a valid structure and without read-only fields, and its location. */
export async function readSingleQuery(file: string, ctx: Context) {
  const { name, definitions } = await ctx.input.readDefinitions(file);
  const hint = 'Run `lanyard query put --file` to write several queries.';
  return { name, query: singleQuery(name, definitions, hint), definitions };
}

/** The only query of definitions, without read-only fields. @throws LanyardError usage: not one, or invalid. */
export function singleQuery(name: string, definitions: readonly Definition[], hint?: string): QueryObject {
  const [query, ...others] = queryFields(name, definitions);
  if (query && others.length === 0) return writableFields(query);
  throw usage(`invalid query in ${name}: expected one query, found ${definitions.length}`, { hint });
}
