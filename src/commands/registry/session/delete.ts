import { command } from '../../../command/command.ts';
import { confirmDelete, isNotFound } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { writeDatacenterFlag } from '../lib/kv.ts';
import { findSession, sessionArg } from '../lib/session.ts';

export default command({
  description:
    'With the behavior "delete", the keys are deleted. Another session can lock the keys after the lock delay.',
  examples: ['lanyard registry session delete adf4238a-882b-9ddc-4a9d-5b6758e4159e --yes'],
  service: 'registry',
  writes: true,
  readsFirst: true,
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
    await ctx.input.confirm(`Delete session ${named}? ${effect}. This cannot be undone.`);
    await confirmDelete(
      () => registry.deleteSession({ session: id, ...dc }),
      () => findSession(registry, id, dc),
      'the session',
      isNotFound,
    );
    return { data: session, document: [text('Deleted session ', code(id), '.')] };
  },
});
