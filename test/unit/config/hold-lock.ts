// Run as a program: takes the lock of a file, says so, and holds it until it is killed.
import { withLock } from '../../../src/config/lock.ts';

await withLock(process.argv[2] ?? '', async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
