import type { ServiceResponse } from '../../../api/http/response.ts';
import type { Context } from '../../../cli/context.ts';
import { confirmWrite, conflict, LanyardError, unlessNotFound, usage } from '../../../errors.ts';

/** Maximum size of a description in bytes; services accept far less. */
const maxTextBytes = 1024 * 1024;

export const textForms = 'TEXT|@FILE|-';

/**
 * A text value: literal, from a file (`@FILE`) or from standard input (`-`).
 * @throws LanyardError usage: the file cannot be read, or is not UTF-8.
 */
export async function readTextSource(
  source: string | undefined,
  what: string,
  ctx: Pick<Context, 'files' | 'input'>,
): Promise<string | undefined> {
  if (source === undefined || (source !== '-' && !source.startsWith('@'))) return source;
  const bytes =
    source === '-'
      ? await ctx.input.readStdin()
      : await ctx.files.readBytes(source.slice(1), what, maxTextBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`invalid ${what}: ${source === '-' ? 'standard input' : source.slice(1)} is not valid UTF-8`);
  }
}

/** @throws LanyardError usage: no field is given. */
export function requireChanges(fields: object): void {
  if (Object.keys(fields).length === 0)
    throw usage('nothing to change', { hint: 'Pass a flag for each field to change; --help lists them.' });
}

/**
 * Sends a write. After a lost response, the object is read.
 *
 * @param isWritten whether the object has the written fields.
 * @returns the response, or the object that was read.
 */
export async function writeAndConfirm<Body>(
  write: () => Promise<ServiceResponse<unknown>>,
  read: () => Promise<ServiceResponse<Body>>,
  isWritten: (existing: Body) => boolean,
  output: Pick<Context['output'], 'warn'>,
): Promise<unknown> {
  let existing: Body | undefined;
  const response = await confirmWrite(write, async () => {
    existing = await unlessNotFound(read());
    return existing === undefined
      ? { done: false, found: 'it does not exist' }
      : { done: isWritten(existing), found: 'it does not have the requested values' };
  });
  if (response) return response.body ?? null;
  output.warn('the response was lost, but the change was applied');
  return existing;
}

/**
 * Creates `name` like `written`. An existing object is a conflict: the service has one status (422) for that and
 * other errors, so it is read.
 *
 * @param update the command that changes it.
 */
export function createAndConfirm<Body>(
  { name, update }: { readonly name: string; readonly update: string },
  write: () => Promise<ServiceResponse<unknown>>,
  read: () => Promise<ServiceResponse<Body>>,
  isWritten: (existing: Body) => boolean,
  output: Pick<Context['output'], 'warn'>,
): Promise<unknown> {
  const describeError = describeTakenName(name, `Run \`lanyard ${update}\` to change it.`, read);
  return writeAndConfirm(() => write().catch(describeError), read, isWritten, output);
}

/**
 * Sends a change that may rename the object, like `written`. An existing name is a conflict.
 *
 * @param to the new name for messages; undefined if it is unchanged.
 */
export function renameAndConfirm<Body>(
  to: string | undefined,
  ...[write, read, isWritten, output]: Parameters<typeof writeAndConfirm<Body>>
): Promise<unknown> {
  const describeError = (name: string) => describeTakenName(name, 'Choose another name.', read);
  return writeAndConfirm(
    to === undefined ? write : () => write().catch(describeError(to)),
    read,
    isWritten,
    output,
  );
}

/** Converts a 422 into a conflict if an object with the name exists. */
const describeTakenName =
  (name: string, hint: string, read: () => Promise<unknown>) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || error.status !== 422) throw error;
    const existing = await read().catch(() => undefined);
    if (existing === undefined) throw error;
    throw conflict(`${name} already exists`, { ...error, hint });
  };

/** Sends a deletion. After a lost response, checks whether the object still exists. */
export async function deleteAndConfirm(
  remove: () => Promise<ServiceResponse<unknown>>,
  read: () => Promise<ServiceResponse<unknown>>,
): Promise<unknown> {
  const response = await confirmWrite(remove, async () => ({
    done: (await unlessNotFound(read())) === undefined,
    found: 'it still exists',
  }));
  return response?.body ?? null;
}

/** Whether an object of the service has the sent values. Some fields have other names there. */
export const matchesSent = (
  existing: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(sent).every(
    ([name, value]) => (existing[responseFieldNames[name] ?? name] ?? '') === (value ?? ''),
  );

const responseFieldNames: Readonly<Record<string, string>> = {
  description: 'description_markdown',
  is_private: 'private',
  url: 'original_url',
};
