// For a host whose Node is too old: keeps to syntax that Node 12.20 reads.
import { spawn } from 'node:child_process';
import path from 'node:path';
import tty from 'node:tty';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const runtime = path.join(
  here,
  `../node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`,
);

/**
 * Runs the launcher again, with these arguments, on the runtime that the npm package "node" has put next to
 * it, and ends as that run ends. Says what is needed where there is no such runtime.
 */
export function handOver(needed, argv) {
  if (process.env.LANYARD_HANDED_OVER) return refuse(needed);
  const child = spawn(runtime, [...process.execArgv, path.join(here, 'lanyard.js'), ...argv], {
    stdio: 'inherit',
    env: { ...process.env, LANYARD_HANDED_OVER: '1' },
  });
  child.on('error', () => refuse(needed));
  // A terminal sends its interrupt to both processes; one that came to this process alone goes on from here.
  const interrupt = [0, 1, 2].some(tty.isatty) ? () => {} : () => child.kill('SIGINT');
  const signals = {
    SIGINT: interrupt,
    SIGTERM: () => child.kill('SIGTERM'),
    SIGHUP: () => child.kill('SIGHUP'),
  };
  for (const [name, pass] of Object.entries(signals)) process.on(name, pass);
  child.on('exit', (code, signal) => {
    for (const [name, pass] of Object.entries(signals)) process.removeListener(name, pass);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function refuse(needed) {
  process.stderr.write(
    `lanyard needs Node.js ${needed} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer Node.js and put it first in PATH. In a checkout, "npm ci" brings one along.\n',
  );
  process.exitCode = 1;
}
