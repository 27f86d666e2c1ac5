import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import type { FileOwner } from '../../../io/files.ts';

/** An argument `TEMPLATE[:FILE]`. */
export interface Target {
  /** `-`: standard input. */
  readonly template: string;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * The arguments `TEMPLATE[:FILE]`; the first colon separates them.
 *
 * @throws LanyardError usage: a missing name, the same file twice, standard output together with others, standard input
 * twice.
 */
export function parseTargets(words: readonly string[]): readonly Target[] {
  const targets = words.map((word): Target => {
    const [, template = '', separator, file] = /^([^:]*)(:)?(.*)$/s.exec(word) ?? [];
    if (template === '' || (separator !== undefined && !file))
      throw usage(`invalid argument "${word}": expected TEMPLATE or TEMPLATE:FILE`);
    return { template, file: separator === undefined ? undefined : file };
  });
  const files = targets.map(({ file }) => file);
  if (targets.length > 1 && files.includes(undefined))
    throw usage('several templates require a FILE each: expected TEMPLATE:FILE');
  const duplicate = files.find((file, index) => files.indexOf(file) !== index);
  if (duplicate !== undefined) throw usage(`duplicate file "${duplicate}"`);
  if (targets.filter(({ template }) => template === '-').length > 1)
    throw usage('standard input (-) can be read only once');
  return targets;
}

/** Flags of the written files. */
export const fileFlags = {
  mode: flag.parsed('MODE', 'permission bits (default 0600; an existing file keeps its own)', parseMode),
  owner: flag.name('USER[:GROUP]', 'names or numbers (default: of an existing file, else yours)'),
} as const;

function parseMode(text: string, name: string): number {
  const bits = /^[0-7]{3,4}$/.test(text) ? Number.parseInt(text, 8) : undefined;
  if (bits === undefined || bits > 0o777)
    throw usage(`invalid ${name} "${text}": expected permission bits such as 0640`);
  return bits;
}

/** What the files get: undefined is what an existing file has. */
export interface FileSettings {
  readonly mode: number | undefined;
  readonly owner: FileOwner | undefined;
}

/** @throws LanyardError usage: a user or group does not exist. */
export async function fileSettings(
  { mode, owner }: Values<typeof fileFlags>,
  { system }: Pick<Context, 'system'>,
): Promise<FileSettings> {
  if (owner === undefined) return { mode, owner: undefined };
  const [, user = '', group] = /^([^:]+)(?::(.+))?$/s.exec(owner) ?? [];
  if (user === '') throw usage(`invalid --owner "${owner}": expected USER, USER:GROUP or numbers`);
  const uid = await numberOf('user', ['id', '-u', '--', user], user, system);
  const gid =
    group === undefined
      ? await numberOf('group', ['id', '-g', '--', user], user, system)
      : await numberOf('group', ['getent', 'group', group], group, system);
  return { mode, owner: { uid, gid } };
}

/** The number of a user or group: itself, or from the program that knows the names of the system. */
async function numberOf(
  what: string,
  [command = '', ...args]: readonly string[],
  name: string,
  system: Context['system'],
): Promise<number> {
  if (/^\d{1,10}$/.test(name) && !args.includes('-g')) return Number(name);
  const output = await system.readOutput({ command, args });
  // A line of getent is NAME:PASSWORD:NUMBER:MEMBERS.
  const [, number] = /^(?:[^:\n]*:[^:\n]*:)?(\d+)(?::.*)?\n?$/.exec(output?.stdout ?? '') ?? [];
  if (output?.code === 0 && number !== undefined) return Number(number);
  throw usage(`invalid --owner: the ${what} of "${name}" does not exist`, {
    hint: 'Specify numbers: --owner UID:GID',
  });
}
