import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Counts, TracedCounts } from './count.ts';
import { callKinds, type SystemCalls } from './system-calls.ts';

/** The committed counts by command, which bound later ones. */
export interface Baseline {
  /** The version of Node that the built-in modules and system calls are of. */
  readonly node: string;
  readonly commands: ReadonlyMap<string, TracedCounts>;
}

/** The file: names by what they are of, with the commands, so that a module has one line. */
interface Stored {
  readonly node: string;
  readonly numbers: Readonly<
    Record<string, Pick<Counts, 'files' | 'bytes'> & Pick<SystemCalls, 'calls' | 'bytesRead'>>
  >;
  readonly modules: Names;
  readonly builtIns: Names;
  readonly opened: Names;
}

/** The commands of each name. */
type Names = Readonly<Record<string, readonly string[]>>;

const file = fileURLToPath(new URL('baseline.json', import.meta.url));

export function readBaseline(): Baseline {
  const { node, numbers, ...names } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  const commands = Object.entries(numbers).map(([command, { files, bytes, calls, bytesRead }]) => {
    const of = (all: Names): string[] =>
      Object.entries(all).flatMap(([name, users]) => (users.includes(command) ? [name] : []));
    const system = { calls, bytesRead, opened: of(names.opened) };
    const counts = { modules: of(names.modules), files, bytes, builtIns: of(names.builtIns), system };
    return [command, counts] as const;
  });
  return { node, commands: new Map(commands) };
}

export function writeBaseline({ node, commands }: Baseline): void {
  const names = (of: (counts: TracedCounts) => readonly string[]): Names => {
    const all = [...new Set([...commands.values()].flatMap(of))].sort();
    const usersOf = (name: string): string[] =>
      [...commands].flatMap(([command, counts]) => (of(counts).includes(name) ? [command] : []));
    return Object.fromEntries(all.map((name) => [name, usersOf(name)]));
  };
  const stored: Stored = {
    node,
    numbers: Object.fromEntries(
      [...commands].map(
        ([
          command,
          {
            files,
            bytes,
            system: { calls, bytesRead },
          },
        ]) => [command, { files, bytes, calls, bytesRead }],
      ),
    ),
    modules: names(({ modules }) => modules),
    builtIns: names(({ builtIns }) => builtIns),
    opened: names(({ system }) => system.opened),
  };
  writeFileSync(file, textOf(stored));
}

/** One line for each command or name. */
function textOf({ node, ...groups }: Stored): string {
  const members = Object.entries(groups).map(([group, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, row]) => `    ${JSON.stringify(name)}: ${JSON.stringify(row)}`,
    );
    return `  ${JSON.stringify(group)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n  "node": ${JSON.stringify(node)},\n${members.join(',\n')}\n}\n`;
}

const major = (version: string): string => version.split('.')[0] ?? '';

/** Whether built-in modules and system calls of a version of Node can be compared with the baseline. */
export const isComparable = (baseline: Baseline, version: string): boolean =>
  major(baseline.node) === major(version);

/** The share by which a number may exceed the baseline. */
const tolerance = 0.05;
const minMoreFiles = 2;
const minMoreCalls = 3;

/**
 * How a command exceeds its baseline, one line each.
 *
 * One module may take the place of another; a library, a built-in module of Node or an opened file may not. Numbers
 * have a tolerance: the bundler splits a file when another command uses a part of it.
 *
 * @param comparable false: built-in modules and system calls are of another version of Node, and are not compared.
 */
export function excess(command: string, counts: Counts, baseline: Counts, comparable = true): string[] {
  const lines: string[] = [];
  const names = (verb: string, what: string, now: readonly string[], before: readonly string[]): void => {
    const added = now.filter((name) => !before.includes(name));
    const mayReplace = what === 'module' && !added.some((name) => name.startsWith('node_modules/'));
    if (mayReplace ? now.length <= before.length : added.length === 0) return;
    const removed = before.filter((name) => !now.includes(name));
    const insteadOf = removed.length > 0 ? `; no longer: ${removed.join(', ')}` : '';
    lines.push(
      `${command} ${verb} ${counted(added.length, `more ${what}`)}: ${added.join(', ')}${insteadOf}`,
    );
  };
  const number = (what: string, now: number, before: number, minMore: number): void => {
    const most = Math.floor(Math.max(before * (1 + tolerance), before + minMore));
    if (now > most) lines.push(`${command} ${what}: ${now}, baseline ${before}, at most ${most}`);
  };
  names('loads', 'module', counts.modules, baseline.modules);
  number('loads files', counts.files, baseline.files, minMoreFiles);
  number('loads bytes of code', counts.bytes, baseline.bytes, 0);
  if (!comparable) return lines;
  names('loads', 'built-in module', counts.builtIns, baseline.builtIns);
  const [now, before] = [counts.system, baseline.system];
  if (now === undefined || before === undefined) return lines;
  names('opens', 'file', now.opened, before.opened);
  number('reads bytes', now.bytesRead, before.bytesRead, 0);
  for (const kind of callKinds)
    number(`makes system calls of kind "${kind}"`, now.calls[kind], before.calls[kind], minMoreCalls);
  return lines;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
