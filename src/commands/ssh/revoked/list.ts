import { command } from '../../../command/command.ts';
import { fields, listTable } from '../../../output/document.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import { listFlag, locationText, requireLocation } from '../lib/revoked/location.ts';
import { requireList } from '../lib/revoked/store.ts';

export default command({
  description:
    'Shows the entries, version and date of an OpenSSH key revocation list, also of a file that ssh-keygen wrote.',
  examples: [
    'lanyard ssh revoked list --list registry:ssh/revoked',
    'lanyard ssh revoked list --list revoked.krl -o json',
  ],
  service: 'secrets',
  flags: { list: listFlag },
  async run({ flags }, ctx) {
    const location = await requireLocation(flags.list, ctx);
    const { krl } = await requireList(location, ctx);
    const { describeEntry, entriesOf } = await ctx.ssh.revocation();
    const entries = entriesOf(krl).map(describeEntry);
    const generated = new Date(Number(krl.generated) * 1000);
    const isDate = krl.generated > 0n && !Number.isNaN(generated.getTime());
    return {
      data: {
        /** Location of the list. */
        list: locationText(location),
        /** An unsigned 64-bit number as text; higher after each change. */
        version: String(krl.version),
        /** RFC 3339; null: unknown. */
        generated: isDate ? generated.toISOString() : null,
        comment: krl.comment,
        entries,
      },
      payload: entries,
      rows: entries,
      isTabular: true,
      document: [
        fields([
          ['list', locationText(location)],
          ['version', String(krl.version)],
          ['generated', isDate ? formatTimestamp(generated) : null],
          ['comment', krl.comment || undefined],
        ]),
        listTable(entries, 'The list has no entries.', {
          REVOKED: ({ value }) => value,
          BY: ({ by }) => by,
          'CA OR TYPE': { optional: 1, cell: ({ ca, type }) => ca ?? type ?? null },
        }),
      ],
    };
  },
});
