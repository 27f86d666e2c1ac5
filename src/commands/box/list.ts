import { arg, command } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { checkName } from './lib/box-names.ts';
import { boxesView } from './lib/views.ts';

export default command({
  description:
    'Lists every box of the owner that the token may see: private boxes and boxes without a released version too, which "lanyard box search" may leave out. Without OWNER lists the boxes of the user of the token.',
  examples: ['lanyard box list', 'lanyard box list dev -o jsonl'],
  service: 'box',
  args: {
    owner: arg.optional('OWNER', 'user or organization (default: the user of the token)', {
      completes: 'box-owner',
    }),
  },
  async run({ args }, ctx) {
    if (args.owner !== undefined) checkName('owner', args.owner);
    const box = await ctx.api.box();
    const username = args.owner ?? (await box.checkToken({})).body?.user.username;
    if (username === undefined)
      throw usage('missing OWNER: the service does not show the user of the token', {
        hint: 'Run `lanyard box list OWNER`.',
      });
    const { body } = await box.readOrganization({ username });
    const boxes = body.boxes ?? [];
    return {
      data: body,
      payload: boxes,
      rows: boxes,
      document: boxesView(boxes, `No visible boxes of ${username}.`),
    };
  },
});
