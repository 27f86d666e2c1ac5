import { readdir, readFile } from 'node:fs/promises';

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
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (ids.length === 0) return true;
  for (const id of ids) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    // The fields after the name: state, parent, group.
    const [state = '', , ofGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (ofGroup === String(group) && !/^[ZXx]$/.test(state)) return true;
  }
  return false;
}
