import type { SecretsClient } from '../../api/secrets.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { onlyObject } from '../../command/read-fields.ts';
import { conflict, LanyardError } from '../../errors.ts';
import { changedByText, diffThreeWay, formatPath, isEqual, mergeThreeWay } from '../../output/diff.ts';
import { code, textResult } from '../../output/document.ts';
import { maskValues } from './lib/mask-values.ts';
import { writePairs, writeResult } from './lib/pairs.ts';
import { mountFlag, pathArg, requireSecret, type SecretPath } from './lib/secret-path.ts';
import { type Pairs, readSecret, type State } from './lib/secret-state.ts';

export default command({
  description:
    'Opens the secret as YAML in $VISUAL, $EDITOR or vi. Nothing is written if the text is unchanged or empty, or if the editor fails. Concurrent changes are merged; on a conflict nothing is written and the text is kept in XDG_RUNTIME_DIR, else TMPDIR.',
  examples: ['lanyard kv edit secret/app/db', "EDITOR='code --wait' lanyard kv edit secret/app/db"],
  service: 'secrets',
  writes: 'after reads',
  handlesSignals: true,
  args: { path: pathArg },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const secretPath = await requireSecret(secrets, args.path, flags.mount);
    const first = await readSecret(secrets, secretPath);
    maskValues(ctx.output, first.pairs);
    const head = `# Secret ${JSON.stringify(secretPath.name)}. If the text is unchanged or empty, nothing is written.\n`;
    const content = head + (await ctx.input.yamlEditor.stringify(first.pairs));
    const edited = await ctx.input.yamlEditor.edit(content);
    if (edited === undefined) return unchanged(secretPath);
    const object = { service: 'secrets', name: secretPath.name } as const;
    try {
      const text = await ctx.input.yamlEditor.parse(edited, 'the edited text');
      const pairs: Pairs = onlyObject(text, 'secret');
      if (isEqual(first.pairs, pairs)) return unchanged(secretPath);
      const { body, written } = await writeEdited(secrets, secretPath, first, pairs, ctx);
      await ctx.input.yamlEditor.noteSaved(object);
      return writeResult(secretPath, body, first.pairs, written);
    } catch (error) {
      const { namespace } = await ctx.api.settings('secrets');
      const path = displayPath(args.path, flags.mount, namespace);
      throw await ctx.input.yamlEditor.saveAfterFailure(
        error,
        edited,
        object,
        () => `. Run "lanyard kv edit ${path}" to edit the secret again; a successful edit removes the file.`,
      );
    }
  },
});

const unchanged = ({ name }: SecretPath) => textResult(null, 'Secret ', code(name), ' is unchanged.');

const displayPath = (path: string, mount: string | undefined, namespace: string | undefined): string =>
  [path, mount && `--mount ${mount}`, namespace && `--namespace ${namespace}`].filter(Boolean).join(' ');

const maxAttempts = 20;

/**
 * Writes the edited pairs with check-and-set against the version that was read. After concurrent changes they are merged,
 * unless both changed the same pairs. Version 1 has no check-and-set: the secret is compared just before the write.
 */
async function writeEdited(
  secrets: SecretsClient,
  secretPath: SecretPath,
  first: State,
  edited: Pairs,
  ctx: Context,
) {
  let existing = first;
  for (let attempts = 1; ; attempts += 1) {
    const pairs = mergeThreeWay(first.pairs, edited, existing.pairs) as Pairs;
    let next: State | undefined;
    if (secretPath.version === 1) {
      const now = await readSecret(secrets, secretPath);
      if (!isEqual(now.pairs, existing.pairs)) next = now;
    }
    if (!next) {
      try {
        const response = await writePairs(secrets, secretPath, pairs, existing.version);
        if (attempts > 1) ctx.output.note('The secret was changed concurrently; the changes were merged.');
        return { body: response?.body, written: pairs };
      } catch (error) {
        if (!(error instanceof LanyardError) || error.kind !== 'conflict') throw error;
        next = await readSecret(secrets, secretPath);
      }
    }
    const changes = diffThreeWay(existing.pairs, pairs, next.pairs);
    if (changes.some(({ by }) => by === 'conflict') || attempts === maxAttempts)
      throw conflict(`cannot write ${secretPath.name}: changed concurrently; nothing was written`, {
        service: 'secrets',
        details: changes.map(({ path, by }) => `${formatPath(path)}: ${changedByText[by]}`),
      });
    existing = next;
  }
}
