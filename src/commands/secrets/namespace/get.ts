import { command } from '../../../command/command.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { findNamespace, namespaceArg, namespaceName } from '../lib/namespaces.ts';
import { pairsText } from '../lib/tokens.ts';

export default command({
  examples: ['lanyard secrets namespace get shop', 'lanyard secrets namespace get frontend -n shop -o json'],
  service: 'secrets',
  args: { namespace: namespaceArg },
  async run({ args }, ctx) {
    const namespace = await findNamespace(await ctx.api.secrets(), namespaceName(args.namespace));
    return fieldsResult(namespace, [
      ['path', strong(namespace.path)],
      ['ID', namespace.id],
      ['metadata', pairsText(namespace.custom_metadata) ?? null],
      ...(namespace.locked === true ? [['locked', 'yes'] as const] : []),
    ]);
  },
});
