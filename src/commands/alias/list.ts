import { command } from '../../command/command.ts';
import { listResult } from '../../output/document.ts';
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
    return listResult(rows, 'No aliases. Run `lanyard alias set NAME EXPANSION` to create one.', {
      NAME: ({ name }) => name,
      TYPE: ({ shell }) => (shell ? 'shell' : 'command'),
      EXPANSION: { shrinkPriority: 1, cell: ({ expansion }) => expansion },
    });
  },
});
