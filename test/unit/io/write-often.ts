// Run as a program: writes one file again and again, until SIGINT.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { writeFiles } from '../../../src/io/files.ts';

process.on('SIGINT', () => process.exit(130));
const path = join(process.argv[2] ?? '', 'cert');
for (let round = 0; ; round++) {
  writeFiles([{ path, content: 'x'.repeat(100_000), replace: true }]);
  if (round === 0) process.stdout.write('written\n');
  await setImmediate();
}
