// Loaded before the program by `node --require`: kills the process just before its n-th change of a file (KILL_AT=n),
// as a power cut would. Of a write, the first half is done.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const killAt = Number(process.env.KILL_AT ?? 0);
delete process.env.KILL_AT;

let changes = 0;

/** Counts a change that is about to be made; the n-th is not made, or by half. */
function change(half) {
  changes += 1;
  if (changes !== killAt) return;
  half?.();
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const realWrite = fs.writeSync;
const halfOf = (fd, data, position) => () => {
  const bytes = Buffer.from(data);
  realWrite(fd, bytes, 0, bytes.length >> 1, position ?? null);
};
const writes = (flags) =>
  typeof flags === 'number' ? (flags & 3) !== 0 : flags !== undefined && !/^r$/.test(flags);

function wrap(owner, name, before) {
  const real = owner[name];
  owner[name] = function (...args) {
    before(...args);
    return real.apply(this, args);
  };
}

for (const name of ['rename', 'link', 'rm', 'unlink', 'mkdir', 'chmod', 'copyFile', 'rmdir', 'truncate']) {
  wrap(fs, `${name}Sync`, () => change());
  wrap(fs.promises, name, () => change());
}
for (const name of ['fsync', 'fchmod', 'ftruncate']) wrap(fs, `${name}Sync`, () => change());
for (const name of ['fsync', 'rename', 'unlink', 'ftruncate', 'write'])
  wrap(fs, name, (fd) => fd !== 1 && fd !== 2 && change());
wrap(fs, 'openSync', (_path, flags) => writes(flags) && change());
wrap(fs.promises, 'writeFile', () => change());
wrap(fs.promises, 'mkdtemp', () => change());
wrap(fs, 'writeSync', (fd, data) => fd > 2 && change(halfOf(fd, data)));
wrap(fs, 'writeFileSync', () => change());

const realOpen = fs.promises.open;
fs.promises.open = async function (path, flags, ...more) {
  if (!writes(flags)) return realOpen.call(this, path, flags, ...more);
  change();
  const file = await realOpen.call(this, path, flags, ...more);
  for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate', 'chmod'])
    wrap(file, name, () => change());
  wrap(file, 'writev', (chunks, position) => change(halfOf(file.fd, Buffer.concat(chunks), position)));
  return file;
};

syncBuiltinESMExports();
