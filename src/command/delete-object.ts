import { confirmDelete } from '../errors.ts';
import { code, textResult } from '../output/document.ts';
import type { Context } from './context.ts';

/** An object to delete. */
interface Deletion<Body, Data> {
  /** The question; " This cannot be undone." is added. */
  readonly prompt: string;
  readonly remove: () => Promise<{ readonly body: Body }>;
  readonly read: () => Promise<unknown>;
  /** Whether an error of `read` means that the object does not exist; default: `isEmptyListError`. */
  readonly isMissing?: (error: unknown) => boolean;
  /** The result, from the body of the response (null if it was lost). */
  readonly data: (body: Body | null) => Data;
}

/**
 * Deletes an object after a prompt and says `Deleted role ops.`; after a lost response, checks whether it
 * still exists. @param noun as in `role`
 */
export async function deleteObject<Body, Data>(
  { input }: Pick<Context, 'input'>,
  noun: string,
  name: string,
  { prompt, remove, read, isMissing, data }: Deletion<Body, Data>,
) {
  await input.confirm(`${prompt} This cannot be undone.`);
  const response = await confirmDelete(remove, read, `the ${noun}`, isMissing);
  const body = response?.body ?? null;
  return textResult(data(body), `Deleted ${noun} `, code(name), '.');
}
