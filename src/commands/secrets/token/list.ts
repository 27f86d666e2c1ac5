import { isMissingToken } from '../../../api/conditions/secrets.ts';
import { command } from '../../../command/command.ts';
import { hintFor, isForbidden, listOrEmpty } from '../../../errors.ts';
import { dim, listResult, strong } from '../../../output/document.ts';
import { countText, timestampText } from '../../../output/humanize.ts';
import { countUnread, lookUpEach } from '../lib/look-up-each.ts';
import { withoutId } from '../lib/tokens.ts';

export default command({
  description:
    'Lists the service tokens by their accessors, the oldest first. One request is sent for each token. Batch tokens cannot be listed.',
  examples: [
    'lanyard secrets token list',
    'lanyard secrets token list -o json --select "[?expire_time==null]"',
  ],
  service: 'secrets',
  waitsForRateLimits: true,
  async run(_input, ctx) {
    const secrets = await ctx.api.secrets({ forMany: true });
    const { body } = await listOrEmpty(secrets.listAccessors({})).catch(
      hintFor(isForbidden, 'Use a token with the capabilities list and sudo for auth/token/accessors/.'),
    );
    const all = await lookUpEach(
      body.data.keys ?? [],
      async (accessor) => withoutId((await secrets.lookUpAccessor({ accessor })).body.data),
      isMissingToken,
    );
    const unread = countUnread(all);
    if (unread > 0)
      ctx.output.warn(`permission denied to look up ${countText(unread, 'token')}: only accessors are shown`);
    const rows = all
      .map(({ accessor, properties }) => ({ ...properties, accessor }))
      .toSorted((one, other) => timeOf(one) - timeOf(other) || (one.accessor < other.accessor ? -1 : 1));
    return listResult(rows, 'No tokens.', {
      ACCESSOR: ({ accessor }) => strong(accessor),
      'DISPLAY NAME': ({ display_name: name }) => name || null,
      POLICIES: { shrinkPriority: 1, cell: ({ policies }) => policies?.join(', ') || null },
      CREATED: { optional: 1, cell: ({ issue_time: time }) => timestampText(time) ?? null },
      EXPIRES: ({ expire_time: time, ttl }) => timestampText(time) ?? (ttl === 0 ? dim('never') : null),
    });
  },
});

/** When a token was created, in seconds since 1970; unknown ones are last. */
const timeOf = ({ creation_time: time }: { readonly creation_time?: number | undefined }): number =>
  time ?? Number.MAX_SAFE_INTEGER;
