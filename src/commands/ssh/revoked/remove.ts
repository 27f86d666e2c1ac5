import { arg, command } from '../../../command/command.ts';
import { changeList } from '../lib/revoked/change.ts';
import { listFlag } from '../lib/revoked/location.ts';
import { selectionFlags } from '../lib/revoked/selection.ts';

export default command({
  description:
    'Undoes "lanyard ssh revoke": hosts accept the certificates and keys again after their next refresh. Prompts first.',
  examples: [
    'lanyard ssh revoked remove id_ed25519.pub --list registry:ssh/revoked',
    'lanyard ssh revoked remove --key-id ada --ca any --list revoked.krl',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['files', 'registry kv', 'secrets'],
  args: {
    files: arg.rest('CERT|KEY', 'certificate or public key file, - for standard input', 0, {
      completes: 'file',
    }),
  },
  flags: { ...selectionFlags, list: listFlag },
  run: async ({ args, flags }, ctx) =>
    changeList(args.files, flags, ctx, {
      changes: 'present',
      question: (entries, location) =>
        `Remove ${entries} from ${location}? Hosts accept it again after their next refresh of the list.`,
      would: (entry) => `Would remove ${entry}.`,
      done: (entry) => `Removed ${entry}.`,
      unchanged: (entry) => `Not in the list: ${entry}.`,
      next: () => [],
    }),
});
