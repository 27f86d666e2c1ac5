import { command, flag } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { listResult, strong } from '../../../output/document.ts';
import { pairsText } from '../lib/tokens.ts';

export default command({
  description:
    'Includes direct children of the namespace of the settings or of --namespace, with --recursive all below it (OpenBao).',
  examples: ['lanyard secrets namespace list', 'lanyard secrets namespace list -n team --recursive'],
  service: 'secrets',
  flags: { recursive: flag.boolean('all namespaces below') },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await listOrEmpty(
      flags.recursive ? secrets.scanNamespaces({}) : secrets.listNamespaces({}),
    );
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
