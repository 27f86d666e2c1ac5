import { isTokenWithoutRules } from '../../api/conditions/registry.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { raw } from '../../output/document.ts';

/** Maximum size of rules in bytes. */
const maxBytes = 4 * 1024 * 1024;

export default command({
  description:
    'Prints ACL rules from before Consul 1.4 in the current syntax: from FILE, or from a legacy token. Nothing is changed. Consul 1.11 and later do not support this.',
  examples: [
    'lanyard acl translate-rules legacy.hcl > rules.hcl',
    'lanyard acl translate-rules --accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11',
  ],
  service: 'registry',
  args: { file: arg.optional('FILE|-', 'rules; - for standard input (default -)', { completes: 'file' }) },
  flags: { accessor: flag.text('ID', 'accessor ID of a legacy token: translate its rules') },
  async run({ args, flags }, ctx) {
    if (args.file !== undefined && flags.accessor !== undefined)
      throw usage('FILE cannot be combined with --accessor');
    const translated =
      flags.accessor === undefined
        ? translateFile(args.file ?? '-', ctx)
        : (await ctx.api.registry()).translateTokenRules({ accessor_id: flags.accessor });
    const { body } = await translated.catch(describeError);
    return { data: body, document: [raw(body === '' || body.endsWith('\n') ? body : `${body}\n`)] };
  },
});

async function translateFile(file: string, ctx: Context) {
  const bytes =
    file === '-' ? await ctx.input.readStdin() : await ctx.files.readBytes(file, 'the rules', maxBytes);
  const content = new TextDecoder().decode(bytes);
  if (content.trim() === '') throw usage(`${file === '-' ? 'standard input' : file} contains no rules`);
  return (await ctx.api.registry()).translateRules({ content });
}

const hints: Readonly<Record<number, string>> = {
  404: 'Consul 1.11 and later do not support this: the legacy ACL system was removed.',
  500: 'Only legacy tokens have rules; other tokens have policies.',
};

function describeError(error: unknown): never {
  if (!(error instanceof LanyardError)) throw error;
  const isOther = error.status === 500 && !isTokenWithoutRules(error);
  const hint = isOther ? undefined : hints[error.status ?? 0];
  throw hint === undefined ? error : error.withHint(hint);
}
