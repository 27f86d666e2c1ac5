import { command, flag } from '../../../command/command.ts';
import { confirmWrite, usage } from '../../../errors.ts';
import { diff, isEqual, updatedResult } from '../../../output/diff.ts';
import { findNamespace, namespaceArg, namespaceName } from '../lib/namespaces.ts';

export default command({
  description: 'Metadata that is not given is unchanged.',
  examples: [
    'lanyard secrets namespace update shop --custom-metadata owner=web',
    'lanyard secrets namespace update shop --remove-custom-metadata owner',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { namespace: namespaceArg },
  flags: {
    customMetadata: flag.map('K=V', 'metadata to set; repeatable'),
    removeCustomMetadata: flag.texts('KEY', 'metadata to remove; repeatable'),
  },
  async run({ args, flags }, ctx) {
    const name = namespaceName(args.namespace);
    const { removeCustomMetadata: removed } = flags;
    const custom_metadata = {
      ...flags.customMetadata,
      ...Object.fromEntries(removed.map((key) => [key, null])),
    };
    if (Object.keys(custom_metadata).length === 0)
      throw usage('nothing to update: specify --custom-metadata or --remove-custom-metadata');
    const both = removed.find((key) => Object.hasOwn(flags.customMetadata ?? {}, key));
    if (both !== undefined) throw usage(`metadata "${both}" cannot be set and removed`);
    const secrets = await ctx.api.secrets();
    const before = await findNamespace(secrets, name);
    const after = Object.fromEntries(
      Object.entries({ ...before.custom_metadata, ...custom_metadata }).filter(([, value]) => value !== null),
    );
    const response = await confirmWrite(
      () => secrets.patchNamespace({ name, custom_metadata }),
      async () => ({
        done: isEqual((await findNamespace(secrets, name)).custom_metadata ?? {}, after),
        found: 'the namespace has other metadata',
      }),
    );
    if (!response) ctx.output.warn('the response was lost, but the namespace was updated');
    const namespace = response?.body.data ?? (await findNamespace(secrets, name));
    return updatedResult('namespace', namespace.path, { path: namespace.path }, diff(before, namespace));
  },
});
