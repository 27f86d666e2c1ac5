import type { SchedulerClient, Variable } from '../../../api/scheduler.ts';
import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs, isNotFound, unlessNotFound, usage } from '../../../errors.ts';
import type { Items } from '../../../io/variable-file.ts';
import { sortedByName } from '../../../wire/objects.ts';

export const pathArg = arg.text('PATH', 'path of the variable, such as app/db', { completes: 'variable' });

/** `--cas N`: an unsigned 64-bit integer, kept as a string to avoid rounding. */
export const casFlag = (help: string) =>
  flag.parsed('N', help, (text, name) => {
    if (/^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n) return String(BigInt(text));
    throw usage(`invalid ${name} "${text}": expected an unsigned 64-bit integer`);
  });

export const formatFlag = flag.choice(
  ['json', 'yaml', 'env', 'hcl'],
  'format of the file (default: from its name or content)',
);

/** As `checkPath`, for a variable that may exist: Nomad keeps paths that end in a slash. */
export const checkExistingPath = (path: string): void => checkPath(path.replace(/(?<=[^/])\/$/, ''));

/** @throws LanyardError usage: the path is invalid (specification, part B). */
export function checkPath(path: string): void {
  const invalidInput = (problem: string) =>
    usage(`invalid variable path "${path}": ${problem}`, {
      hint: path.startsWith('@')
        ? `Use --in ${path.slice(1)} to read the variable from a file.`
        : 'Nothing was sent.',
    });
  if (!/^[a-zA-Z0-9-_~/]{1,128}$/.test(path))
    throw invalidInput('expected 1 to 128 letters, digits, "-", "_", "~" and "/"');
  if (path.split('/').includes('')) throw invalidInput('empty segment');
}

/** Maximum size of items on Nomad, in bytes; services with the 16 KiB of the specification report it themselves. */
const maxItemsBytes = 64 * 1024;

const sizeOf = (items: Items): number =>
  Object.entries(items).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );

/** @throws LanyardError usage: the items are invalid for every service. */
export function checkItems(what: string, items: Items): void {
  const invalidInput = (problem: string) => usage(`${what} ${problem}`, { hint: 'Nothing was sent.' });
  const entries = Object.entries(items);
  if (entries.length === 0) throw invalidInput('has no items; at least one is required');
  const unpaired = entries.find(([key, value]) => !key.isWellFormed() || !value.isWellFormed());
  if (unpaired) throw invalidInput('contains an unpaired surrogate (invalid UTF-16)');
  if (sizeOf(items) > maxItemsBytes)
    throw invalidInput(`has ${sizeOf(items)} bytes of items; the maximum is ${maxItemsBytes} (64 KiB)`);
}

/** The namespace of the settings. @throws LanyardError usage: it is "*", which means all. */
export async function requireNamespace(ctx: Context): Promise<string> {
  const { namespace = 'default' } = await ctx.api.settings('scheduler');
  if (namespace !== '*') return namespace;
  throw usage('invalid namespace "*": expected one namespace', { hint: 'Specify it with --namespace.' });
}

/** The items, sorted by name: Nomad returns them in random order. */
export const itemsOf = ({ Items }: Variable): Items => sortedByName(Items ?? {});

export const indexOf = ({ ModifyIndex = 0 }: Variable): string => String(ModifyIndex);

export const variableNotFoundError = (path: string) =>
  describeAs(isNotFound, 'not_found', `variable "${path}" not found`, {
    hint: 'Run `lanyard var list` for the existing variables.',
  });

/** The variable, or undefined if it does not exist. */
export const findVariable = (
  scheduler: SchedulerClient,
  path: string,
  where: { namespace?: string } = {},
): Promise<Variable | undefined> => unlessNotFound(scheduler.readVariable({ path, ...where }));

/** Masks every value in the log of a CI service. */
export function maskItems(output: Pick<Context['output'], 'mask'>, items: Items): void {
  for (const value of Object.values(items)) output.mask(value);
}
