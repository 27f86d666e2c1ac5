import type { SchedulerClient, Variable } from '../../api/scheduler.ts';
import { arg, type Flag, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { sortedByName } from '../../wire/sorted.ts';

export const pathArg = arg.text('PATH', 'the variable, such as app/db');

const number = flag.text('N', '');

/** `--cas N`: any integer of 64 bits, kept as text so that none is rounded. */
export const casFlag = (help: string): Flag<string | undefined> => ({
  ...number,
  help,
  parse: (values, name) => {
    const text = number.parse(values, name);
    if (text === undefined) return undefined;
    if (/^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n) return String(BigInt(text));
    throw usage(`${name} takes a whole number of 64 bits, not "${text}"`);
  },
});

export const formatFlag = flag.choice(
  ['json', 'yaml', 'env'],
  'of the file, where neither its name nor its content says it',
);

/** @throws LanyardError usage: no variable can have this path (specification, part B). */
export function checkPath(path: string): void {
  const refuse = (why: string) =>
    usage(`"${path}" is no path of a variable: ${why}`, { hint: 'Nothing was sent.' });
  if (!/^[a-zA-Z0-9-_~/]{1,128}$/.test(path))
    throw refuse('it has 1 to 128 letters, digits, "-", "_", "~" and "/"');
  if (path.split('/').includes('')) throw refuse('it has an empty part');
}

/** Bytes of items that Nomad accepts; the specification has 16 KiB, and a service that keeps to it says so. */
const most = 64 * 1024;

/** The bytes of all names and values. */
const sizeOf = (items: Items): number =>
  Object.entries(items).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );

/** @throws LanyardError usage: no service takes these items. */
export function checkItems(what: string, items: Items): void {
  const refuse = (why: string) => usage(`${what} ${why}`, { hint: 'Nothing was sent.' });
  const entries = Object.entries(items);
  if (entries.length === 0) throw refuse('has no items; a variable has at least one');
  const torn = entries.find(([key, value]) => !key.isWellFormed() || !value.isWellFormed());
  if (torn) throw refuse('has an item with half of a character, which would not come back as it is');
  if (sizeOf(items) > most)
    throw refuse(`has ${sizeOf(items)} bytes of items; Nomad accepts at most ${most} (64 KiB)`);
}

/** The namespace that calls are about. @throws LanyardError usage: it is the one that means all of them. */
export async function oneNamespace(ctx: Pick<Context, 'api'>): Promise<string> {
  const { namespace = 'default' } = await ctx.api.settings('scheduler');
  if (namespace !== '*') return namespace;
  throw usage('one namespace is needed here, not all of them ("*")', { hint: 'Name it with --namespace.' });
}

/** The items, sorted by name: Nomad gives them in another order each time. */
export const itemsOf = ({ Items }: Variable): Items => sortedByName(Items ?? {});

export const indexOf = ({ ModifyIndex = 0 }: Variable): string => String(ModifyIndex);

/** Says of a variable that is not there where those that are can be seen. */
export const missing =
  (path: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`there is no variable "${path}"`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint: '"lanyard var list" shows those that the token may see.',
    });
  };

/** The variable, or undefined when there is none. */
export async function find(
  scheduler: SchedulerClient,
  path: string,
  where: { namespace?: string } = {},
): Promise<Variable | undefined> {
  try {
    return (await scheduler.readVariable({ path, ...where })).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Masks every value in the log of a CI service. */
export function mask(io: Pick<Context['io'], 'mask'>, items: Items): void {
  for (const value of Object.values(items)) io.mask(value);
}
