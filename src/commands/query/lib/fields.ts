import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import {
  emptied,
  flagsOf,
  givenFields,
  readFields,
  unsetFields,
  unsetFlagFor,
} from '../../../command/object-flags.ts';
import { preparedQuery } from '../../../objects/prepared-query.ts';
import type { QueryObject } from './query-object.ts';

/** The flags of the fields of a query. */
export const fieldFlags = { name: flag.text('NAME', 'name of the query'), ...flagsOf(preparedQuery) };
export const unsetFieldsFlag = unsetFlagFor(preparedQuery);

type FlagValues = Readonly<Record<string, unknown>>;

/** The fields set by flags, without the token. */
export const fieldsFrom = (flags: FlagValues): QueryObject => givenFields(preparedQuery, flags);

const { Token } = preparedQuery.properties;
export const readToken = (flags: FlagValues, ctx: Pick<Context, 'input' | 'files'>): Promise<QueryObject> =>
  readFields({ type: 'object', properties: { Token } }, flags, ctx);

/** The defaults of the flags in `--unset`. @throws LanyardError usage: one of them is given too */
export const unsetFrom = (flags: FlagValues & { readonly unset: readonly string[] }): QueryObject =>
  emptied(unsetFields(preparedQuery, flags));
