import { arg, command } from '../../command/command.ts';
import { code, text } from '../../output/document.ts';
import { changeList } from './lib/revoked/change.ts';
import { listFlag } from './lib/revoked/location.ts';
import { selectionFlags } from './lib/revoked/selection.ts';

export default command({
  description:
    'Adds to an OpenSSH key revocation list: a certificate by its serial number; a key with all of its certificates; the public key of a CA with everything that it signed. Hosts reject them after the next "lanyard ssh trust --revoked". Prompts first.',
  examples: [
    'lanyard ssh revoke ~/.ssh/id_ed25519-cert.pub --list registry:ssh/revoked',
    'lanyard ssh revoke --serial 0x3f2a91d07c55e1b8 --list registry:ssh/revoked',
    'lanyard ssh revoke --key-id ada --ca any --list secrets:secret/ssh/revoked',
    'lanyard ssh revoke id_ed25519.pub --list revoked.krl',
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
