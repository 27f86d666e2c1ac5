import { command, flag } from '../../../command/command.ts';
import { confirmWrite, conflict, unlessNotFound } from '../../../errors.ts';
import { isEqual } from '../../../output/diff.ts';
import { code, textResult } from '../../../output/document.ts';
import { findNamespace, namespaceArg, namespaceName } from '../lib/namespaces.ts';

export default command({
  description:
    'The path is relative to the namespace of the settings, or of --namespace. The exit code is 6 if it exists.',
  examples: [
    'lanyard secrets namespace create shop --custom-metadata owner=web',
    'lanyard secrets namespace create frontend -n shop',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { namespace: namespaceArg },
  flags: { customMetadata: flag.map('K=V', 'metadata of the namespace; repeatable') },
  async run({ args, flags }, ctx) {
    const name = namespaceName(args.namespace);
    const secrets = await ctx.api.secrets();
    // The service replaces the metadata of an existing one.
    if ((await unlessNotFound(secrets.readNamespace({ name }))) !== undefined)
      throw conflict(`namespace "${name}" already exists`, { service: 'secrets' });
    const custom_metadata = flags.customMetadata;
    const response = await confirmWrite(
      () => secrets.createNamespace({ name, custom_metadata }),
      async () => ({
        done: isEqual((await findNamespace(secrets, name)).custom_metadata ?? {}, custom_metadata ?? {}),
        found: 'the namespace has other metadata',
      }),
    );
    if (!response) ctx.output.warn('the response was lost, but the namespace was created');
    const namespace = response?.body.data ?? (await findNamespace(secrets, name));
    return textResult(namespace, 'Created namespace ', code(namespace.path), '.');
  },
});
