import { isTokenWithoutRules } from '../../api/conditions.ts';
import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { raw } from '../../output/document.ts';

/** Bytes that rules may have; those of people have thousands. */
const longest = 4 * 1024 * 1024;

export default command({
  description:
    'Gives rules of the access control before 1.4 in the syntax of today: those in FILE, or those of a legacy token. Nothing is changed. Registries from 1.11 on have no translation any more.',
  examples: [
    'lanyard acl translate-rules legacy.hcl > rules.hcl',
    'lanyard acl translate-rules --accessor 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11',
  ],
  service: 'registry',
  args: { file: arg.optional('FILE|-', 'the rules; - is standard input (default -)', { completes: 'file' }) },
  flags: { accessor: flag.text('ID', 'the rules of the legacy token with this accessor ID') },
  async run({ args, flags }, ctx) {
    if (args.file !== undefined && flags.accessor !== undefined)
      throw usage('FILE and --accessor exclude each other');
    const translated =
      flags.accessor === undefined ? ofFile(args.file ?? '-', ctx) : ofToken(flags.accessor, ctx);
    const { body } = await translated.catch(inWords);
    return { data: body, document: [raw(body === '' || body.endsWith('\n') ? body : `${body}\n`)] };
  },
});

async function ofFile(file: string, ctx: Context) {
  const bytes =
    file === '-' ? await ctx.io.readStdin() : await ctx.files.readBytes(file, 'the rules', longest);
  const content = new TextDecoder().decode(bytes);
  if (content.trim() === '') throw usage(`${file === '-' ? 'standard input' : file} has no rules`);
  return (await ctx.api.registry()).translateRules({ content });
}

async function ofToken(accessor_id: string, ctx: Context) {
  return (await ctx.api.registry()).translateTokenRules({ accessor_id });
}

const hints: Readonly<Record<number, string>> = {
  404: 'Registries from 1.11 on have no translation: it went with the legacy access control.',
  500: 'Only a token of the legacy access control has rules of its own; others have policies.',
};

function inWords(error: unknown): never {
  if (!(error instanceof LanyardError)) throw error;
  const isOther = error.status === 500 && !isTokenWithoutRules(error);
  const hint = isOther ? undefined : hints[error.status ?? 0];
  throw hint === undefined ? error : new LanyardError(error.kind, error.message, { ...error, hint });
}
