import { command, flag } from '../../../command/command.ts';
import { LanyardError } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { writeDatacenterFlag } from '../lib/kv.ts';
import { checkLockDelay, checkTtl, describeMissingNode } from '../lib/session.ts';

export default command({
  description:
    'A session holds locks of keys ("lanyard registry kv put --acquire"). It ends when it is deleted, when it is not renewed within its TTL, or when one of its health checks is critical. "lanyard registry lock" creates, renews and deletes a session itself.',
  examples: [
    'lanyard registry session create --name backup --ttl 1h',
    'SESSION=$(lanyard registry session create --ttl 1h --behavior delete --field ID)',
  ],
  service: 'registry',
  writes: true,
  args: {},
  flags: {
    name: flag.name('NAME', 'name of the session; several may have the same'),
    ttl: flag.duration('lifetime of the session without a renewal, 10s to 24h (default: unlimited)'),
    lockDelay: flag.duration(
      'how long its keys cannot be locked after the session ended, up to 60s (default 15s)',
    ),
    behavior: flag.choice(
      ['release', 'delete'],
      'what happens to its keys when the session ends (default release)',
    ),
    node: flag.name('NAME', 'node of the session (default: that of the agent)', {
      completes: { live: 'registry-node' },
    }),
    nodeCheck: flag.texts(
      'CHECK',
      'ID of a health check of the node that ends the session; repeatable (default serfHealth)',
    ),
    serviceCheck: flag.texts('CHECK', 'ID of a health check of a service that ends the session; repeatable'),
    dc: writeDatacenterFlag,
  },
  async run({ flags }, ctx) {
    const { ttl, lockDelay, nodeCheck, serviceCheck } = flags;
    if (ttl !== undefined) checkTtl(ttl);
    if (lockDelay !== undefined) checkLockDelay(lockDelay);
    const registry = await ctx.api.registry();
    const { body } = await registry
      .createSession(
        compact({
          Name: flags.name,
          Node: flags.node,
          TTL: ttl,
          LockDelay: lockDelay,
          Behavior: flags.behavior,
          NodeChecks: nodeCheck.length > 0 ? nodeCheck : undefined,
          ServiceChecks: serviceCheck.length > 0 ? serviceCheck.map((ID) => ({ ID })) : undefined,
          dc: flags.dc,
        }),
      )
      .catch((error: unknown) => {
        throw error instanceof LanyardError && error.kind === 'unknown'
          ? error.withHint('Run `lanyard registry session list` to find a session that was created.')
          : error;
      })
      .catch(describeMissingNode);
    return { data: body, document: [text('Created session ', code(body.ID), '.')] };
  },
});
