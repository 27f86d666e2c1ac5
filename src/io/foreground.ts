import { closeSync, openSync, readFileSync } from 'node:fs';

/** Whether this process has a controlling terminal. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether this process is in the foreground of a terminal: the terminal sends ^C to each process of its group, also to
 * children. Where the system does not say which group that is, a process with a controlling terminal counts.
 */
export function isForegroundOfTerminal(): boolean {
  if (!hasTerminal()) return false;
  try {
    // The fields after the name: state, parent, group, session, terminal, foreground group of the terminal.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foregroundGroup;
  } catch {
    return true;
  }
}
