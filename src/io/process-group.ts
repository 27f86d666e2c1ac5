import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: string;
  /** A letter: T for a stopped process. */
  readonly state: string;
}

/** Finds the processes that a child has started, and itself. */
export type FindMembers = (child: number) => Promise<readonly number[]>;

/**
 * Whether a process of a group runs. A process that has ended and that its parent has not collected (a zombie) does not
 * count where the system lists processes in /proc: in a container it may stay for ever.
 */
export async function isGroupRunning(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  const all = await processesInProc();
  return all === undefined || all.some((each) => each.group === group);
}

/**
 * Finds members among the processes of this process's own group, which a child on a terminal must share: those that
 * were not there at the time of this call, and descend from the child or from none that was.
 */
export async function newMembers(): Promise<FindMembers> {
  const { own } = await ownGroup();
  const before = new Set(own.map(({ pid }) => pid));
  return async (child) => {
    const { own: now, byId } = await ownGroup();
    const group = byId.get(process.pid)?.group;
    const isMember = (pid: number): boolean => {
      if (pid === child) return true;
      // The first process of a container is the parent of all whose parent has ended.
      if (before.has(pid)) return pid === process.pid && pid === 1;
      const found = byId.get(pid);
      return found?.group !== group || isMember(found?.parent ?? 0);
    };
    return now.map(({ pid }) => pid).filter((pid) => !before.has(pid) && isMember(pid));
  };
}

/** The processes of a group. */
export async function groupMembers(group: number): Promise<readonly number[]> {
  return (await processes()).filter((each) => each.group === group).map(({ pid }) => pid);
}

/**
 * Whether all of these processes are stopped; false: one of them runs or has ended. A process that starts another one
 * (`vfork`) waits for it, and stops as soon as the other one continues.
 */
export async function areStopped(ids: readonly number[]): Promise<boolean> {
  const all = await processes();
  const stopped = all.filter(({ state }) => state === 'T');
  const parents = new Set(stopped.map(({ parent }) => parent));
  const waiting = all.filter(({ pid, state }) => state === 'D' && parents.has(pid));
  const halted = new Set([...stopped, ...waiting].map(({ pid }) => pid));
  return ids.every((id) => halted.has(id));
}

/**
 * Whether no shell waits for this process's own group: none of its processes has a parent in the same session and
 * outside of the group. If the group stops, nothing continues it.
 */
export async function isOwnGroupOrphaned(): Promise<boolean> {
  const { own, byId } = await ownGroup();
  return own.every(({ parent, group, session }) => {
    const found = byId.get(parent);
    return found === undefined || found.group === group || found.session !== session;
  });
}

const processes = async (): Promise<readonly Process[]> =>
  (await processesInProc()) ?? (await processesOfPs());

async function ownGroup() {
  const all = await processes();
  const byId = new Map(all.map((each) => [each.pid, each]));
  const own = byId.get(process.pid)?.group;
  return { byId, own: all.filter(({ group }) => group === own) };
}

/** All processes but zombies; undefined: the system has no /proc. */
async function processesInProc(): Promise<readonly Process[] | undefined> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (ids.length === 0) return undefined;
  const all = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      // The fields after the name: state, parent, group, session.
      const [state = '', parent, group, session = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' ? [] : processOf([id, parent, group], session, state);
    }),
  );
  return all.flat();
}

/** The same by the program that macOS and BSD have; none if it is missing. */
async function processesOfPs(): Promise<readonly Process[]> {
  const listed = await new Promise<string>((done) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,sess=,stat='], (_error, stdout) => done(stdout));
  });
  return listed.split('\n').flatMap((line) => {
    const [pid, parent, group, session = '', state = ''] = line.trim().split(/\s+/);
    return state === '' ? [] : processOf([pid, parent, group], session, state.charAt(0));
  });
}

/** A process; none for a zombie. */
function processOf(ids: readonly (string | undefined)[], session: string, state: string): readonly Process[] {
  const [pid = 0, parent = 0, group = 0] = ids.map(Number);
  return /^[ZXx]/.test(state) ? [] : [{ pid, parent, group, session, state }];
}
