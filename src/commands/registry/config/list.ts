import { isUnknownEntryKind } from '../../../api/conditions/registry.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { kinds } from '../lib/config-entry.ts';

export default command({
  description: 'Lists the entries of all kinds unless KIND is given.',
  examples: ['lanyard registry config list', 'lanyard registry config list service-resolver -o json'],
  service: 'registry',
  args: { kind: arg.optional('KIND', 'kind, such as service-resolver', { completes: kinds }) },
  flags: { dc: flag.datacenter('datacenter') },
  async run({ args: { kind }, flags }, ctx) {
    const dc = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const list = async (name: string) => (await registry.listEntries({ kind: name, ...dc })).body ?? [];
    const entries =
      kind === undefined
        ? (await Promise.all(kinds.map((name) => list(name).catch(ignoreUnknownKind)))).flat()
        : await list(kind);
    return {
      ...listResult(entries, 'No config entries. Run `lanyard registry config put` to write one.', {
        KIND: ({ Kind }) => Kind,
        NAME: ({ Kind, Name = Kind }) => [strong(Name)],
        'MODIFY INDEX': { cell: ({ ModifyIndex }) => String(ModifyIndex), align: 'right' },
      }),
      isTabular: true,
    };
  },
});

/** A kind that an older registry, or the embedded one, does not have. */
function ignoreUnknownKind(error: unknown): [] {
  if (!isUnknownEntryKind(error)) throw error;
  return [];
}
