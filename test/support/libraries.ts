import { spawnSync } from 'node:child_process';

/** The libraries that every Linux system with a package manager has. */
export const usualLibraries = /^(linux-vdso|ld-linux[\w-]*|lib(c|m|dl|pthread|stdc\+\+|gcc_s))\.so/;

/** The shared libraries that the loader gives to a Linux program, by file name; the program is not run. */
export function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync(program, { env: { LD_TRACE_LOADED_OBJECTS: '1' }, encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\S+)/.exec(line)?.[1])
    .filter((name) => name !== undefined)
    .map((name) => name.slice(name.lastIndexOf('/') + 1));
}
