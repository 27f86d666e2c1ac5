import type { Context } from '../../../command/context.ts';
import { isForbidden, LanyardError } from '../../../errors.ts';
import { countText } from '../../../output/humanize.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';
import type { SecretPath } from './secret-path.ts';

/** How many secrets are read at the same time. */
const readsAtOnce = 16;

/** A secret below a directory. */
export interface NamedSecret {
  /** Below the directory. */
  readonly name: string;
  readonly from: SecretPath;
}

export interface ReadSecret<Stored> extends NamedSecret {
  readonly stored: Stored;
}

/** What the secrets below a directory have, and the names of those that the token may not read. */
export interface ReadSecrets<Stored> {
  readonly found: readonly ReadSecret<Stored>[];
  readonly forbidden: readonly string[];
}

/** Reads many secrets, concurrently. */
export async function readSecrets<Stored>(
  named: readonly NamedSecret[],
  read: (at: SecretPath) => Promise<Stored>,
): Promise<ReadSecrets<Stored>> {
  const forbidden: string[] = [];
  const all = await mapConcurrently(
    named,
    async ({ name, from }): Promise<ReadSecret<Stored>[]> => {
      try {
        return [{ name, from, stored: await read(from) }];
      } catch (error) {
        if (!isForbidden(error)) throw error;
        forbidden.push(from.name);
        return [];
      }
    },
    readsAtOnce,
  );
  return { found: all.flat(), forbidden: forbidden.sort() };
}

/**
 * Names what was left out because the token may not read it.
 *
 * @param verb `copy`, for messages.
 * @throws LanyardError forbidden: there are such, and `--allow-partial` was not given.
 */
export function checkForbidden(
  verb: string,
  forbidden: readonly string[],
  { allowPartial }: { readonly allowPartial: boolean },
  output: Pick<Context['output'], 'warn'>,
): void {
  if (forbidden.length === 0) return;
  const names = namedFew(forbidden);
  if (allowPartial)
    output.warn(
      `no permission to read ${countText(forbidden.length, 'path')}, left out: ${names.join(', ')}`,
    );
  else
    throw new LanyardError(
      'forbidden',
      `cannot ${verb} secrets: the token has no permission to read some of them`,
      {
        service: 'secrets',
        details: names,
        hint: `Use a token that can read all of them, or add --allow-partial to ${verb} the others.`,
      },
    );
}

/** How many are named in a message. */
const maxNamed = 20;

/** Names, of many only the first ones and how many others there are. */
export const namedFew = (names: readonly string[]): readonly string[] =>
  names.length <= maxNamed ? names : [...names.slice(0, maxNamed), `and ${names.length - maxNamed} more`];
