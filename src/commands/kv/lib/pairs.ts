import { removedVersion } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, isEmptyListError, readForChanges, usage } from '../../../errors.ts';
import type { Pair } from '../../../io/input-file.ts';
import { changedKeys, isEqual } from '../../../output/diff.ts';
import { code, text } from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import { type SecretPath, version1Path } from './secret-path.ts';
import { type BodyOf, type Pairs, readSecret, readState } from './secret-state.ts';

export const inFlag = flag.file('FILE|-', 'keys and values as a JSON object; - for standard input');

export const casFlag = flag.integer('N', 'write only if N is the current version (0: none exists)');

/** The pairs of the command line, at least one. @param canBeEmpty something else is changed */
export async function readPairs(
  pairs: readonly Pair[],
  file: string | undefined,
  ctx: Context,
  canBeEmpty = false,
): Promise<Pairs> {
  if (canBeEmpty && pairs.length === 0 && file === undefined) return {};
  if (pairs.length > 0 || file !== undefined) return ctx.input.readJsonObject({ pairs, file });
  throw usage('nothing to write', { hint: 'Add KEY=VALUE, KEY=@FILE or KEY=-, or JSON with --in.' });
}

/** The pairs before a write; undefined: none exist; null: the token may not read them. */
export async function readReplaced(secrets: SecretsClient, secretPath: SecretPath) {
  const found = await readForChanges(readSecret(secrets, secretPath));
  return found === null ? null : found?.pairs;
}

/**
 * Replaces all pairs.
 *
 * @param cas of an engine of version 2: the number of the current version; undefined: any.
 */
export const writePairs = (
  secrets: SecretsClient,
  secretPath: SecretPath,
  pairs: Pairs,
  cas: number | undefined,
) =>
  confirmWrite(
    async () =>
      secretPath.version === 1
        ? secrets.writeSecret({ path: version1Path(secretPath), content: formatJson(pairs) })
        : secrets.writeKv({
            mount: secretPath.mount,
            path: secretPath.path,
            data: pairs,
            options: compact({ cas }),
          }),
    () => checkWritten(secrets, secretPath, (stored) => isEqual(stored, pairs)),
  );

/** Reads the secret to verify a write whose response was lost. */
export async function checkWritten(
  secrets: SecretsClient,
  secretPath: SecretPath,
  isWritten: (stored: Pairs, version?: number) => boolean,
): Promise<{ readonly done: boolean; readonly found: string }> {
  try {
    const { pairs, metadata } = await readState(secrets, secretPath);
    const found = metadata ? `the current version ${metadata.version} differs` : 'the stored secret differs';
    return { done: pairs !== null && isWritten(pairs, metadata?.version), found };
  } catch (error) {
    if (removedVersion(error)) return { done: false, found: 'the current version is deleted' };
    if (isEmptyListError(error)) return { done: false, found: 'the secret does not exist' };
    throw error;
  }
}

/** The response to a write; undefined: it was lost, or has no body. */
type WrittenSecret = BodyOf<'writeKv'> | BodyOf<'writeSecret'> | undefined;

/**
 * What was written, and the names of the changed keys.
 *
 * @param before undefined: no pairs existed; null: they could not be read
 */
export function writeResult(
  secretPath: SecretPath,
  body: WrittenSecret,
  before: Pairs | null | undefined,
  after: Pairs,
) {
  const { changes, document } = changedKeys(before, after);
  const { data = null } = (body ?? {}) as { data?: { readonly version?: number } | null };
  const version = data?.version === undefined ? '' : `version ${data.version} of `;
  return {
    data: { ...body, changes },
    payload: data,
    document: [text(`Wrote ${version}`, code(secretPath.name), '.'), ...document],
  };
}
