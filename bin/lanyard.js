#!/usr/bin/env node
// Runs on whatever Node the host has: no import statement, and no syntax that Node 12.20 does not read.
// Where Node is new enough, built-in modules are taken by getBuiltinModule, which costs less than an import.

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  // Set by the hand-over, and not meant for the programs that Lanyard starts.
  delete process.env.LANYARD_HANDED_OVER;
  const cache = cacheDirectory();
  if (cache) process.getBuiltinModule('node:module').enableCompileCache(cache);
  start(process.getBuiltinModule('node:module').createRequire(import.meta.url));
} else {
  import('./hand-over.js').then(({ handOver }) => handOver('22.19', process.argv.slice(2)));
}

async function start(require) {
  const { cli } = load(require);
  process.exitCode = await cli();
  // All output is written by now. A handle that is still open (a kept-alive connection, a stream that nobody
  // reads) may not keep the caller waiting.
  setTimeout(() => process.exit(), 50).unref();
}

function load(require) {
  try {
    return require('../dist/cli/cli.js');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || error.requireStack.length > 1) throw error;
    return { cli: notBuilt };
  }
}

async function notBuilt() {
  process.stderr.write(
    'lanyard is not built: dist/cli/cli.js is missing. Run "npm run build" in its folder.\n',
  );
  return 1;
}

/**
 * The user's own folder for compiled code. What is in it gets run, so it counts only where it belongs to the
 * user and nobody else may write to it; without one, Lanyard starts a little slower.
 */
function cacheDirectory() {
  if (process.env.LANYARD_CACHE === 'off') return undefined;
  const { existsSync, mkdirSync, statSync } = process.getBuiltinModule('node:fs');
  const { join } = process.getBuiltinModule('node:path');
  try {
    // Throws if HOME is not set and the system has no such user.
    const home = cacheHome();
    if (!home) return undefined;
    const directory = join(home, 'lanyard');
    for (const folder of [home, directory]) if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (process.platform === 'win32') return directory;
    const { uid, mode } = statSync(directory);
    return uid === process.geteuid() && (mode & 0o022) === 0 ? directory : undefined;
  } catch {
    return undefined;
  }
}

function cacheHome() {
  const { LOCALAPPDATA: local, XDG_CACHE_HOME: xdg } = process.env;
  if (process.platform === 'win32' && local) return local;
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  if (xdg && isAbsolute(xdg)) return xdg;
  const home = process.getBuiltinModule('node:os').homedir();
  // Empty if HOME is: what is in the current directory must not run.
  return isAbsolute(home) ? join(home, '.cache') : undefined;
}

// Marks the file as an ES module for tools that read it.
export {};
