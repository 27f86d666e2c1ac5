// Run as a program: writes lines to standard output until a write fails or they are all written.
import { LanyardError } from '../../../src/errors.ts';
import { writeOut } from '../../../src/io/stdout.ts';

const [lines = '1', bytes = '10'] = process.argv.slice(2);
try {
  let written = 0;
  while (written < Number(lines) && (await writeOut(process.stdout, `${'x'.repeat(Number(bytes))}\n`)))
    written++;
  process.stderr.write(written === Number(lines) ? 'all' : 'closed');
} catch (error) {
  process.stderr.write(error instanceof LanyardError ? `${error.kind}: ${error.message}` : String(error));
  process.exitCode = 1;
}
