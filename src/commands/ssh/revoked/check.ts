import { arg, command } from '../../../command/command.ts';
import { bad, good, listTable } from '../../../output/document.ts';
import { listFlag, requireLocation } from '../lib/revoked/location.ts';
import { readKeyFile } from '../lib/revoked/selection.ts';
import { requireList } from '../lib/revoked/store.ts';
import { entryText } from '../lib/revoked/views.ts';

export default command({
  description:
    'Decides as sshd does with the list as its RevokedKeys file. Exit code 0 if nothing is revoked, 1 if something is, as "ssh-keygen -Q"; a list that cannot be read is another error.',
  examples: [
    'lanyard ssh revoked check ~/.ssh/id_ed25519-cert.pub --list registry:ssh/revoked',
    'lanyard ssh revoked check - --list revoked.krl < cert.pub',
  ],
  service: 'secrets',
  returnsList: () => true,
  args: {
    files: arg.rest('CERT|KEY', 'certificate or public key file, - for standard input', 1, {
      completes: 'file',
    }),
  },
  flags: { list: listFlag },
  async run({ args, flags }, ctx) {
    const location = await requireLocation(flags.list, ctx);
    const { describeEntry, findRevocation, readRevocable } = await ctx.ssh.revocation();
    const given = [];
    for (const file of args.files) {
      const { content, name } = await readKeyFile(file, ctx);
      given.push({ file, revocable: readRevocable(content, name) });
    }
    const { krl } = await requireList(location, ctx);
    const results = given.map(({ file, revocable }) => {
      const found = findRevocation(krl, revocable);
      return {
        file,
        revoked: found !== undefined,
        ...(found && {
          /** What the entry is about: the certificate, its key, or its CA. */
          of: found.of,
          entry: describeEntry(found.entry),
        }),
      };
    });
    return {
      data: results,
      rows: results,
      isTabular: true,
      document: [
        listTable(results, undefined, {
          FILE: ({ file }) => file,
          STATUS: ({ revoked }) => [revoked ? bad('revoked') : good('not revoked')],
          ENTRY: {
            mayOverflow: true,
            cell: ({ entry, of }) => (entry ? `${of === 'CA' ? 'its CA: ' : ''}${entryText(entry)}` : null),
          },
        }),
      ],
      exitCode: results.some(({ revoked }) => revoked) ? 1 : 0,
    };
  },
});
