import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isLocal } from '../../src/command/changed.ts';
import type { AnyCommand } from '../../src/command/command.ts';
import { objectOf } from './objects.ts';

/** A command line, for what it may change. */
export interface Line {
  /** The command, as in the tree. */
  readonly path: string;
  readonly command: AnyCommand;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The profile in use. */
  readonly profile?: string | undefined;
  /** The working directory, which is the home directory, below the root of the listing. */
  readonly home: string;
  readonly root: string;
}

/** The file of the record that a state file of the command line names. */
const recordsOf = ({ path, argv, home }: Line): readonly string[] =>
  path !== 'apply'
    ? []
    : argv
        .filter((word) => word.endsWith('.yaml'))
        .flatMap((word) => [...readFileSync(resolve(home, word), 'utf8').matchAll(/\brecord: file:(\S+)/g)])
        .map(([, record = '']) => record);

/** The groups of a command: of `kv metadata put`, `kv metadata` and `kv`. */
const groupsOf = (path: string): readonly string[] =>
  path.split(' ').map((_word, index, words) => words.slice(0, index).join(' '));

/** Whether the declaration of a command names a change of the listing, such as `+ file key.pub`. */
export function isDeclared(change: string, line: Line): boolean {
  const [, how = '', place = '', name = ''] = /^(.) (\w+) (.*)$/s.exec(change) ?? [];
  const declared: readonly string[] = line.command.changes ?? [];
  const has = (...wanted: readonly string[]): boolean => wanted.some((each) => declared.includes(each));
  if (place === 'remote') {
    const object = objectOf(name);
    if (object === 'copy') return true;
    const service = name.replace(/[-/].*$/s, '');
    if (has(service)) return true;
    const groups = line.command.writes ? groupsOf(line.path) : [];
    if (object === 'index') return groups.length > 0 || declared.some((each) => !isLocal(each));
    // A token with a limited number of uses has one less.
    if (how === '~' && /^secrets\/data\/token\/entry\//.test(name)) return true;
    return has(...object) || object.some((each) => groups.includes(each));
  }
  // Without a name, `profile import` and a first login create the profile "default".
  const isNamed = (what: string): boolean =>
    what === line.profile || line.argv.includes(what) || (line.profile === undefined && what === 'default');
  if (place === 'config') {
    const [table = '', entry = ''] = name.split(' ');
    if (table === 'aliases') return has('aliases') && line.argv.includes(entry);
    return has('profiles') && (table !== 'profiles' || isNamed(entry));
  }
  if (place === 'token') return has('tokens') && isNamed(name.replace(/\/\w+$/, ''));
  if (place === 'keyring') return has('tokens') && isNamed(name.replace(/^.* |\/\w+$/g, ''));
  const path = resolve(line.root, name);
  const inConfig = path.startsWith(`${line.home}/config`);
  if (inConfig && /\/config(\/edits\.lock)?$/.test(path))
    return has('files', 'ssh files', 'profiles', 'tokens', 'aliases');
  if (inConfig && /\/(config|credentials)\.json(\.lock)?$/.test(path))
    return has('profiles', 'tokens', 'aliases');
  if (path.startsWith(`${line.home}/.ssh`) && has('ssh files')) return true;
  const sshd = line.argv.indexOf('--sshd-config');
  if (
    sshd >= 0 &&
    has('sshd files') &&
    path.startsWith(dirname(resolve(line.home, line.argv[sshd + 1] ?? '')))
  )
    return true;
  const named = [...line.argv, ...Object.values(line.env), ...recordsOf(line)]
    .flatMap((word) => [word, ...word.split(/[=,]/)])
    .filter((word) => /\w/.test(word))
    .map((word) => resolve(line.home, word.replace(/\.pub$/, '')));
  const out = line.argv.indexOf('--out');
  if (out >= 0 && path === resolve(line.home, line.argv[out + 1] ?? '')) return true;
  return (
    has('files') &&
    named.some(
      (each) =>
        path === each ||
        path.startsWith(`${each}/`) ||
        path.startsWith(`${each}-`) ||
        path.startsWith(`${each}.`),
    )
  );
}

const rowOf = (change: string): string | undefined => /^. remote (.*)$/s.exec(change)?.[1];

/** A row that follows others, also where they are as before. */
export function isIndex(change: string): boolean {
  const row = rowOf(change);
  return row !== undefined && objectOf(row) === 'index';
}

/** A copy of a row that another datacenter makes, at some time after the command. */
export function isCopy(change: string): boolean {
  const row = rowOf(change);
  return row !== undefined && objectOf(row) === 'copy';
}
