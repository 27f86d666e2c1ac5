// Run as a program on a terminal: asks as its first argument says, and tells what it got.
import { LanyardError } from '../../../src/errors.ts';
import { createTerminalIo } from '../../../src/io/terminal.ts';

const [what, ...given] = process.argv.slice(2);
const io = createTerminalIo({
  streams: process,
  env: process.env,
  cwd: process.cwd(),
  quiet: false,
  verbose: false,
  noInput: false,
  yes: false,
  color: false,
  signal: new AbortController().signal,
});

async function answer(): Promise<unknown> {
  switch (what) {
    case 'ask':
      return io.ask('Name? ');
    case 'twice':
      return io.askSecret('Token: ', { repeat: true });
    case 'confirm':
      return io.confirm('Delete it?');
    case 'progress': {
      const progress = await io.progress('working');
      await new Promise((resolve) => setTimeout(resolve, 700));
      io.note('noted');
      progress.stop();
      return '';
    }
    default:
      return io.readSecret(given[0], 'Token');
  }
}

try {
  const got = String(await answer());
  process.stdout.write(`got ${got.length} characters, reversed ${[...got].reverse().join('')}.\n`);
} catch (error) {
  if (!(error instanceof LanyardError)) throw error;
  process.stdout.write(`${error.kind}: ${error.message}.\n`);
}
