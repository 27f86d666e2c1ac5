import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { root } from './bundle.ts';
import { build } from './release/build.ts';
import { check } from './release/check.ts';
import { run, say } from './release/tools.ts';

// npm run release [-- ARTEFACT...]: writes dist/release/VERSION, with all artefacts or those that are named.
// npm run release -- --check: checks the files. docs/release.md describes both.

const { version, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const output = join(root, 'dist/release', version);
const [, , ...args] = process.argv;
const flags = args.filter((arg) => arg.startsWith('-'));
if (flags.some((flag) => flag !== '--check')) throw new Error(`unknown flags: ${flags.join(' ')}`);
if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('a release needs Linux on x64');
setPriority(10);

const git = (...args: string[]) => run('git', args, { cwd: root }).trim();
const info = {
  version,
  revision: git('rev-parse', 'HEAD'),
  seconds: Number(process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct')),
  maintainer: process.env.LANYARD_MAINTAINER || author || 'Lanyard maintainers <maintainers@lanyard.invalid>',
  address: process.env.LANYARD_RELEASE_URL?.replace(/\/$/, ''),
  only: args.filter((arg) => !arg.startsWith('-')),
};
if (flags.length > 0) {
  process.exitCode = (await check(info, output)) ? 0 : 1;
} else {
  if (git('status', '--porcelain') !== '')
    say('note: the working tree has changes that are not in the commit');
  await build(info, output);
  say(output);
}
