import { arg, command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { requireAlias } from './lib/aliases.ts';

export default command({
  examples: ['lanyard alias delete cert'],
  changes: ['aliases'],
  args: { name: arg.text('NAME', 'alias to delete', { completes: 'alias' }) },
  async run({ args: { name } }, ctx) {
    await ctx.profile.change((current) => {
      requireAlias(current, name);
      const kept = Object.entries(current.aliases ?? {}).filter(([other]) => other !== name);
      return { ...current, aliases: Object.fromEntries(kept) };
    });
    return textResult({ deleted: name }, 'Deleted alias ', code(name), '.');
  },
});
