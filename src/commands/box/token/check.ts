import { command } from '../../../command.ts';
import { code, text } from '../../../output/document.ts';

export default command({
  description:
    'Asks whether the token that calls to the box registry carry now is valid. The exit code is 0 when it is, 4 when it is not or there is none, 7 when the service could not be asked.',
  examples: ['lanyard box token check'],
  service: 'box',
  args: {},
  flags: {},
  async run(_input, ctx) {
    const { body } = await (await ctx.api.box()).checkToken({});
    const { tokenFrom } = await ctx.api.settings('box');
    const user = body?.user.username;
    return {
      data: body ?? null,
      document: [
        text(
          'The token from ',
          code(tokenFrom ?? ''),
          ' is valid',
          ...(user ? [`; it is one of ${user}`] : []),
          '.',
        ),
      ],
    };
  },
});
