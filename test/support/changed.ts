import { execFileSync } from 'node:child_process';
import { root } from './sources.ts';

const gitIn =
  (cwd: string) =>
  (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * The files that differ from the commit where this branch left the main branch, and on the main branch from the commit
 * before, with those that are not committed. Undefined: unknown, as there is no git, or not enough history.
 */
export function changedFiles(folder = root): readonly string[] | undefined {
  const git = gitIn(folder);
  try {
    // The remote one first: a local one may be old.
    const names = ['refs/remotes/origin/main', 'refs/heads/main'];
    const [main = ''] = git('for-each-ref', '--sort=-refname', '--format=%(refname)', ...names).split('\n');
    const fork = git('merge-base', 'HEAD', main);
    const base = fork === git('rev-parse', 'HEAD') ? 'HEAD^' : fork;
    const changed = git('diff', '--name-only', '--no-renames', base);
    const added = git('ls-files', '--others', '--exclude-standard');
    return `${changed}\n${added}`.split('\n').filter((path) => path !== '');
  } catch {
    return undefined;
  }
}

/**
 * A number that is one larger for each commit on a branch, so that three commits have all remainders of 3; undefined:
 * there is no git. With a part of the history only, it is as good as random.
 */
export function commitNumber(folder = root): number | undefined {
  const git = gitIn(folder);
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true')
      return Number.parseInt(git('rev-parse', '--short=8', 'HEAD'), 16);
    return Number(git('rev-list', '--count', '--first-parent', 'HEAD'));
  } catch {
    return undefined;
  }
}
