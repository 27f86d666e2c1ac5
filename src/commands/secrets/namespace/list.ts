import { command } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { dim, strong, table } from '../../../output/document.ts';

export default command({
  description: 'Only those directly below the namespace of the settings, or of --namespace.',
  examples: ['lanyard secrets namespace list', 'lanyard secrets namespace list -n team'],
  service: 'secrets',
  async run(_input, ctx) {
    const { body } = await listOrEmpty((await ctx.api.secrets()).listNamespaces({}));
    const info = body.data.key_info ?? {};
    const namespaces = (body.data.keys ?? [])
      .toSorted()
      .map((path) => ({ path, ...(Object.hasOwn(info, path) ? info[path] : {}) }));
    return {
      data: namespaces,
      rows: namespaces,
      document: [
        table(
          ['PATH', { title: 'ID', optional: 1 }, { title: 'METADATA', shrinkPriority: 1 }],
          namespaces.map(({ path, id, custom_metadata: metadata }) => [
            [strong(path)],
            id || [dim('-')],
            Object.entries(metadata ?? {})
              .map(([name, value]) => `${name}=${value}`)
              .join(', ') || [dim('-')],
          ]),
          'No namespaces.',
        ),
      ],
    };
  },
});
