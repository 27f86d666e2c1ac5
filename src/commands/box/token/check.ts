import { command } from '../../../command/command.ts';
import { code, text } from '../../../output/document.ts';

export default command({
  description:
    'Checks the current token of the box registry. The exit code is 4 if the token is missing or invalid, and 7 if the service is unreachable.',
  examples: ['lanyard box token check'],
  service: 'box',
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
          ...(user ? [` and belongs to ${user}`] : []),
          '.',
        ),
      ],
    };
  },
});
