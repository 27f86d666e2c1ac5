import { command } from '../../../command/command.ts';
import { checkTtl } from '../../../command/lock-flags.ts';
import { flagsOf, givenFields } from '../../../command/object-flags.ts';
import { hintFor, isKind } from '../../../errors.ts';
import { type SessionFields, session } from '../../../objects/registry-session.ts';
import { code, textResult } from '../../../output/document.ts';
import { writeDatacenterFlag } from '../lib/kv.ts';
import { checkLockDelay, describeMissingNode } from '../lib/session.ts';

export default command({
  description:
    'A session holds locks of keys ("lanyard registry kv put --acquire"). It ends when it is deleted, when it is not renewed within its TTL, or when one of its health checks is critical. "lanyard registry lock" creates, renews and deletes a session itself.',
  examples: [
    'lanyard registry session create --name backup --ttl 1h',
    'SESSION=$(lanyard registry session create --ttl 1h --behavior delete --field ID)',
  ],
  service: 'registry',
  writes: true,
  flags: {
    ...flagsOf(session),
    dc: writeDatacenterFlag,
  },
  async run({ flags }, ctx) {
    const given: SessionFields = givenFields(session, flags);
    if (given.TTL !== undefined) checkTtl(given.TTL);
    if (given.LockDelay !== undefined) checkLockDelay(given.LockDelay);
    const registry = await ctx.api.registry();
    const { body } = await registry
      .createSession({ ...given, dc: flags.dc })
      .catch(
        hintFor(isKind('unknown'), 'Run `lanyard registry session list` to find a session that was created.'),
      )
      .catch(describeMissingNode);
    return textResult(body, 'Created session ', code(body.ID), '.');
  },
});
