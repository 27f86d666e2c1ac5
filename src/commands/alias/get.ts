import { arg, command } from '../../command/command.ts';
import { textResult } from '../../output/document.ts';
import { aliasData, requireAlias } from './lib/aliases.ts';

export default command({
  examples: ['lanyard alias get cert'],
  args: { name: arg.text('NAME', 'alias to print', { completes: 'alias' }) },
  async run({ args }, ctx) {
    const alias = requireAlias(await ctx.profile.read(), args.name);
    return textResult(aliasData(args.name, alias), alias.expansion);
  },
});
