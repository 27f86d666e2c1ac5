import { command } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { namesTable } from '../../../output/document.ts';

export default command({
  examples: ['lanyard secrets policy list'],
  service: 'secrets',
  async run(_input, ctx) {
    const { body } = await listOrEmpty((await ctx.api.secrets()).listPolicies({}));
    const names = (body.data.keys ?? []).toSorted();
    return { data: names, rows: names, document: [namesTable('NAME', names, 'No policies.')] };
  },
});
