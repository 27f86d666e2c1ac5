import { arg, command, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { RevokedEntry } from '../../ssh/krl/krl.ts';
import { entriesOfUser, userFlags } from './lib/history/of-user.ts';
import { changeList } from './lib/revoked/change.ts';
import { listFlag } from './lib/revoked/location.ts';
import { selectionFlags } from './lib/revoked/selection.ts';

export default command({
  description:
    'Adds to an OpenSSH key revocation list: a certificate by its serial number; a key with all of its certificates; the public key of a CA with everything that it signed. Hosts reject them after the next "lanyard ssh trust --revoked". Prompts first.',
  examples: [
    'lanyard ssh revoke ~/.ssh/id_ed25519-cert.pub --list registry:ssh/revoked',
    'lanyard ssh revoke --serial 0x3f2a91d07c55e1b8 --list registry:ssh/revoked',
    'lanyard ssh revoke --user ada --record registry:ssh/record --list registry:ssh/revoked',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['files', 'registry kv', 'secrets'],
  args: {
    files: arg.rest('CERT|KEY', 'certificate or public key file, - for standard input', 0, {
      completes: 'file',
    }),
  },
  flags: { ...selectionFlags, ...userFlags, list: listFlag },
  run: async ({ args, flags }, ctx) =>
    changeList(args.files, flags, ctx, {
      select: selectUser(args.files, flags, ctx),
      changes: 'missing',
      question: (entries, location) =>
        `Revoke ${entries} in ${location}? Hosts reject it after their next refresh of the list.`,
      would: (entry) => `Would revoke ${entry}.`,
      done: (entry) => `Revoked ${entry}.`,
      unchanged: (entry) => `Already revoked: ${entry}.`,
      next: (version) => [
        text(
          `Hosts apply version ${version} of the list at their next `,
          code('lanyard ssh trust --revoked FILE'),
          '.',
        ),
      ],
    }),
});

/** With `--user`: selects what the record has of a user, instead of files and flags. @throws LanyardError usage */
function selectUser(
  files: readonly string[],
  flags: Values<typeof selectionFlags & typeof userFlags>,
  ctx: Context,
): (() => Promise<readonly RevokedEntry[]>) | undefined {
  const { user, record, auditLog, serial, keyId, fingerprint } = flags;
  if (user === undefined) {
    if (record === undefined && auditLog.length === 0) return undefined;
    throw usage('--record and --audit-log require --user');
  }
  if (files.length + serial.length + keyId.length + fingerprint.length > 0)
    throw usage('--user cannot be combined with FILE, --serial, --key-id or --fingerprint');
  return () => entriesOfUser({ ...flags, user }, ctx);
}
