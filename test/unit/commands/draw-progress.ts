// Run as a program on a terminal: shows the progress of a transfer for some time. The argument is the name of the file.
import type { Context } from '../../../src/command/context.ts';
import { startProgressBar } from '../../../src/commands/box/lib/progress-bar.ts';
import { createTerminalIo } from '../../../src/io/terminal.ts';

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
const context = { output: io, system: { clock: () => new Date() } } as unknown as Context;
const total = 1_288_490_188;
const progress = await startProgressBar(`Uploading ${process.argv[2]}`, total, context);
for (let done = 0; done <= total; done += total / 25) {
  progress.update(done);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
progress.stop();
