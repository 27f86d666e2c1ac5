import { command, flag } from '../../../command/command.ts';
import { lookUp, tokenView, withoutId } from '../lib/tokens.ts';

export default command({
  description: 'The token itself is hidden unless --show-token is given.',
  examples: ['lanyard secrets token self', 'lanyard secrets token self --field policies'],
  service: 'secrets',
  flags: { showToken: flag.boolean('show the token itself') },
  async run({ flags }, ctx) {
    const found = await lookUp(await ctx.api.secrets(), { kind: 'self' });
    if (flags.showToken && found.id) ctx.output.mask(found.id);
    const token = flags.showToken ? found : withoutId(found);
    return { data: token, document: tokenView(token) };
  },
});
