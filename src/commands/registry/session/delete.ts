import { command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { writeDatacenterFlag } from '../lib/kv.ts';
import { findSession, sessionArg } from '../lib/session.ts';

export default command({
  description:
    'With the behavior "delete", the keys are deleted. Another session can lock the keys after the lock delay.',
  examples: ['lanyard registry session delete adf4238a-882b-9ddc-4a9d-5b6758e4159e --yes'],
  service: 'registry',
  writes: 'after reads',
  changes: ['registry kv'],
  args: { id: sessionArg },
  flags: { dc: writeDatacenterFlag },
  async run({ args: { id }, flags }, ctx) {
    const dc = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    // The registry deletes a missing session successfully.
    const session = await findSession(registry, id, dc);
    const named = session.Name ? `${id} (${session.Name})` : id;
    const effect = session.Behavior === 'delete' ? 'Its keys are deleted' : 'Its locks are released';
    return deleteObject(ctx, 'session', id, {
      prompt: `Delete session ${named}? ${effect}.`,
      remove: () => registry.deleteSession({ session: id, ...dc }),
      read: () => findSession(registry, id, dc),
      isMissing: isNotFound,
      data: () => session,
    });
  },
});
