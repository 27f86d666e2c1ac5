import { isMissingSecretId } from '../../../../../api/conditions/secrets.ts';
import { command } from '../../../../../command/command.ts';
import { listOrEmpty } from '../../../../../errors.ts';
import { listResult, strong } from '../../../../../output/document.ts';
import { countText, timestampText } from '../../../../../output/humanize.ts';
import { methodArg, roleArg } from '../../../lib/auth-role/method.ts';
import { describeMissingAppRole, secretIdExpiry } from '../../../lib/auth-role/secret-ids.ts';
import { countUnread, lookUpEach } from '../../../lib/look-up-each.ts';
import { authMethods, mountPath } from '../../../lib/mounts.ts';
import { pairsText } from '../../../lib/tokens.ts';

export default command({
  description:
    'Lists the accessors of the secret IDs of an approle role. The secret IDs themselves cannot be shown.',
  examples: ['lanyard secrets auth role secret-id list approle ci'],
  service: 'secrets',
  waitsForRateLimits: true,
  args: { method: methodArg, role: roleArg },
  async run({ args }, ctx) {
    const path = { mount: mountPath(authMethods, args.method), name: args.role };
    const secrets = await ctx.api.secrets({ forMany: true });
    const { body } = await listOrEmpty(secrets.listSecretIds(path)).catch(describeMissingAppRole(path));
    const all = await lookUpEach(
      body.data.keys ?? [],
      async (accessor) => (await secrets.lookUpSecretId({ ...path, secret_id_accessor: accessor })).body.data,
      isMissingSecretId,
    );
    const unread = countUnread(all);
    if (unread > 0)
      ctx.output.warn(
        `permission denied to look up ${countText(unread, 'secret ID')}: only accessors are shown`,
      );
    const rows = all
      .map(({ accessor, properties }) => ({ ...properties, secret_id_accessor: accessor }))
      .toSorted((one, other) => (one.creation_time ?? '').localeCompare(other.creation_time ?? ''));
    return listResult(rows, 'No secret IDs.', {
      ACCESSOR: ({ secret_id_accessor: accessor }) => strong(accessor),
      CREATED: { optional: 1, cell: ({ creation_time: time }) => timestampText(time) ?? null },
      EXPIRES: ({ expiration_time: time }) => secretIdExpiry(time) ?? null,
      'USES LEFT': {
        optional: 2,
        cell: ({ secret_id_num_uses: uses }) =>
          uses === undefined ? null : uses === 0 ? 'unlimited' : String(uses),
      },
      METADATA: { shrinkPriority: 1, cell: ({ metadata }) => pairsText(metadata) ?? null },
    });
  },
});
