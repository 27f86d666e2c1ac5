import { hasChildNamespaces } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { command, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmDelete, describeAs, unlessNotFound } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { findNamespace, namespaceArg, namespaceName } from '../lib/namespaces.ts';

const pollMs = 200;
const maxPolls = 10;

export default command({
  description:
    'Its secrets engines, auth methods, policies and tokens are deleted too. Waits up to 2 s for the deletion to finish. Prompts for confirmation.',
  examples: [
    'lanyard secrets namespace delete frontend -n shop',
    'lanyard secrets namespace delete shop --yes',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { namespace: namespaceArg },
  async run({ args }, ctx) {
    const name = namespaceName(args.namespace);
    const secrets = await ctx.api.secrets();
    const { path } = await findNamespace(secrets, name);
    await ctx.input.confirm(
      `Delete namespace "${path}" with its secrets engines, auth methods, policies and tokens? This cannot be undone.`,
    );
    const response = await confirmDelete(
      () =>
        secrets.deleteNamespace({ name }).catch(
          describeAs(
            hasChildNamespaces,
            'conflict',
            `cannot delete namespace "${path}": it has namespaces below it`,
            {
              hint: `Delete those first: \`lanyard secrets namespace list -n ${path.replace(/\/$/, '')}\`.`,
            },
          ),
        ),
      () => secrets.readNamespace({ name }),
      'the namespace',
    );
    showWarnings(ctx.output, response?.body);
    // OpenBao deletes after the response.
    const status = (await waitUntilMissing(secrets, name, ctx)) ? 'deleted' : 'in-progress';
    return {
      data: { path, status },
      document: [
        status === 'deleted'
          ? text('Deleted namespace ', code(path), '.')
          : text('The deletion of namespace ', code(path), ' is in progress.'),
      ],
    };
  },
});

/** Waits a moment for the end of the deletion. @returns whether the namespace is deleted */
async function waitUntilMissing(
  secrets: SecretsClient,
  name: string,
  { system }: Pick<Context, 'system'>,
): Promise<boolean> {
  for (let poll = 0; poll < maxPolls; poll++) {
    if ((await unlessNotFound(secrets.readNamespace({ name }))) === undefined) return true;
    await system.sleep(pollMs);
  }
  return false;
}
