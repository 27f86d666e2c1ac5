import type { Answer } from '../../api/transport.ts';
import type { Context } from '../../context.ts';
import { LanyardError, settle, usage } from '../../errors.ts';

/** Maximum size of a description in bytes; services accept far less. */
const longestText = 1024 * 1024;

export const textForms = 'TEXT|@FILE|-';

/**
 * A text value: literal, from a file (`@FILE`) or from standard input (`-`).
 * @throws LanyardError usage: the file cannot be read, or is not UTF-8.
 */
export async function textFrom(
  source: string | undefined,
  what: string,
  ctx: Pick<Context, 'files' | 'io'>,
): Promise<string | undefined> {
  if (source === undefined || (source !== '-' && !source.startsWith('@'))) return source;
  const bytes =
    source === '-' ? await ctx.io.readStdin() : await ctx.files.readBytes(source.slice(1), what, longestText);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`invalid ${what}: ${source === '-' ? 'standard input' : source.slice(1)} is not valid UTF-8`);
  }
}

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** The fields that have a value. */
export function present<Fields extends object>(members: Optional<Fields>): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** @throws LanyardError usage: no field is given. */
export function refuseNothing(fields: object): void {
  if (Object.keys(fields).length === 0)
    throw usage('nothing to change', { hint: 'Pass a flag for each field to change; --help lists them.' });
}

/**
 * Sends a write. After a lost response, the object is read.
 *
 * @param isWritten whether the object has the written fields.
 * @returns the response, or the object that was read.
 */
export async function written<Body>(
  write: () => Promise<Answer<unknown>>,
  read: () => Promise<Answer<Body>>,
  isWritten: (there: Body) => boolean,
  io: Pick<Context['io'], 'warn'>,
): Promise<unknown> {
  let there: Body | undefined;
  const answer = await settle(write, async () => {
    there = await orNothing(read());
    return there === undefined
      ? { done: false, found: 'it does not exist' }
      : { done: isWritten(there), found: 'it does not have the requested values' };
  });
  if (answer) return answer.body ?? null;
  io.warn('the response was lost, but the change was applied');
  return there;
}

/**
 * Creates `name` like `written`. An existing object is a conflict: the service has one status (422) for that and
 * other errors, so it is read.
 *
 * @param update the command that changes it.
 */
export function created<Body>(
  { name, update }: { readonly name: string; readonly update: string },
  write: () => Promise<Answer<unknown>>,
  read: () => Promise<Answer<Body>>,
  isWritten: (there: Body) => boolean,
  io: Pick<Context['io'], 'warn'>,
): Promise<unknown> {
  const refused = taken(name, `Run \`lanyard ${update}\` to change it.`, read);
  return written(() => write().catch(refused), read, isWritten, io);
}

/**
 * Sends a change that may rename the object, like `written`. An existing name is a conflict.
 *
 * @param to the new name for messages; undefined if it is unchanged.
 */
export function renamed<Body>(
  to: string | undefined,
  ...[write, read, isWritten, io]: Parameters<typeof written<Body>>
): Promise<unknown> {
  const refused = (name: string) => taken(name, 'Choose another name.', read);
  return written(to === undefined ? write : () => write().catch(refused(to)), read, isWritten, io);
}

/** Converts a 422 into a conflict if an object with the name exists. */
const taken =
  (name: string, hint: string, read: () => Promise<unknown>) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || error.status !== 422) throw error;
    const there = await read().catch(() => undefined);
    if (there === undefined) throw error;
    throw new LanyardError('conflict', `${name} already exists`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint,
    });
  };

/** Sends a deletion. After a lost response, checks whether the object still exists. */
export async function deleted(
  remove: () => Promise<Answer<unknown>>,
  read: () => Promise<Answer<unknown>>,
): Promise<unknown> {
  const answer = await settle(remove, async () => ({
    done: (await orNothing(read())) === undefined,
    found: 'it still exists',
  }));
  return answer?.body ?? null;
}

/** The body of a response; undefined if the object is not found. */
async function orNothing<Body>(reading: Promise<Answer<Body>>): Promise<Body | undefined> {
  try {
    return (await reading).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Whether an object of the service has the sent values. Some fields have other names there. */
export const shows = (
  there: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(sent).every(([name, value]) => (there[names[name] ?? name] ?? '') === (value ?? ''));

const names: Readonly<Record<string, string>> = {
  description: 'description_markdown',
  is_private: 'private',
  url: 'original_url',
};
