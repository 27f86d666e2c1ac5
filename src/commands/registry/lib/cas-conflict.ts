import { conflict, LanyardError } from '../../../errors.ts';

/**
 * The conflict of a write or deletion with `--cas`, with the current state if it can be read.
 *
 * @param title the object, for messages: `key "app/db"`.
 * @param find reads the object; undefined: it does not exist.
 */
export async function casConflict(
  title: string,
  cas: number,
  find: () => Promise<{ readonly ModifyIndex: number | bigint } | undefined>,
): Promise<LanyardError> {
  const hint = 'Nothing was changed. Read it again before you repeat the command.';
  let current: Awaited<ReturnType<typeof find>>;
  try {
    current = await find();
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return conflict(`${title} does not have ModifyIndex ${cas}`, { hint });
  }
  if (!current) return conflict(`${title} does not exist; --cas ${cas} expects that it does`, { hint });
  return cas === 0
    ? conflict(`${title} already exists with ModifyIndex ${current.ModifyIndex}`, { hint })
    : conflict(`${title} has ModifyIndex ${current.ModifyIndex}, not ${cas}`, { hint });
}
