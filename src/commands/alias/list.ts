import { command } from '../../command/command.ts';
import { table } from '../../output/document.ts';
import { readAlias } from '../../wire/alias.ts';
import { aliasData } from './lib/aliases.ts';

export default command({
  examples: ['lanyard alias list'],
  returnsList: () => true,
  async run(_input, ctx) {
    const { aliases = {} } = await ctx.profile.read();
    const rows = Object.keys(aliases)
      .sort()
      .map((name) => aliasData(name, readAlias(aliases[name] ?? '')));
    for (const { name } of rows)
      if (await ctx.system.isBuiltIn(name))
        ctx.output.warn(`alias "${name}" is not used: a command has the same name`);
    return {
      data: rows,
      rows,
      document: [
        table(
          ['NAME', 'TYPE', { title: 'EXPANSION', shrinkPriority: 1 }],
          rows.map(({ name, expansion, shell }) => [name, shell ? 'shell' : 'command', expansion]),
          'No aliases. Run `lanyard alias set NAME EXPANSION` to create one.',
        ),
      ],
    };
  },
});
