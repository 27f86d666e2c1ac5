import { isValueTaken } from '../../../../api/conditions/accounts.ts';
import type { Context } from '../../../../command/context.ts';
import { confirmWrite, describeAs, usage } from '../../../../errors.ts';
import type { Noun } from '../errors.ts';
import { methodId, withArticle } from './find-named.ts';

interface Created {
  readonly id: string;
  readonly version?: number | undefined;
  /** RFC 3339. */
  readonly created_time?: string | undefined;
}

/** A response to a list. */
interface Listed<Body> {
  readonly body: { readonly items?: readonly Body[] | null | undefined };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** How a new object is created, and found after a lost response. `Item`: an object in lists. */
interface Creation<Body, Item> {
  readonly noun: Noun;
  readonly create: () => Promise<{ readonly body: Body }>;
  /** Lists the objects among which it is, or only it. */
  readonly list: () => Promise<Listed<Item>>;
  /** Whether an object has its name or identity, which is unique. */
  readonly isSame: (item: Item) => boolean;
  /** The object of an item. */
  readonly read: (item: Item) => Promise<{ readonly body: Body }>;
}

/** Creates an object. After a lost response, it is searched for: it must have been created since the request. */
export async function createConfirmed<Body, Item extends Created>(
  { noun, create, list, isSame, read }: Creation<Body, Item>,
  ctx: Pick<Context, 'output' | 'system'>,
): Promise<Body> {
  const start = ctx.system.clock().getTime();
  let created: Body | undefined;
  const response = await confirmWrite(create, async () => {
    const { body, headers } = await list();
    const same = body.items?.find(isSame);
    const elapsed = ctx.system.clock().getTime() - start;
    if (same && isSince(same, Date.parse(headers.date ?? '') - elapsed)) created = (await read(same)).body;
    return { done: created !== undefined, found: found(noun, same) };
  });
  if (response) return response.body;
  if (!created) throw new Error('settled without an object');
  ctx.output.warn(`the response was lost, but the ${noun} was created`);
  return created;
}

const found = (noun: Noun, same: Created | undefined): string =>
  same === undefined
    ? `The ${noun} does not exist.`
    : `A similar ${noun} exists: ${same.id}, version ${same.version}, created ${same.created_time ?? 'at an unknown time'}.`;

/** Whether an object was created at that time or later. A `Date` header has a resolution of one second. */
const isSince = ({ created_time }: Created, moment: number): boolean =>
  Date.parse(created_time ?? '') >= moment - 1000;

/** Rejects with a conflict if another object of the scope has the name. */
export const describeTakenName = (noun: Noun, name: string | undefined) =>
  describeAs(
    isValueTaken,
    'conflict',
    name === undefined
      ? `another ${noun} of the scope already has this value`
      : `${noun} "${name}" already exists in its scope`,
  );

/** @throws LanyardError usage: an empty name, or one that later commands would take for an ID. */
export function checkNewName(noun: Exclude<Noun, 'account'>, name: string): void {
  if (name.trim() === '') throw usage(`invalid ${noun} name "${name}": must not be empty`);
  const id = {
    user: /^u_[0-9A-Za-z]+$/,
    role: /^r_[0-9A-Za-z]+$/,
    scope: /^([op]_[0-9A-Za-z]+|global)$/,
    'auth method': methodId,
  };
  if (id[noun].test(name.trim()))
    throw usage(`invalid ${noun} name "${name}": it looks like the ID of ${withArticle(noun)}`);
}
