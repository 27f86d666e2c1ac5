import { command } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { accessorFlag, lookUp, readSubject, tokenArg, tokenView, withoutId } from '../lib/tokens.ts';

export default command({
  description:
    'Shows the properties of a token, given by its source or by --accessor. The token itself is not shown.',
  examples: [
    'lanyard secrets token lookup - < job-token.txt',
    'lanyard secrets token lookup --accessor "$ACCESSOR"',
  ],
  service: 'secrets',
  args: { token: tokenArg },
  flags: accessorFlag,
  async run({ args, flags }, ctx) {
    const subject = await readSubject(args.token, flags.accessor, ctx);
    if (subject.kind === 'self')
      throw usage('missing token: a source or --accessor is required', {
        hint: 'Run `lanyard secrets token self` for the token that is used.',
      });
    const token = withoutId(await lookUp(await ctx.api.secrets(), subject));
    return { data: token, document: tokenView(token) };
  },
});
