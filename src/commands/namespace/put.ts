import { arg, command } from '../../command/command.ts';
import { flagsOf, unsetFlagFor } from '../../command/object-flags.ts';
import { confirmWrite } from '../../errors.ts';
import { namespace } from '../../objects/namespace.ts';
import { diff, isEqual, writtenResult } from '../../output/diff.ts';
import { fieldsFrom, inFlag, type NamespaceFields, rejectUnknown, writableFields } from './lib/fields.ts';
import { checkName, findNamespace } from './lib/find-namespace.ts';

export default command({
  description:
    'Only the given fields of an existing namespace are updated. --meta, or Meta in a file, replaces all metadata.',
  examples: [
    'lanyard namespace put team-a --description "Shop team" --meta owner=shop',
    'lanyard namespace put team-a --in team-a.yaml --dry-run',
  ],
  service: 'scheduler',
  writes: 'after reads',
  args: {
    name: arg.optional('NAME', 'name of the namespace (default: Name of the file)', {
      completes: 'scheduler-namespace',
    }),
  },
  flags: { ...flagsOf(namespace), unset: unsetFlagFor(namespace), in: inFlag },
  async run({ args, flags }, ctx) {
    if (args.name !== undefined) checkName(args.name);
    const { name, fields } = await fieldsFrom(args.name, flags, ctx);
    const scheduler = await ctx.api.scheduler();
    const found = await findNamespace(scheduler, name);
    await rejectUnknown(fields, flags.in, async () => found ?? findNamespace(scheduler, 'default'));
    // Decoded JSON.
    const before = writableFields((found ?? {}) as NamespaceFields);
    const after = writableFields({ ...before, ...fields, Name: name });
    const isWritten = !isEqual(before, after);
    if (isWritten)
      await confirmWrite(
        () => scheduler.writeNamespace({ ...after, namespace: name, Name: name }),
        async () => {
          const existing = await findNamespace(scheduler, name);
          const done = existing !== undefined && isEqual(writableFields(existing as NamespaceFields), after);
          return { done, found: existing ? 'the stored namespace differs' : 'the namespace does not exist' };
        },
      );
    // A service stores only the fields that it knows. Without read permission, what was sent is shown.
    const stored = isWritten ? await findNamespace(scheduler, name).catch(() => undefined) : undefined;
    const changes = diff(before, stored ? writableFields(stored as NamespaceFields) : after);
    const written = { created: !found, changes };
    return writtenResult('namespace', name, { Name: name }, written);
  },
});
