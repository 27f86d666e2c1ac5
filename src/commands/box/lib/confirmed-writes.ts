import { hasStatus } from '../../../api/conditions/any.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, conflict, readForChanges, unlessNotFound, usage } from '../../../errors.ts';
import { writtenChanges, writtenView } from '../../../output/diff.ts';

export type Fields = Readonly<Record<string, unknown>>;

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
export async function writeAndConfirm<Body, Written>(
  write: () => Promise<ServiceResponse<Written>>,
  read: () => Promise<ServiceResponse<Body>>,
  isWritten: (existing: Body) => boolean,
  output: Pick<Context['output'], 'warn'>,
): Promise<Body | NonNullable<Written> | null> {
  let existing: Body | undefined;
  const response = await confirmWrite(write, async () => {
    existing = await unlessNotFound(read());
    return existing === undefined
      ? { done: false, found: 'it does not exist' }
      : { done: isWritten(existing), found: 'it does not have the requested values' };
  });
  if (response) return response.body ?? null;
  output.warn('the response was lost, but the change was applied');
  return existing ?? null;
}

/**
 * Sends a write that names the object, like `writeAndConfirm`. An existing object with the name is a conflict: the
 * service has one status (422) for that and other errors, so it is read.
 *
 * @param given the name for messages, and the command that changes an existing object; undefined: the name is unchanged.
 */
export function writeNamed<Body extends Fields, Written>(
  given: { readonly name: string; readonly update?: string } | undefined,
  write: () => Promise<ServiceResponse<Written>>,
  read: () => Promise<ServiceResponse<Body>>,
  sent: Fields,
  output: Pick<Context['output'], 'warn'>,
): Promise<Body | NonNullable<Written> | null> {
  const describeTakenName = async (error: unknown): Promise<never> => {
    if (!given || !hasStatus(error, 422) || !(await read().catch(() => undefined))) throw error;
    const hint = given.update ? `Run \`lanyard ${given.update}\` to change it.` : 'Choose another name.';
    throw conflict(`${given.name} already exists`, { ...error, hint });
  };
  const isWritten = (existing: Body) => matchesSent(existing, sent);
  return writeAndConfirm(() => write().catch(describeTakenName), read, isWritten, output);
}

interface Update<Body> {
  /** For messages: `box`, and the name after the update. */
  readonly noun: string;
  readonly name: string;
  readonly isRenamed: boolean;
  readonly sent: Fields;
  /** Reads the object under its current name, and under the one after the update. */
  readonly readBefore: () => Promise<ServiceResponse<Body>>;
  readonly readAfter: () => Promise<ServiceResponse<Body>>;
}

/** Updates an object and shows what changed: the service keeps the fields that are not sent. */
export async function updateNamed<Body extends Fields, Written extends Fields | undefined>(
  { noun, name, isRenamed, sent, readBefore, readAfter }: Update<Body>,
  write: () => Promise<ServiceResponse<Written>>,
  output: Pick<Context['output'], 'warn'>,
) {
  const before = await readForChanges(readBefore());
  const given = isRenamed ? { name: `${noun} ${name}` } : undefined;
  const body = await writeNamed(given, write, readAfter, sent, output);
  const after = { ...before?.body, ...body };
  const written = writtenChanges(before && ownFields(before.body), ownFields(after));
  return { data: { ...body, changes: written.changes }, document: writtenView(noun, name, written) };
}

/** The fields of an object that users set, without the fields of its parts. */
const ownFields = (object: Fields): Fields =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        (typeof value !== 'object' || value === null) &&
        !/(_at|_html|_token)$|^(tag|number|downloads|download_url|release_url|revoke_url|hosted)$/.test(name),
    ),
  );

/** Sends a deletion. After a lost response, checks whether the object still exists. */
export async function deleteAndConfirm<Removed>(
  remove: () => Promise<ServiceResponse<Removed>>,
  read: () => Promise<ServiceResponse<unknown>>,
): Promise<NonNullable<Removed> | null> {
  const response = await confirmWrite(remove, async () => ({
    done: (await unlessNotFound(read())) === undefined,
    found: 'it still exists',
  }));
  return response?.body ?? null;
}

/** Whether an object of the service has the sent values. Some fields have other names there. */
export const matchesSent = (existing: Fields, sent: Fields): boolean =>
  Object.entries(sent).every(
    ([name, value]) => (existing[responseFieldNames[name] ?? name] ?? '') === (value ?? ''),
  );

const responseFieldNames: Readonly<Record<string, string>> = {
  description: 'description_markdown',
  is_private: 'private',
  url: 'original_url',
};
