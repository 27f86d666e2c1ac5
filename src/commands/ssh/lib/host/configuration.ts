import type { Context } from '../../../../command/context.ts';
import { conflict, usage } from '../../../../errors.ts';
import { certificatePath } from '../../../../wire/key-paths.ts';
import type { Enrollment, WrittenFile } from './manifest.ts';
import { dropInName, type HostPaths } from './paths.ts';
import type { SshdSettings } from './sshd.ts';
import {
  type Directive,
  hasBlock,
  includePatterns,
  matchesPattern,
  readDirectives,
  splitPath,
  withBlock,
} from './sshd-directives.ts';

const header = '# Written by "lanyard ssh host enroll"; "lanyard ssh host remove" removes it.\n';

const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);

/** The settings that an enrollment needs: names of sshd_config(5), and values. */
const neededSettings = (
  { role, keys, userCas, revoked }: Enrollment,
  paths: HostPaths,
): readonly (readonly [name: string, value: string])[] => [
  ...(role === undefined ? [] : keys.map((key) => ['HostCertificate', certificatePath(key)] as const)),
  ...(userCas.length === 0 ? [] : [['TrustedUserCAKeys', paths.userCas] as const]),
  ...(revoked === undefined ? [] : [['RevokedKeys', paths.revoked] as const]),
];

/** The file that gets the settings, and its content. */
export interface Placement {
  readonly path: string;
  readonly kind: 'configuration' | 'block';
  readonly content: string;
}

/**
 * Where the settings go: a file of their own in a directory that sshd_config includes, or else a block at the top of
 * sshd_config, where no setting comes before it and no Match block contains it.
 *
 * @param written the files of an earlier enrollment, or of an interrupted one.
 * @throws LanyardError usage: sshd_config does not include the directory; conflict: the file is not of Lanyard, or another
 * file has the same settings.
 */
export async function placeSettings(
  paths: HostPaths,
  enrollment: Enrollment,
  directory: string | undefined,
  written: readonly Pick<WrittenFile, 'path'>[],
  ctx: Context,
): Promise<Placement> {
  const settings = neededSettings(enrollment, paths);
  const directives = await readDirectives(paths.config, ctx);
  rejectOtherSettings(settings, directives, ctx);
  const lines = settings.map(([name, value]) => `${name} ${quoted(value)}\n`).join('');
  const text = await ctx.files.readText(paths.config, 'the configuration of sshd');
  const included =
    hasBlock(text) && directory === undefined ? undefined : findDirectory(paths, directives, directory);
  if (included === undefined || !(await ctx.files.isDirectory(included)))
    return { path: paths.config, kind: 'block', content: withBlock(text, lines) };
  const path = `${included}/${dropInName}`;
  if ((await ctx.files.exists(path)) && !written.some((file) => file.path === path))
    throw conflict(`cannot write ${path}: already exists and was not written by "lanyard ssh host enroll"`, {
      hint: 'Rename the file, or move its settings to another one.',
    });
  return { path, kind: 'configuration', content: `${header}${lines}` };
}

/** The directory that sshd_config includes for all logins; undefined: none. */
function findDirectory(
  { config }: HostPaths,
  directives: readonly Directive[],
  given: string | undefined,
): string | undefined {
  const directories = directives
    .filter((each) => each.file === config && each.name === 'include' && !each.isConditional)
    .flatMap(({ value }) => includePatterns(value))
    .map(splitPath)
    .filter(({ name }) => matchesPattern(name, dropInName))
    .map((each) => each.directory);
  if (given === undefined || directories.includes(given)) return given ?? directories[0];
  throw usage(`${config} does not include ${given}/${dropInName}`, {
    hint: `Add the line "Include ${given}/*.conf" to the top of ${config}, or omit --sshd-config-dir.`,
  });
}

/** sshd uses the first value of these settings, so that one of the two would have no effect. */
function rejectOtherSettings(
  settings: readonly (readonly [name: string, value: string])[],
  directives: readonly Directive[],
  { output }: Context,
): void {
  for (const [name, value] of settings.filter((each) => each[0] !== 'HostCertificate')) {
    const others = directives.filter(
      (each) => each.name === name.toLowerCase() && each.value !== value && each.value !== 'none',
    );
    const place = ({ file, line, value: other }: Directive): string => `${file}:${line}: ${name} ${other}`;
    const [first] = others.filter(({ isConditional }) => !isConditional);
    if (first)
      throw conflict(`${name} is already set: sshd uses only the first value`, {
        details: others.map(place),
        hint: `Remove the line from ${first.file} and run the command again. The keys in ${first.value} are then no longer used.`,
      });
    for (const other of others)
      output.warn(`some logins use another ${name}, set in a Match block: ${place(other)}`);
  }
}

/** The settings that sshd does not use; empty: all are in effect. @param settings of `sshd -T` */
export const settingsWithoutEffect = (
  enrollment: Enrollment,
  paths: HostPaths,
  settings: SshdSettings,
): readonly string[] =>
  neededSettings(enrollment, paths).flatMap(([name, value]) => {
    const effective = settings.values(name.toLowerCase());
    if (effective.includes(value)) return [];
    return [`${name} is ${effective.join(', ') || 'not set'}, and not ${value}`];
  });
