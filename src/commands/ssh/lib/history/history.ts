import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { type LanyardError, usage } from '../../../../errors.ts';
import { recordLocation } from '../record.ts';
import type { Filter, filterFlags } from './filter.ts';
import { type History, readRecord } from './read-record.ts';

/** `--record` of commands that read it. */
export const recordFlag = flag.name(
  'LOCATION',
  'record: registry:PREFIX or secrets:MOUNT/PATH (default: from settings)',
);

/** Where `ssh history` reads from. */
export const historyFlags = {
  record: recordFlag,
  auditLog: flag.texts('FILE|-', 'audit log of the secrets service instead; repeatable', {
    completes: 'file',
  }),
} as const;

type Flags = Values<typeof historyFlags> & Pick<Values<typeof filterFlags>, 'serial'>;

/** A history, and what `select` has left out of it. */
export interface OpenedHistory extends History {
  /** The message if nothing is found: names of other users. */
  readonly others: (user: string | undefined) => string | undefined;
  readonly isOfAuditLog: boolean;
  /** The time of the first certificate, before `select`; undefined: none. */
  readonly begin: () => string | undefined;
}

/** Opens the audit logs or the record. @throws LanyardError usage: neither is given nor in the settings */
export async function openHistory(
  flags: Flags,
  range: Pick<Filter, 'since' | 'until'>,
  ctx: Context,
): Promise<OpenedHistory> {
  const { auditLog, record, serial } = flags;
  if (auditLog.length > 0) {
    if (record !== undefined) throw usage('--audit-log cannot be combined with --record');
    const { readAuditLogs } = await import('./audit-log.ts');
    return observed(await readAuditLogs(auditLog, ctx), true);
  }
  const location = await recordLocation(record, ctx);
  if (location === undefined) throw await noRecordError(ctx);
  return observed(await readRecord(location, range, serial, ctx), false);
}

/** Neither a flag nor the settings have a record. */
export async function noRecordError(ctx: Pick<Context, 'profile'>): Promise<LanyardError> {
  const { profile, withheld } = await ctx.profile.sshDefaults();
  return usage('no record of signed certificates in the settings', {
    details: withheld === undefined ? [] : [withheld],
    hint: `Run \`lanyard profile put ${profile ?? 'NAME'} --ssh-record registry:ssh/record\` to record certificates from now on, or read an audit log with --audit-log FILE.`,
  });
}

/** Names of users for the message that a user has no certificates. */
const maxNames = 5;

function observed({ groups, gaps }: History, isOfAuditLog: boolean): OpenedHistory {
  const users = new Set<string>();
  let begin: string | undefined;
  async function* watched() {
    for await (const group of groups) {
      for (const { time, user } of group) {
        if (begin === undefined || time < begin) begin = time;
        if (user !== undefined && users.size < maxNames) users.add(user);
      }
      yield group;
    }
  }
  return {
    groups: watched(),
    gaps,
    isOfAuditLog,
    begin: () => begin,
    others: (user) =>
      user === undefined || users.size === 0
        ? undefined
        : `No certificates of user ${user}. Users are ${[...users].join(', ')}${users.size === maxNames ? ', ...' : ''}.`,
  };
}
