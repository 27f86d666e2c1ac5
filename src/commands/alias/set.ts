import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { conflict, usage } from '../../errors.ts';
import { writtenChanges, writtenView } from '../../output/diff.ts';
import { type Alias, aliasNamePattern, leadingWords, parseExpansion, storedAlias } from '../../wire/alias.ts';
import { aliasData, requireAlias } from './lib/aliases.ts';

export default command({
  description:
    'In EXPANSION, $1 to $9 stand for arguments; other arguments are appended. Quotes work as in a POSIX shell, but no shell runs: for pipes and variables use --shell.',
  examples: [
    "lanyard alias set cert 'ssh sign deploy --key $1'",
    'lanyard alias set vars "var list"',
    'lanyard alias set keys "kv list --recursive" --force',
  ],
  changes: ['aliases'],
  args: {
    name: arg.text('NAME', 'first word of the new command', { completes: 'alias' }),
    expansion: arg.text('EXPANSION', 'command line without "lanyard"; - for standard input'),
  },
  flags: {
    shell: flag.boolean('run EXPANSION with sh, with the arguments as "$@"', { short: 's' }),
    force: flag.boolean('replace an existing alias'),
  },
  async run({ args: { name, expansion: given }, flags }, ctx) {
    if (!aliasNamePattern.test(name))
      throw usage(`invalid alias name ${JSON.stringify(name)}`, {
        hint: 'Use 1 to 64 letters, digits, ".", "_" and "-", starting with a letter or digit.',
      });
    if (await ctx.system.isBuiltIn(name))
      throw usage(`cannot create alias "${name}": a command has the same name`);
    const expansion = given === '-' ? (await ctx.input.readStdin()).toString().trim() : given;
    if (flags.shell && expansion.trim() === '') throw usage(`invalid alias "${name}": it is empty`);
    const first = flags.shell ? undefined : firstWord(name, expansion);
    const plugins = new Set((await ctx.system.plugins()).map((plugin) => plugin.name));
    const isCommand =
      first === undefined ||
      (await ctx.system.isBuiltIn(first)) ||
      [...plugins].some((plugin) => plugin === first || plugin.startsWith(`${first}-`));
    const alias = { expansion, isShell: flags.shell };
    let before: Alias | undefined;
    await ctx.profile.change((current) => {
      const { aliases = {} } = current;
      before = Object.hasOwn(aliases, name) ? requireAlias(current, name) : undefined;
      if (Object.hasOwn(aliases, name) && !flags.force)
        throw conflict(`alias "${name}" already exists`, { hint: 'Use --force to replace it.' });
      if (!isCommand && (first === name || !Object.hasOwn(aliases, first)))
        throw usage(`invalid alias "${name}": "${first}" is not a command, alias or plugin`, {
          hint: 'Run `lanyard --help` for the list of commands.',
        });
      return { ...current, aliases: { ...aliases, [name]: storedAlias(alias) } };
    });
    warnOfPlugin(name, plugins, ctx);
    const written = writtenChanges(before && aliasData(name, before), aliasData(name, alias));
    return {
      data: { ...aliasData(name, alias), ...written },
      document: writtenView('alias', name, written),
    };
  },
});

/**
 * The command that an expansion begins with.
 *
 * @throws LanyardError usage: the expansion is invalid, or does not begin with a command.
 */
function firstWord(name: string, expansion: string): string {
  const words = parseExpansion(expansion);
  if (typeof words === 'string')
    throw usage(`invalid alias "${name}": ${words}`, {
      hint: 'Quote it, or use --shell for an expansion that sh runs.',
    });
  const [first = ''] = leadingWords(words);
  if (first.startsWith('!'))
    throw usage(`invalid alias "${name}": it begins with "!"`, {
      hint: 'Use --shell for an expansion that sh runs.',
    });
  if (first === '' || first.startsWith('-'))
    throw usage(`invalid alias "${name}": it must begin with a command`);
  return first;
}

function warnOfPlugin(name: string, plugins: ReadonlySet<string>, { output }: Context): void {
  if (plugins.has(name)) output.warn(`the plugin "${name}" is not used any more: aliases have priority`);
}
