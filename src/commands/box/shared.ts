import type { Answer } from '../../api/transport.ts';
import type { Context } from '../../context.ts';
import { LanyardError, settle, usage } from '../../errors.ts';

/** Bytes that a description may have: services take far fewer. */
const longestText = 1024 * 1024;

export const textForms = 'TEXT|@FILE|-';

/**
 * A text that people write: as it is, from a file (`@FILE`), or from standard input (`-`).
 * @throws LanyardError usage: a file that cannot be read, or is not text.
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
    throw usage(`${what}: ${source === '-' ? 'standard input' : source.slice(1)} is not text in UTF-8`);
  }
}

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** The members that have a value. */
export function present<Fields extends object>(members: Optional<Fields>): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** @throws LanyardError usage: nothing is to be changed. */
export function refuseNothing(fields: object): void {
  if (Object.keys(fields).length === 0)
    throw usage('nothing to change', { hint: 'Name what is to be changed with a flag; --help lists them.' });
}

/**
 * Sends a write. One whose answer is lost is settled by reading what it was to write.
 *
 * @param isWritten whether what is there is what was to be written.
 * @returns what the service answered, or what it has now.
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
      ? { done: false, found: 'there is none now' }
      : { done: isWritten(there), found: 'what is there now is not what was to be written' };
  });
  if (answer) return answer.body ?? null;
  io.warn('the answer was lost, but the service has it now');
  return there;
}

/**
 * Sends the creation of `name`, as `written` does. What is there already is a conflict: the service has one status
 * (422) for that and much else, so it is looked at.
 *
 * @param update the words of the command that changes it.
 */
export function created<Body>(
  { name, update }: { readonly name: string; readonly update: string },
  write: () => Promise<Answer<unknown>>,
  read: () => Promise<Answer<Body>>,
  isWritten: (there: Body) => boolean,
  io: Pick<Context['io'], 'warn'>,
): Promise<unknown> {
  const refused = taken(name, `"lanyard ${update}" changes it.`, read);
  return written(() => write().catch(refused), read, isWritten, io);
}

/**
 * Sends a change that may give another name, as `written` does. A name that something else has is a conflict.
 *
 * @param to what it is then, in words; undefined: it keeps its name.
 */
export function renamed<Body>(
  to: string | undefined,
  ...[write, read, isWritten, io]: Parameters<typeof written<Body>>
): Promise<unknown> {
  const refused = (name: string) => taken(name, 'Choose another name.', read);
  return written(to === undefined ? write : () => write().catch(refused(to)), read, isWritten, io);
}

/** Makes a conflict of a refusal (422) where what has the name can be read. */
const taken =
  (name: string, hint: string, read: () => Promise<unknown>) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || error.status !== 422) throw error;
    const there = await read().catch(() => undefined);
    if (there === undefined) throw error;
    throw new LanyardError('conflict', `${name} is there already`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint,
    });
  };

/** Sends a deletion. One whose answer is lost is settled by looking whether the thing is still there. */
export async function deleted(
  remove: () => Promise<Answer<unknown>>,
  read: () => Promise<Answer<unknown>>,
): Promise<unknown> {
  const answer = await settle(remove, async () => ({
    done: (await orNothing(read())) === undefined,
    found: 'it is still there',
  }));
  return answer?.body ?? null;
}

/** The body of an answer; undefined: what was asked for is not there. */
async function orNothing<Body>(reading: Promise<Answer<Body>>): Promise<Body | undefined> {
  try {
    return (await reading).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Does an object that the service has show the texts that were sent? A member has another name there. */
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
