import { command } from '../../command/command.ts';
import { listResult } from '../../output/document.ts';

export default command({
  description:
    'A program lanyard-NAME in PATH runs as "lanyard NAME". Commands of lanyard and aliases have priority. Relative folders in PATH are ignored.',
  examples: ['lanyard plugin list'],
  returnsList: () => true,
  async run(_input, ctx) {
    const { aliases = {} } = await ctx.profile.read();
    const found = new Map<string, string>();
    const rows = [];
    for (const { name, path, isExecutable } of await ctx.system.plugins()) {
      const earlier = found.get(name);
      const problem = (await ctx.system.isBuiltIn(name))
        ? `hidden by the command "${name}"`
        : Object.hasOwn(aliases, name)
          ? `hidden by the alias "${name}"`
          : !isExecutable
            ? 'not executable'
            : earlier === undefined
              ? undefined
              : `hidden by ${earlier}`;
      if (isExecutable && earlier === undefined) found.set(name, path);
      rows.push({ name, path, ...(problem === undefined ? {} : { problem }) });
    }
    return listResult(rows, 'No plugins in PATH.', {
      NAME: ({ name }) => name,
      PATH: { shrinkPriority: 1, cell: ({ path }) => path },
      PROBLEM: { shrinkPriority: 2, cell: ({ problem = '' }) => problem },
    });
  },
});
