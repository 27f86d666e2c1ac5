import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReleaseInfo } from './build.ts';
import { contentChecks } from './check-contents.ts';
import { programChecks } from './check-programs.ts';
import { missing, say } from './tools.ts';

/** A release that is checked. */
export interface Checked extends ReleaseInfo {
  /** Folder of the release, absolute. */
  readonly folder: string;
  /** Folder for temporary files. */
  readonly work: string;
}

export interface Check {
  readonly title: string;
  /** Files of the release that it reads. */
  readonly files?: readonly string[];
  /** Programs that it needs. */
  readonly tools?: readonly string[];
  readonly needsRoot?: boolean;
  /** @throws Error: what is wrong; Skip: what is missing */
  run(): void | Promise<void>;
}

/** A check that cannot run here. */
export class Skip extends Error {}

/**
 * Runs the acceptance checks on a release and prints a line for each. A check whose tools or files are missing is
 * skipped; with LANYARD_REQUIRE=all, it fails.
 *
 * @returns whether no check failed
 */
export async function check(info: ReleaseInfo, folder: string): Promise<boolean> {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist: run npm run release first`);
  const work = mkdtempSync(join(tmpdir(), 'lanyard-release-check-'));
  const count = { passed: 0, failed: 0, skipped: 0 };
  try {
    const checked: Checked = { ...info, folder, work };
    for (const each of [...contentChecks(checked), ...programChecks(checked)]) {
      const result = await resultOf(each, folder);
      const name =
        process.env.LANYARD_REQUIRE === 'all' && result.name === 'skipped' ? 'failed' : result.name;
      count[name]++;
      say(`${name}  ${each.title}${result.why ? `: ${result.why}` : ''}`);
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  say('not run here: the programs for macOS and Windows (see docs/release.md)');
  say(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed === 0;
}

interface Result {
  readonly name: 'passed' | 'failed' | 'skipped';
  readonly why?: string;
}

async function resultOf({ files = [], tools = [], needsRoot, run }: Check, folder: string): Promise<Result> {
  const absent = files.filter((name) => !existsSync(join(folder, name)));
  if (absent.length > 0) return { name: 'skipped', why: `the release has no ${absent.join(', ')}` };
  const lacking = missing(tools);
  if (lacking.length > 0) return { name: 'skipped', why: `${lacking.join(', ')} missing` };
  if (needsRoot && process.getuid?.() !== 0) return { name: 'skipped', why: 'needs root for chroot' };
  try {
    await run();
    return { name: 'passed' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name: error instanceof Skip ? 'skipped' : 'failed', why };
  }
}
