import { command } from '../../command.ts';
import { settle } from '../../errors.ts';
import { changes, same } from '../../output/changes.ts';
import { fieldFlags, fieldsFrom, type Members, rejectUnknown, writable } from './fields.ts';
import { checkName, find, nameArg } from './shared.ts';
import { writtenView } from './views.ts';

export default command({
  description:
    'Creates the namespace or updates the given fields; other fields are kept. --meta, or Meta in a file, replaces all metadata.',
  examples: [
    'lanyard namespace put team-a --description "Shop team" --meta owner=shop',
    'lanyard namespace put team-a --in team-a.yaml --dry-run',
  ],
  service: 'scheduler',
  writes: true,
  readsFirst: true,
  args: { name: nameArg },
  flags: fieldFlags,
  async run({ args: { name }, flags }, ctx) {
    checkName(name);
    const fields = await fieldsFrom(name, flags, ctx);
    const scheduler = await ctx.api.scheduler();
    const found = await find(scheduler, name);
    await rejectUnknown(fields, flags.in, async () => found ?? find(scheduler, 'default'));
    // Decoded JSON.
    const before = writable((found ?? {}) as Members);
    const after = writable({ ...before, ...fields, Name: name });
    const isWritten = !same(before, after);
    if (isWritten)
      await settle(
        () => scheduler.writeNamespace({ ...after, namespace: name, Name: name }),
        async () => {
          const there = await find(scheduler, name);
          const done = there !== undefined && same(writable(there as Members), after);
          return { done, found: there ? 'the stored namespace differs' : 'the namespace does not exist' };
        },
      );
    // A service stores only the fields that it knows. Without read permission, what was sent is shown.
    const stored = isWritten ? await find(scheduler, name).catch(() => undefined) : undefined;
    const changed = changes(before, stored ? writable(stored as Members) : after);
    return {
      data: { Name: name, created: !found, changes: changed },
      payload: changed,
      document: writtenView(name, !found, changed),
    };
  },
});
