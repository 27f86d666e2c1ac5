import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { bad, listResult, warn } from '../../output/document.ts';
import { defaultKeys } from './lib/mount.ts';
import { certificateData, certificateView, keyView } from './lib/views.ts';

export default command({
  description:
    'Reads a certificate, a public key or a private key locally; nothing is sent. With --lint it reports problems: no or wildcard principals, no expiry, expires soon, SHA-1 signature, weak key, or rejected by OpenSSH.',
  examples: [
    'lanyard ssh inspect ~/.ssh/id_ed25519-cert.pub',
    'lanyard ssh inspect - < cert.pub',
    'lanyard ssh inspect --lint -o jsonl',
  ],
  args: {
    file: arg.optional('FILE|-', 'key or certificate file (default: certificate of your default key)', {
      completes: 'file',
    }),
  },
  flags: { lint: flag.boolean('report problems; exit code 1 if one is an error') },
  async run({ args, flags }, ctx) {
    const keys = await ctx.ssh.keys();
    const name = args.file ?? (await defaultCertificate(ctx));
    const content =
      name === '-'
        ? (await ctx.input.readStdin()).toString('utf8')
        : await ctx.files.readText(name, 'the key or certificate');
    const found = await keys.inspect(content, name === '-' ? 'standard input' : name);
    if (flags.lint) {
      const findings = await keys.lint(found, ctx.system.clock().getTime() / 1000);
      return {
        ...listResult(findings, 'No problems found.', {
          SEVERITY: ({ severity }) => (severity === 'error' ? bad(severity) : warn(severity)),
          RULE: ({ rule }) => rule,
          FINDING: { mayOverflow: true, cell: ({ message }) => message },
        }),
        exitCode: findings.some(({ severity }) => severity === 'error') ? 1 : 0,
      };
    }
    if (found.what === 'certificate') {
      return {
        data: certificateData(found.certificate, ctx.system.clock()),
        document: certificateView(found.certificate, ctx.system.clock()),
      };
    }
    if (found.what === 'private key') {
      const protection = found.encrypted
        ? 'private key, with a passphrase'
        : 'private key, without a passphrase';
      return {
        data: { what: found.what, encrypted: found.encrypted, ...(found.key ?? {}) },
        document: keyView(protection, found.key),
      };
    }
    return { data: { what: found.what, ...found.key }, document: keyView('public key', found.key) };
  },
});

async function defaultCertificate(ctx: Context): Promise<string> {
  for (const name of defaultKeys) {
    const path = `${ctx.system.home}/.ssh/${name}-cert.pub`;
    if (await ctx.files.exists(path)) return path;
  }
  throw usage(`no certificate found (${ctx.system.home}/.ssh/id_{ed25519,ecdsa,rsa}-cert.pub)`, {
    hint: 'Specify a file, or run `lanyard ssh sign ROLE` to get a certificate.',
  });
}
