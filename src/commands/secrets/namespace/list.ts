import { command } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { listResult, strong } from '../../../output/document.ts';
import { pairsText } from '../lib/tokens.ts';

export default command({
  description: 'Includes only direct children of the namespace of the settings or of --namespace.',
  examples: ['lanyard secrets namespace list', 'lanyard secrets namespace list -n team'],
  service: 'secrets',
  async run(_input, ctx) {
    const { body } = await listOrEmpty((await ctx.api.secrets()).listNamespaces({}));
    const info = body.data.key_info ?? {};
    const namespaces = (body.data.keys ?? [])
      .toSorted()
      .map((path) => ({ path, ...(Object.hasOwn(info, path) ? info[path] : {}) }));
    return listResult(namespaces, 'No namespaces.', {
      PATH: ({ path }) => strong(path),
      ID: { optional: 1, cell: ({ id }) => id || null },
      METADATA: { shrinkPriority: 1, cell: ({ custom_metadata }) => pairsText(custom_metadata) ?? null },
    });
  },
});
